"""Games between agent processes, over the server of the binary protocol."""

import asyncio
import os
import re
import shlex
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.sandbox import (
    LONGEST_END,
    LONGEST_LINE,
    Agent,
    Limits,
    Sandbox,
    check_command,
    check_level,
)
from catan_env.arena.schedule import board_number, entrants_by_seat
from catan_env.arena.seating import GameRoom, Seating, Start
from catan_env.game.chance import derived, new_secret
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.framing import Connection
from catan_env.net.packed import ByteOrder
from catan_env.net.serve import listen
from catan_env.notation.files import write_game
from catan_env.policy import check_policy, decide, load_policy
from catan_env.protocols.catan_binary.agent import DIALECT
from catan_env.protocols.catan_binary.messages import BinaryCodec, Message
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.terminal import printable

INTERPRETER = re.compile(r"(python|pypy|node|java|ruby|perl|bash|sh|env|uv|run)[\d.]*")
SCRIPT = re.compile(r"\.(py|sh|jar|js|rb|pl)$")
BY_TABLE = ("pips", "random")
"""Built-in placements; any other name is a policy."""
OURS = "catan-env"
WAIT = "wait"
"""The command of a seat whose agent is started elsewhere."""
LOOK_EVERY = 0.02
"""Seconds between two checks of agents that are exiting."""


@dataclass(frozen=True)
class Tournament:
    """The games of a server; `commands` are the agents' command lines, in order."""

    commands: tuple[str, ...]
    host: str = "127.0.0.1"
    seed: int | None = None
    """Seed of the first board and its chance; each further one adds 1: agents can predict both.
    None: boards and chance come from `secret`."""
    settings: Settings = field(default_factory=Settings)
    placement: str = "pips"
    byte_order: ByteOrder = "big"
    log_dir: Path | None = None
    """The folder for the agents' output: none by default."""
    record_dir: Path | None = None
    """The folder for the games' records: by default next to the agents' output."""
    rotate: bool = False
    paired: bool = False
    """True if each board is played in every rotation of the seats before the next."""
    patience: float = 20.0
    """Seconds in which a started agent must connect."""
    given_names: tuple[str, ...] = ()
    sandbox: Sandbox = field(default_factory=Sandbox)
    secret: bytes = field(default_factory=new_secret, repr=False)
    """The secret from which those of every board and every game's chance are derived."""

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names in tables and records: those given, or derived from their commands.

        >>> Tournament(("catan-env agent --policy builder", "python3 ./mine.py --seed 1")).names
        ('builder', 'mine')
        """
        return self.given_names or tuple(map(name_of, self.commands))

    @property
    def max_turns(self) -> int:
        """The limit of turns per game, 0 for none."""
        return self.settings.max_turns

    def check(self) -> None:
        """Raise ValueError if no game could be played."""
        if not 2 <= len(self.commands) <= 4:
            raise ValueError(f"{len(self.commands)} agents; a game has 2, 3 or 4 seats")
        if self.given_names and len(self.given_names) != len(self.commands):
            raise ValueError(f"{len(self.given_names)} names for {len(self.commands)} agents")
        for command in self.commands:
            if command != WAIT:
                if sys.platform != "linux":
                    raise ValueError("agents are started under Linux only: use --agent wait")
                check_command(words_of(command))
        check_level(self.sandbox.level)
        if self.placement not in BY_TABLE:
            check_policy(self.placement)
        self.new_game(0)

    def new_game(self, k: int) -> Game:
        """Game number k, its settlements placed."""
        by_table = self.placement in BY_TABLE
        rules = Rules.tournament(self.placement if by_table else "seats")
        game = self.laid(k, rules)
        policies = [] if by_table else [load_policy(self.placement, seat) for seat in range(4)]
        while game.turn == 0:
            game.play(decide(policies[game.seat], game.view(game.seat)))
        return game

    def laid(self, k: int, rules: Rules) -> Game:
        """Game number k before its first choice, with a separate secret if no seed is given."""
        secret = derived(self.secret, f"game {k}") if self.seed is None else None
        return Game(len(self.commands), self.board_seed(k), rules, secret=secret)

    def board_seed(self, k: int) -> int:
        """The seed of game number k: only of its board if the game has a secret."""
        number = board_number(k, len(self.commands)) if self.paired else k
        if self.seed is None:
            return int.from_bytes(derived(self.secret, f"board {number}")[:8], "big")
        return self.seed + number

    def seating(self, game: Game, start: Start) -> Seating:
        """A room for a game; `start` starts its agents."""
        room = CatanRoom(game, self.settings)
        return Seating(room, partial(_end, self.byte_order), start, self.patience)

    def sandbox_of(self, agent: int) -> Sandbox:
        """The isolation of that agent: others' output and the records are hidden from it."""
        folders = tuple(path for path in (self.log_dir, self.record_dir) if path)
        return replace(self.sandbox, private=(*self.sandbox.private, *folders))

    def agents_at(self, room: GameRoom, agents: tuple[int, ...]) -> tuple[int, ...]:
        """The agent of each seat, of those that were assigned the places in order."""
        return agents

    def agents_by_seat(self, k: int) -> tuple[int, ...]:
        """The agents by seat in game number k."""
        return entrants_by_seat(k if self.rotate else 0, len(self.commands))


