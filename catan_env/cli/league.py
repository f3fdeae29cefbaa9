"""`catan-env league`: repeated games between entrants, stored in a permanent ledger."""

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from secrets import randbits
from typing import Any

from catan_env.arena.commands import program_of
from catan_env.arena.league.check import Check
from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.engine import this_engine
from catan_env.arena.league.entrant import COMMAND, POLICY, packed_files
from catan_env.arena.league.league import League, RunSettings
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import PROTOCOLS, MatchSettings
from catan_env.arena.league.pairing import SCHEDULES
from catan_env.arena.league.patience import reached
from catan_env.arena.league.standings import Standings
from catan_env.arena.league.text import columns, heads_to_heads, standings_text
from catan_env.arena.league.workers import Alone, Processes, Workers, tables_that_fit
from catan_env.arena.sandbox import check_command
from catan_env.cli.ending import FAILED, stoppable
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import MOST_IN_BEGIN, PREDICTABLE, check_chosen, formerly, whole
from catan_env.cli.progress import Progress
from catan_env.game.rules import PRESETS
from catan_env.net.address import without_password
from catan_env.notation.files import dumps, write_game
from catan_env.notation.record import different_names
from catan_env.notation.writer import to_sgn
from catan_env.policy import check_policy, load_luck, load_policy

SECRET_BITS = 128
"""The default of --seed: a random secret for the league's boards."""
DESCRIPTION = """\
Let policies and agents meet in a league. PLACE is a folder, or the URL of a database.

examples:
  catan-env league init mine --seats 2 --rules duel
  catan-env league add mine greedy
  catan-env league add mine nets/mine.npz --name mine --version 2
  catan-env league run mine --games 1000 --workers 2
  catan-env league standings mine
  catan-env league serve mine

  catan-env league init cup --seats 4 --protocol binary
  catan-env league add cup --files anns/agent --command "python3 agent.py" --name ann
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The league's subcommands."""
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, (summary, do, options) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("place", metavar="PLACE", help="the league's folder, or a URL")
        command.set_defaults(do=do)
        if options is not None:
            options(command)


def run(chosen: argparse.Namespace) -> int:
    """Run the chosen subcommand; returns the exit status."""
    is_new = chosen.do is _init
    if not (is_new or "://" in chosen.place or Path(chosen.place).is_dir()):
        raise LedgerError(f"{chosen.place}: there is no such folder")
    with closing(Ledger(chosen.place, read_only=chosen.do in (_serve, _page))) as ledger:
        if not (is_new or ledger.exists):
            raise LedgerError(
                f"{without_password(chosen.place)}: there is no league here; "
                "catan-env league init creates one"
            )
        status: int = chosen.do(chosen, ledger)
        return status


def _add_init(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--seats", type=whole(2, 4), default=4, help="seats per game (default: 4)")
    add("--rules", default="base",
        help=f"rules of games between policies: {', '.join(PRESETS)} (default: base)")  # fmt: skip
    add("--no-trade", action="store_false", dest="player_trade",
        help="seats do not trade with each other")  # fmt: skip
    add("--protocol", choices=PROTOCOLS,
        help="also admit agent commands, with this protocol and its rules")  # fmt: skip
    add("--protocol-version", metavar="V", help="german: 0.1 to 1.0 (default: 1.0)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--seed", type=whole(0),
        help="seed of all boards and dice, predictable by agents (default: secret)")  # fmt: skip
    add("--max-turns", type=whole(0, MOST_IN_BEGIN), default=1000,
        help="turns per game, 0: no limit (default: 1000)")  # fmt: skip
    add("--timeout", type=whole(0, 255),
        help="with --protocol: seconds per turn; german: per decision; "
             "0: no limit (default: 5)")  # fmt: skip
    add("--threads", type=whole(0, 255),
        help="with --protocol: per agent, 0: no limit (default: 1)")  # fmt: skip
    add("--memory", type=whole(0, 65535),
        help="with --protocol: MiB of address space per agent, 0: no limit "
             "(default: 512)")  # fmt: skip
    dialect = add("--dialect", choices=("announced", "literal"),
        help="binary: whether hidden card movements are announced "
             "(default: announced)")  # fmt: skip
    formerly("--literal", dialect, parser, "literal")


def _add_add(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("policy", nargs="?", help="a policy's name, module:Class, or a weights file (.npz)")
    add("--command", dest="line", metavar="LINE",
        help="an agent's command line instead; host and port are appended")  # fmt: skip
    add("--files", type=Path, metavar="DIR",
        help="a folder to copy into the league; the command runs in it")  # fmt: skip
    add("--name", help="name in the standings (default: the policy)")
    add("--version", default="", help="replaces earlier versions of that name")
    add("--author", default="", help="shown in the standings")


def _add_run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=whole(1), help="games to play (default: until stopped)")
    workers = add("--workers", type=whole(1), metavar="N",
        help="worker processes (default: one per processor)")  # fmt: skip
    formerly("--tables", workers, parser)
    add("--ray", nargs="?", const="", metavar="ADDRESS",
        help="play on a Ray cluster; without an address, start one on this machine")  # fmt: skip
    add("--schedule", choices=tuple(SCHEDULES), default="round-robin", help="default: round-robin")
    add("--over-tcp", action="store_true",
        help="also play games between policies over the protocol")  # fmt: skip
    add("--log-dir", type=Path, metavar="DIR",
        help="folder for the agents' output, with a folder for each line-up")  # fmt: skip


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="name of the entrant")


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=whole(1), help="number of the game")


