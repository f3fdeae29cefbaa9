"""Shared code of `catan-env serve` and `catan-env match`: agents as processes at a server."""

import argparse
import asyncio
import json
import sys
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from catan_env.arena.games import output_of, play_all, stem
from catan_env.arena.german import GermanTournament, places_of
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import LEVELS, Sandbox, guard_memory, in_words, last_line, strongest
from catan_env.arena.tournament import Tournament
from catan_env.cli import watching
from catan_env.cli.ending import FAILED, stoppable
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import (
    MOST_IN_BEGIN,
    MOST_SECONDS,
    PREDICTABLE,
    check_chosen,
    formerly,
    whole,
)
from catan_env.cli.progress import Progress
from catan_env.cli.records import check_is_free
from catan_env.cli.results import reported
from catan_env.net.room import Removal
from catan_env.net.serve import check_lines, listen
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_german import play as german
from catan_env.protocols.catan_german.messages import VERSIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The agents, their limits, and the output."""
    add = parser.add_argument
    add("--agent", action="append", default=[], metavar="CMD", dest="agents",
        help='the command of a seat; "wait" for an agent that is started elsewhere')  # fmt: skip
    add("--name", action="append", default=[], dest="names", metavar="NAME",
        help="name of the next agent in tables and records; repeat it for each")  # fmt: skip
    add("--sandbox", choices=LEVELS,
        help="isolation of the agents (default: the strictest available)")  # fmt: skip
    add("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    add("--seed", type=whole(0),
        help="seed of the first board and its dice; each further one adds 1: reproducible, and "
        "predictable by agents (default: a fresh secret, stored in the records)")  # fmt: skip
    add("--protocol", choices=("binary", "german"), default="binary", help="default: binary")
    version = add("--protocol-version", choices=VERSIONS,
        help=f"version of the German protocol (default: {VERSIONS[-1]})")  # fmt: skip
    formerly("--version", version, parser)
    add("--seats", type=whole(2, 4), help="german: number of players, agents or other clients "
        "(default: one per agent, 3 without any)")  # fmt: skip
    add("--go-on", action="store_true",
        help="german: continue after a lost connection instead of ending the game")  # fmt: skip
    add("--timeout", type=whole(0, MOST_SECONDS),
        help="seconds per turn, 0: no limit (default: 5; german: 60, per decision)")  # fmt: skip
    add("--threads", type=whole(0, MOST_IN_BEGIN), default=1,
        help="threads per agent, 0: no limit (default: 1)")  # fmt: skip
    add("--memory", type=whole(0, MOST_IN_BEGIN), default=512,
        help="MiB per agent, 0: no limit (default: 512)")  # fmt: skip
    add("--placement", help="binary: pips, random, or the policy that places the settlements "
        "(default: pips)")  # fmt: skip
    add("--dialect", choices=("announced", "literal"),
        help="binary: whether hidden card movements are announced "
             "(default: announced)")  # fmt: skip
    add("--byte-order", choices=("big", "little"), help="binary (default: big)")
    add("--max-turns", type=whole(0, MOST_IN_BEGIN), default=500,
        help="turns per game, 0: no limit (default: 500)")  # fmt: skip
    add("--log-dir", type=Path, metavar="DIR",
        help="folder for the agents' output (default: a new temporary folder)")  # fmt: skip
    add("--record", type=Path, metavar="DIR",
        help="folder for a .sgn.json record of every game (default: next to that)")  # fmt: skip
    watching.add_arguments(parser)
    add("--json", type=Path, metavar="FILE",
        help="write the outcome of each game to a file, one line of JSON per game")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Play the tournament; returns the exit status."""
    _check_options(chosen)
    _check(chosen)
    check_port(chosen.host, chosen.port)
    tournament = _tournament(chosen)
    tournament.check()
    workers = min(chosen.workers, chosen.games)
    check_lines(workers, len(tournament.commands))
    if tournament.sandbox.level != "none":
        guard_memory()
    print(f"sandbox {in_words(tournament.sandbox.level)}", file=sys.stderr, flush=True)
    if tournament.seed is not None:
        print(PREDICTABLE, file=sys.stderr, flush=True)
    outcomes: list[Outcome] = []
    with reported(tournament.names, outcomes), ExitStack() as stack:
        tournament = _with_log_dir(tournament)
        progress = stack.enter_context(Progress(chosen.games, "game"))
        log = OutcomeLog(tournament, outcomes, progress, chosen.json)
        ending = stack.enter_context(stoppable())
        playing = partial(play_all, tournament, chosen.games, chosen.port, workers, log.add)
        asyncio.run(watching.watched(chosen, tournament.names, playing))
    if not ending.status and not any(outcome.was_played for outcome in outcomes):
        print(
            "no game was played, because no agent made a decision; "
            f"the agents' output is in {tournament.log_dir}",
            file=sys.stderr,
        )
        return FAILED
    return ending.status