def words_of(command: str) -> list[str]:
    """A command's words, split as by a shell; ValueError if a quotation does not end.

    `catan-env` is the one installed next to this Python, whatever `PATH` contains.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"--agent {command!r}: {error}") from None
    return [program_of(words[0]), *words[1:]] if words else words


def program_of(word: str) -> str:
    """A command's program: ours by its path, if it is installed; others unchanged."""
    ours = Path(sys.executable).with_name(OURS)
    return str(ours) if word == OURS and ours.exists() else word


def name_of(command: str) -> str:
    """An agent's name derived from its command: its policy, or the program.

    >>> name_of("catan-env agent --policy nets/mine.npz --dialect auto"), name_of("./agent -j 1")
    ('mine', 'agent')
    """
    words = words_of(command)
    if "--policy" in words[:-1]:
        return Path(words[words.index("--policy") + 1]).name.removesuffix(".npz")
    names = [Path(word).name for word in words if not word.startswith("-")]
    programs = [name for name in names if not INTERPRETER.fullmatch(name)]
    return SCRIPT.sub("", (programs or names or [command])[0])


class Watch(Protocol):
    """An observer of a contest's games; game numbers start at 1 here."""

    def begin(self, number: int, game: Game, names: Sequence[str], played: Any) -> None:
        """Handle the start of a game; `played.game` is its current position."""

    def end(self, number: int, outcome: Outcome | None = None) -> None:
        """Handle the end of a game."""


async def play(
    tournament: Tournament, k: int, port: int = 0, watch: Watch | None = None, slot: int = 0
) -> Outcome:
    """Play game number k at a port of this machine, 0 for any free one.

    `slot` counts the games that are played in parallel: their agents get different processors.
    """
    outcome, game = await play_game(tournament, k, port, watch, slot)
    folder = tournament.record_dir or tournament.log_dir
    if folder is not None:
        write_game(folder, game, [tournament.names[agent] for agent in outcome.seats], stem(k))
    return outcome


async def play_game(
    tournament: Tournament, k: int, port: int = 0, watch: Watch | None = None, slot: int = 0
) -> tuple[Outcome, Game]:
    """Like `play`, but returns the outcome and the game, and saves nothing."""
    game = tournament.new_game(k)
    seats = tournament.agents_by_seat(k)
    with closing(listen(tournament.host, port)) as listener:
        async with leaving_together() as started:
            start = partial(_start, tournament, k, slot, seats, listener, started)
            seating = tournament.seating(game, start)
            async with followed(tournament, k, seats, seating.room, watch):
                await seating.play(listener)
    room = seating.room
    seats = tournament.agents_at(room, seats)
    outcome = _outcome(room, k, seats, tournament.max_turns)
    if watch is not None:
        watch.end(k + 1, outcome)
    return outcome, room.game