def _add_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--last", type=whole(1), metavar="N", help="only the last N games")


def _add_standings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--heads", action="store_true", help="also print head-to-head results")
    parser.add_argument("--luck", action="store_true",
        help="ratings without the luck of the dice, thefts and cards, from replays of all games"
        )  # fmt: skip


def _add_export(parser: argparse.ArgumentParser) -> None:
    record = parser.add_argument("--record", type=Path, metavar="DIR",
        help="also write every game there as a .sgn.json record")  # fmt: skip
    formerly("--records", record, parser)


def _add_serve(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1",
        help="listening address; 0.0.0.0 admits other machines (default: 127.0.0.1)")  # fmt: skip
    add("--port", type=whole(0, 65535), default=0, help="0: any free one (default: 0)")


def _add_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder to write the files to")
    parser.add_argument("--replays", type=whole(0), default=200, metavar="N",
        help="include the last N games (default: 200)")  # fmt: skip


def _init(chosen: argparse.Namespace, ledger: Ledger) -> int:
    if ledger.exists:
        raise LedgerError(f"{without_password(chosen.place)}: there is a league already")
    _check_has_effect(chosen)
    names = (
        "seats player_trade protocol protocol_version board seed max_turns timeout threads memory"
    ).split()
    values = {name: getattr(chosen, name) for name in names if getattr(chosen, name) is not None}
    if chosen.protocol is None:
        values["rules"] = chosen.rules
    values["announced"] = chosen.dialect != "literal"
    values["predictable"] = chosen.seed is not None
    if chosen.seed is None:
        values["seed"] = randbits(SECRET_BITS)
    elif chosen.protocol is not None:
        print(PREDICTABLE, file=sys.stderr)
    settings = MatchSettings(**values)
    settings.check_names()
    if "://" not in chosen.place:
        make_folder("the league's folder", chosen.place)
    settings.check()
    ledger.create({**asdict(settings), "rules": settings.chosen_rules.name})
    return 0


def _check_has_effect(chosen: argparse.Namespace) -> None:
    """Raise LedgerError or ValueError for an option that the protocol, or its absence, excludes."""
    if chosen.protocol is not None and chosen.rules != "base":
        raise LedgerError(f"--rules {chosen.rules}: the protocol determines the rules")
    if chosen.protocol is not None and not chosen.player_trade:
        raise LedgerError("--no-trade: the protocol determines the rules")
    if chosen.protocol != "german":
        check_chosen("with --protocol german", {"--protocol-version": chosen.protocol_version})
    if chosen.protocol != "binary":
        check_chosen("with --protocol binary", {"--dialect": chosen.dialect})
    if chosen.protocol is None:
        limits = {f"--{name}": getattr(chosen, name) for name in ("timeout", "threads", "memory")}
        check_chosen("with --protocol", limits)