def _tournament(chosen: argparse.Namespace) -> Tournament:
    tournament = _at_binary_table(chosen)
    return _at_german_table(chosen, tournament) if chosen.protocol == "german" else tournament


def _at_german_table(chosen: argparse.Namespace, tournament: Tournament) -> GermanTournament:
    """The same agents, with the remaining places open to other clients."""
    timeout = 60 if chosen.timeout is None else chosen.timeout
    version = chosen.protocol_version or VERSIONS[-1]
    table = german.Settings(version, timeout, chosen.max_turns, chosen.go_on)
    agreed = {name.name: getattr(tournament, name.name) for name in fields(Tournament)}
    seats = chosen.seats or len(chosen.agents) or 3
    agreed["commands"] = places_of(chosen.agents, seats)
    return GermanTournament(**agreed, table=table)


def _at_binary_table(chosen: argparse.Namespace) -> Tournament:
    settings = Settings(
        5 if chosen.timeout is None else chosen.timeout,
        chosen.threads,
        chosen.memory,
        chosen.dialect != "literal",
        chosen.max_turns,
    )
    return Tournament(
        tuple(chosen.agents),
        chosen.host,
        chosen.seed,
        settings,
        chosen.placement or "pips",
        chosen.byte_order or "big",
        chosen.log_dir,
        chosen.record,
        chosen.rotate,
        chosen.paired,
        given_names=tuple(chosen.names),
        sandbox=Sandbox(chosen.sandbox or strongest()),
    )


def _with_log_dir(tournament: Tournament) -> Tournament:
    """The same, with a new folder, which is printed, if it has none for the agents' output."""
    if tournament.log_dir is not None:
        return tournament
    folder = Path(mkdtemp(prefix="catan-env-"))
    print(f"agents' output: {folder}", file=sys.stderr, flush=True)
    return replace(tournament, log_dir=folder)


def check_port(host: str, port: int) -> None:
    """Raise ValueError if the address cannot be listened on."""
    try:
        listen(host, port).close()
    except OSError as error:
        raise ValueError(f"cannot listen on {host} {port}: {error.strerror or error}") from None


def _check_options(chosen: argparse.Namespace) -> None:
    """Raise ValueError for an option without effect on what was chosen."""
    of_german = {
        "--protocol-version": chosen.protocol_version,
        "--seats": chosen.seats,
        "--go-on": chosen.go_on,
    }
    of_binary = {
        "--placement": chosen.placement,
        "--dialect": chosen.dialect,
        "--byte-order": chosen.byte_order,
    }
    if chosen.protocol == "german":
        check_chosen("with --protocol binary", of_binary)
    else:
        check_chosen("with --protocol german", of_german)
    watching.check_options(chosen)


def _check(chosen: argparse.Namespace) -> None:
    if chosen.json is not None and not chosen.json.parent.is_dir():
        raise ValueError(f"--json {chosen.json}: there is no folder {chosen.json.parent}")
    folders = {"--log-dir": chosen.log_dir, "--record": chosen.record}
    for option, folder in folders.items():
        make_folder(option, folder)
    option = "--log-dir" if chosen.record is None else "--record"  # of the games' records
    if folders[option] is not None:
        check_is_free(folders[option], map(stem, range(chosen.games)), option)


class OutcomeLog:
    """Prints and saves each game when it is over, and adds it to the outcomes in their order."""

    def __init__(
        self,
        tournament: Tournament,
        outcomes: list[Outcome],
        progress: Progress,
        file: Path | None,
    ) -> None:
        self._outcomes = outcomes
        self._tournament = tournament
        self._progress = progress
        self._file = file
        agents = {"agents": tournament.commands, "names": tournament.names}
        if file is not None:
            file.write_text(json.dumps(agents) + "\n", encoding="utf-8")

    def add(self, outcome: Outcome) -> None:
        """Handle the end of a game."""
        self._outcomes.append(outcome)
        self._outcomes.sort(key=lambda outcome: outcome.number)
        for removal in outcome.removals:
            self._progress.say(self._in_words(removal, outcome))
        self._progress.advance()
        if self._file is not None:
            with open(self._file, "a", encoding="utf-8") as file:
                file.write(json.dumps(outcome.to_json()) + "\n")

    def _in_words(self, removal: Removal, outcome: Outcome) -> str:
        """The agent that was removed, the reason, and its last lines on standard error."""
        seat, turn, reason = removal
        name = self._tournament.names[outcome.seats[seat]]
        said = f"game {outcome.number}: seat {seat} ({name}) was kicked in turn {turn}: {reason}"
        path = output_of(self._tournament, outcome.number - 1, seat, "err")
        words = last_line(path) if path.exists() else ""
        return f"{said}; {path} ends: {words}" if words else said