@asynccontextmanager
async def followed(
    tournament: Tournament,
    k: int,
    agents: tuple[int, ...],
    room: GameRoom,
    watch: Watch | None,
) -> AsyncIterator[None]:
    """Announce the game to `watch` at its first event: by then the seats are assigned."""
    begun, before = room.game.copy(), len(room.game.events)

    async def announce(watch: Watch) -> None:
        while len(room.game.events) == before:
            await asyncio.sleep(LOOK_EVERY)
        names = [tournament.names[agent] for agent in tournament.agents_at(room, agents)]
        watch.begin(k + 1, begun, names, room)

    announcing = None if watch is None else asyncio.create_task(announce(watch))
    try:
        yield
    finally:
        if announcing is not None:
            announcing.cancel()


def _end(order: ByteOrder) -> Connection[Message]:
    return Connection(BinaryCodec(order))


LEAVING = 2.0
"""Seconds in which a keeper ends its agent, if no caller waits for its report."""


@asynccontextmanager
async def leaving_together() -> AsyncIterator[list[Agent]]:
    """Agents' processes that end together, after a moment to exit by themselves.

    If the server is interrupted meanwhile, as by a second Ctrl-C, it waits no longer than that.
    """
    started: list[Agent] = []
    try:
        yield started
    finally:
        for agent in started:
            agent.hang_up()
        until = time.monotonic() + LONGEST_END
        try:
            while not all(agent.is_gone for agent in started) and time.monotonic() < until:
                await asyncio.sleep(LOOK_EVERY)
        except asyncio.CancelledError:
            until = time.monotonic() + LEAVING
            raise
        finally:
            for agent in started:
                agent.close(until - time.monotonic())


def _start(
    tournament: Tournament,
    k: int,
    slot: int,
    agents: tuple[int, ...],
    listener: socket.socket,
    started: list[Agent],
    seat: int,
) -> Agent | None:
    """Start an agent's process; a `seating.Start`."""
    host, port = listener.getsockname()[:2]
    command = tournament.commands[agents[seat]]
    if command == WAIT:
        print(f"seat {seat} waits for an agent at {host} {port}", file=sys.stderr, flush=True)
        return None
    settings = tournament.settings
    limits = Limits(settings.thread_limit, settings.memory_limit)
    out, err = (output_of(tournament, k, seat, stream) for stream in ("out", "err"))
    first = (slot * len(agents) + seat) * max(1, limits.threads)
    words = [*words_of(command), host, str(port)]
    sandbox = tournament.sandbox_of(agents[seat])
    said = {DIALECT: "announced" if settings.announced else "literal"}
    started.append(sandbox.start(words, port, limits, out, err, first, said))
    return started[-1]


def output_of(tournament: Tournament, k: int, seat: int, stream: str) -> Path:
    """The file of an agent's standard output or error."""
    if tournament.log_dir is None:
        return Path(os.devnull)
    return tournament.log_dir / f"{stem(k)}-seat-{seat}.{stream}"


def stem(k: int) -> str:
    """The prefix of a game's file names; games are counted from 1 there."""
    return f"game-{k + 1:04}"


def _outcome(room: GameRoom, k: int, agents: tuple[int, ...], max_turns: int) -> Outcome:
    times = tuple(map(tuple, room.decision_times))
    return replace(
        outcome_of(room.game, k, agents, sum(map(len, times)), max_turns),
        winner=room.winner,
        removals=tuple(
            one._replace(reason=printable(one.reason, LONGEST_LINE)) for one in room.removals
        ),
        timeouts=tuple(room.timeouts),
        decision_times=times,
    )


async def play_all(
    tournament: Tournament,
    games: int,
    port: int,
    workers: int,
    take: Callable[[Outcome], None],
    watch: Watch | None = None,
) -> list[Outcome]:
    """Play games 0..games-1, `workers` in parallel; returns the outcomes by the games' numbers.

    `take` is called with each when it has ended. Each game has a separate listening socket: at
    `port` if one is played at a time, else at any free one.
    """
    numbers = iter(range(games))
    outcomes: dict[int, Outcome] = {}

    async def play_on(slot: int) -> None:
        for k in numbers:
            outcomes[k] = await play(tournament, k, port if workers == 1 else 0, watch, slot)
            take(outcomes[k])

    try:
        async with asyncio.TaskGroup() as group:
            for slot in range(min(workers, games)):
                group.create_task(play_on(slot))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return [outcomes[k] for k in sorted(outcomes)]