def _add(chosen: argparse.Namespace, ledger: Ledger) -> int:
    if (chosen.policy is None) == (chosen.line is None):
        raise LedgerError("give a policy, or an agent's --command")
    if chosen.line is None:
        words, files, name = _policy(chosen)
    else:
        words, files, name = _command(chosen, ledger)
    kind = POLICY if chosen.line is None else COMMAND
    ledger.add(chosen.name or name, words, kind, chosen.version, chosen.author, files)
    return 0


def _policy(chosen: argparse.Namespace) -> tuple[str, bytes | None, str]:
    """The entrant's specification in the ledger, the weights file, and the name."""
    if chosen.files is not None:
        raise LedgerError("--files requires --command; a weights file is stored without it")
    check_policy(chosen.policy)
    load_policy(chosen.policy)
    path = Path(chosen.policy)
    if path.suffix == ".npz":
        return path.name, packed_files(path), path.stem
    return chosen.policy, None, chosen.policy


def _command(chosen: argparse.Namespace, ledger: Ledger) -> tuple[str, bytes | None, str]:
    if MatchSettings.from_settings(ledger.settings).protocol is None:
        raise LedgerError("commands need a league that was created with --protocol")
    if not chosen.name:
        raise LedgerError("a --command needs a --name")
    try:
        words = shlex.split(chosen.line)
    except ValueError as error:
        raise LedgerError(f"--command {chosen.line!r}: {error}") from None
    check_command([*map(program_of, words[:1]), *words[1:]], chosen.files)
    if chosen.files is None:
        return chosen.line, None, chosen.name
    if not chosen.files.is_dir():
        raise LedgerError(f"--files {chosen.files}: there is no such folder")
    return chosen.line, packed_files(chosen.files), chosen.name


def _remove(chosen: argparse.Namespace, ledger: Ledger) -> int:
    ledger.remove(chosen.name)
    return 0


def _pardon(chosen: argparse.Namespace, ledger: Ledger) -> int:
    ledger.pardon(chosen.name)
    return 0


def _run(chosen: argparse.Namespace, ledger: Ledger) -> int:
    league = League(ledger)
    if chosen.over_tcp and league.settings.protocol is None:
        raise LedgerError("--over-tcp needs a league that was created with --protocol")
    make_folder("--log-dir", chosen.log_dir)
    if chosen.log_dir is not None:
        chosen.log_dir = chosen.log_dir.resolve()
    how = RunSettings(chosen.schedule, chosen.over_tcp, chosen.log_dir)
    is_over_tcp = league.settings.protocol is not None
    results = league.run(chosen.games, how, _workers(chosen, is_over_tcp))
    with Progress(chosen.games or 0, "game") as progress, stoppable() as ending, closing(results):
        for _ in results:
            progress.advance()
    reached(lambda: league.skills(keep=True))
    _print_standings(ledger)
    return ending.status


def _workers(chosen: argparse.Namespace, is_over_tcp: bool) -> Workers:
    """Worker processes, if they are worth starting or the games are shown live."""
    if chosen.ray is not None:
        from catan_env.arena.league.over_ray import RayWorkers

        return RayWorkers(chosen.ray or None, chosen.workers)
    tables = tables_that_fit(chosen.workers)
    is_small = chosen.games is not None and chosen.games <= 4 * tables
    is_alone = (tables == 1 or is_small) and not is_over_tcp
    return Alone() if is_alone else Processes(tables)


def _standings(chosen: argparse.Namespace, ledger: Ledger) -> int:
    _print_standings(ledger, chosen.heads, chosen.luck)
    return 0


def _print_standings(ledger: Ledger, heads: bool = False, luck: bool = False) -> None:
    """Print the standings, without luck and with head-to-head results if requested."""
    league = League(ledger)
    found, tally = league.standings(), league.tally()
    if luck:
        plain, found = found, league.standings(league.without_luck(load_luck()))
        print(f"ratings without luck, {_saved(plain, found):.0%} of games saved")
    print(standings_text(found, tally))
    if heads:
        print(columns(*heads_to_heads(found, tally)))


def _saved(plain: Standings, fair: Standings) -> float:
    """The share of games that ratings without luck save, for intervals of the same width.

    Unbounded strengths are left out: the prior, not the games, sets their intervals.
    """
    before, after = (
        sum(line.reach**2 for line in found.lines if line.sets_scale) for found in (plain, fair)
    )
    return 1 - after / before if before else 0.0


def _games(chosen: argparse.Namespace, ledger: Ledger) -> int:
    names = {entrant.id: entrant.title for entrant in ledger.entrants()}
    after = max(0, ledger.count() - chosen.last) if chosen.last else 0
    for result in ledger.games(after):
        players = ", ".join(names[entrant] for entrant in result.seats)
        end = "nobody" if result.winner is None else names[result.seats[result.winner]]
        kicks = "".join(
            f"; {names[result.seats[seat]]} was kicked in turn {turn}: {reason}"
            for seat, turn, reason in result.removals
        )
        print(f"{result.number:6}  {players}: {end} won in turn {result.turns}{kicks}")
    return 0


def _show(chosen: argparse.Namespace, ledger: Ledger) -> int:
    print(dumps(_record(ledger, chosen.game)), end="")
    return 0


def _record(ledger: Ledger, number: int) -> Iterable[dict[str, Any]]:
    result = ledger.game(number)
    return to_sgn(League(ledger).replayed(result), players=_players(ledger, result.seats))


def _players(ledger: Ledger, seats: Iterable[int]) -> tuple[str, ...]:
    names = {entrant.id: entrant.title for entrant in ledger.entrants()}
    return different_names([names[entrant] for entrant in seats])


def _export(chosen: argparse.Namespace, ledger: Ledger) -> int:
    make_folder("--record", chosen.record)
    entrants = [
        {name: value for name, value in vars(entrant).items() if name != "files"}
        for entrant in ledger.entrants()
    ]
    values = dict(ledger.settings)
    if values.get("predictable") is False:  # the seed determines boards that are still to be played
        del values["seed"]
    print(json.dumps({**values, "entrants": entrants}))
    for result in ledger.games():
        print(json.dumps(result.to_json()))
        if chosen.record is not None:
            game = League(ledger).game(result.number)
            stem = f"game-{result.number:06}"
            write_game(chosen.record, game, _players(ledger, result.seats), stem)
    return 0


def _check(_: argparse.Namespace, ledger: Ledger) -> int:
    check, faults = Check(ledger), 0
    for fault in check.faults():
        print(fault, file=sys.stderr)
        faults += 1
    for engine, games in check.unjudged.items():
        print(
            f"{games} games were played by {engine}; this is {this_engine()}, in which their "
            "records diverge: only that version can verify them",
            file=sys.stderr,
        )
    unjudged = f", {check.unjudged.total()} of other engines not verified" if check.unjudged else ""
    print(f"{ledger.count()} games, {faults} at fault{unjudged}")
    return FAILED if faults else 0


def _serve(chosen: argparse.Namespace, ledger: Ledger) -> int:
    from catan_env.net.address import in_url, is_loopback
    from catan_env.net.serve import listen
    from catan_env.web.league import serve

    with listen(chosen.host, chosen.port) as listener, stoppable() as ending:
        print(f"http://{in_url(chosen.host)}:{listener.getsockname()[1]}/", flush=True)
        serve(ledger, listener, is_public=not is_loopback(chosen.host))
    return ending.status


def _page(chosen: argparse.Namespace, ledger: Ledger) -> int:
    from catan_env.web.league import write_site

    files = write_site(ledger, chosen.folder, chosen.replays)
    print(f"{chosen.folder}: {files} files, start with index.html")
    return 0


Do = Callable[[argparse.Namespace, Ledger], int]
Options = Callable[[argparse.ArgumentParser], None]
COMMANDS: dict[str, tuple[str, Do, Options | None]] = {
    "init": ("create a league", _init, _add_init),
    "add": ("add a policy or an agent", _add, _add_add),
    "remove": ("stop scheduling an entrant; its past games remain", _remove, _add_name),
    "pardon": ("lift a quarantine", _pardon, _add_name),
    "run": ("play games", _run, _add_run),
    "standings": ("print the standings", _standings, _add_standings),
    "games": ("list all games, one per line", _games, _add_games),
    "show": ("print a game's record", _show, _add_show),
    "export": ("write entrants and outcomes as JSON, one per line", _export, _add_export),
    "check": ("verify every stored game by replaying it", _check, None),
    "serve": ("serve a read-only web page", _serve, _add_serve),
    "page": ("write the same page to files", _page, _add_page),
}
