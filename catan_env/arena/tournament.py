"""Games between agent processes, over PROTO.md's server."""

import asyncio
import os
import shlex
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

from catan_env.arena.sandbox import Limits, Sandbox, check_command
from catan_env.arena.seating import Seating
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.framing import Connection
from catan_env.net.packed import ByteOrder
from catan_env.net.serve import listen
from catan_env.notation.files import write_game
from catan_env.policy import decide, load_policy
from catan_env.protocols.catan_binary.messages import BinaryCodec
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom

WAIT = "wait"
"""The command of a seat whose agent is started elsewhere."""
LONG_PATIENCE = 600.0
"""Seconds in which an agent that is started elsewhere must connect."""


@dataclass(frozen=True)
class Tournament:
    """What a server plays; `commands` are the agents' command lines, in order."""

    commands: tuple[str, ...]
    host: str = "127.0.0.1"
    seed: int = 0
    settings: Settings = field(default_factory=Settings)
    placement: str = "pips"
    byte_order: ByteOrder = "big"
    log_dir: Path | None = None
    """Where the agents' output goes: nowhere by default."""
    record_dir: Path | None = None
    """Where the records of the games go: beside the agents' output by default."""
    rotate: bool = False
    paired: bool = False
    """Whether each board is played in every rotation of the seats before the next."""
    patience: float = 20.0
    """Seconds in which a started agent must connect."""

    @property
    def names(self) -> tuple[str, ...]:
        """What tables and records call the agents: the last word of each command, without folders.

        >>> Tournament(("catan-env agent --policy builder", "./agents/mine")).names
        ('builder', 'mine')
        """
        return tuple(Path(shlex.split(command)[-1]).name for command in self.commands)

    def check(self) -> None:
        """Raise ValueError for what no game could be played with."""
        if not 2 <= len(self.commands) <= 4:
            raise ValueError(f"{len(self.commands)} agents; a game has 2, 3 or 4 seats")
        for command in self.commands:
            if command != WAIT:
                if sys.platform != "linux":
                    raise ValueError("agents are started under Linux only: use --agent wait")
                check_command(shlex.split(command))
        self.new_game(0)

    def new_game(self, k: int) -> Game:
        """Game number k, its settlements placed."""
        seed = self.seed + (k // len(self.commands) if self.paired else k)
        by_table = self.placement in ("pips", "random")
        rules = Rules.tournament(self.placement if by_table else "seats")
        game = Game(len(self.commands), seed, rules)
        policies = [] if by_table else [load_policy(self.placement, seat) for seat in range(4)]
        while game.turn == 0:
            game.play(decide(policies[game.seat], game.view(game.seat)))
        return game

    def agents_by_seat(self, k: int) -> tuple[int, ...]:
        """Which agent has which seat in game number k."""
        seats = len(self.commands)
        return tuple((seat - k * self.rotate) % seats for seat in range(seats))


@dataclass(frozen=True)
class Kick:
    """An agent that was removed."""

    agent: int
    seat: int
    turn: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What came of game number `game`; agents are numbers in the order of the commands."""

    game: int
    seed: int
    seats: tuple[int, ...]
    """The agent of each seat."""
    winner: int | None
    """The agent that won."""
    points: tuple[int, ...]
    """By agent, hidden cards counted."""
    turns: int
    kicks: tuple[Kick, ...]
    state: str
    """The last position, as the SHA-256 of `Game.state_bytes`: its record leads to the same."""
    decision_times: tuple[tuple[float, ...], ...] = field(repr=False)
    """By agent: seconds from what was asked to what was answered."""

    @property
    def was_played(self) -> bool:
        """Whether anybody decided anything; not where all agents but one failed at the start."""
        return any(self.decision_times)

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file that --json names: times are in milliseconds there."""
        times = [in_milliseconds(times) for times in self.decision_times]
        return {**asdict(self), "decision_times": times}


def in_milliseconds(times: Sequence[float]) -> dict[str, Any]:
    """Seconds as milliseconds, to the microsecond: count, median, longest, and all of them."""
    every = [round(1000 * seconds, 3) for seconds in times]
    return {
        "count": len(every),
        "median": round(median(every), 3) if every else 0.0,
        "longest": max(every, default=0.0),
        "all": every,
    }


async def play(tournament: Tournament, k: int, listener: socket.socket) -> Outcome:
    """Play game number k; its agents connect to `listener`."""
    game = tournament.new_game(k)
    room = CatanRoom(game, tournament.settings)
    agents = tournament.agents_by_seat(k)
    with closing_all() as sandboxes:
        start = partial(_start, tournament, k, agents, listener, sandboxes)
        waits = any(tournament.commands[agent] == WAIT for agent in agents)
        patience = LONG_PATIENCE if waits else tournament.patience
        order = tournament.byte_order
        seating = Seating(room, lambda: Connection(BinaryCodec(order)), start, patience)
        await seating.play(listener)
    outcome = _outcome(room, k, agents)
    folder = tournament.record_dir or tournament.log_dir
    if folder is not None:
        write_game(folder, game, [tournament.names[agent] for agent in agents], stem(k))
    return outcome


@contextmanager
def closing_all() -> Iterator[list[Sandbox]]:
    """Sandboxes that end together, at once."""
    sandboxes: list[Sandbox] = []
    try:
        yield sandboxes
    finally:
        for sandbox in sandboxes:
            sandbox.hang_up()
        with ExitStack() as stack:
            for sandbox in sandboxes:
                stack.enter_context(closing(sandbox))


def _start(
    tournament: Tournament,
    k: int,
    agents: tuple[int, ...],
    listener: socket.socket,
    sandboxes: list[Sandbox],
    seat: int,
) -> int | None:
    """Start an agent's process; a `seating.Start`."""
    host, port = listener.getsockname()[:2]
    command = tournament.commands[agents[seat]]
    if command == WAIT:
        print(f"seat {seat} waits for an agent at {host} {port}", file=sys.stderr, flush=True)
        return None
    settings = tournament.settings
    limits = Limits(settings.thread_limit, settings.memory_limit)
    out, err = (output_of(tournament, k, seat, stream) for stream in ("out", "err"))
    first = (k * len(agents) + seat) * max(1, limits.threads)
    sandbox = Sandbox([*shlex.split(command), host, str(port)], limits, out, err, first)
    sandboxes.append(sandbox)
    return sandbox.lifeline


def output_of(tournament: Tournament, k: int, seat: int, stream: str) -> Path:
    """The file of an agent's standard output or error."""
    if tournament.log_dir is None:
        return Path(os.devnull)
    return tournament.log_dir / f"{stem(k)}-seat-{seat}.{stream}"


def stem(k: int) -> str:
    """What the names of a game's files begin with; games are counted from 1 there."""
    return f"game-{k + 1:04}"


def _outcome(room: CatanRoom, k: int, agents: tuple[int, ...]) -> Outcome:
    seat_of = {agent: seat for seat, agent in enumerate(agents)}
    by_agent = [seat_of[agent] for agent in range(len(agents))]
    return Outcome(
        game=k + 1,
        seed=room.game.seed,
        seats=agents,
        winner=None if room.winner is None else agents[room.winner],
        points=tuple(room.game.points(seat) for seat in by_agent),
        turns=room.game.turn,
        kicks=tuple(Kick(agents[seat], seat, turn, why) for seat, turn, why in room.kicks),
        state=sha256(room.game.state_bytes()).hexdigest(),
        decision_times=tuple(tuple(room.decision_times[seat]) for seat in by_agent),
    )


async def play_all(
    tournament: Tournament,
    games: int,
    port: int,
    jobs: int,
    tell: Callable[[Outcome], None],
) -> list[Outcome]:
    """Play games 0..games-1, `jobs` at once, and `tell` of each when it is over.

    One at a time they are played at `port`, several at ports of their own. Outcomes come in the
    order of their numbers.
    """
    with listening(tournament.host, port, min(jobs, games)) as listeners:
        return await play_at(listeners, tournament, games, tell)


@contextmanager
def listening(host: str, port: int, count: int) -> Iterator[list[socket.socket]]:
    """So many listening sockets: one at `port`, several at any that are free."""
    with ExitStack() as stack:
        yield [stack.enter_context(listen(host, port if count == 1 else 0)) for _ in range(count)]


async def play_at(
    listeners: Sequence[socket.socket],
    tournament: Tournament,
    games: int,
    tell: Callable[[Outcome], None],
) -> list[Outcome]:
    """As `play_all`, a game at a time at each of the listeners."""
    numbers = iter(range(games))
    outcomes: dict[int, Outcome] = {}

    async def play_on(listener: socket.socket) -> None:
        for k in numbers:
            outcomes[k] = await play(tournament, k, listener)
            tell(outcomes[k])

    async with asyncio.TaskGroup() as group:
        for listener in listeners:
            group.create_task(play_on(listener))
    return [outcomes[k] for k in sorted(outcomes)]


__all__ = ["WAIT", "Kick", "Outcome", "Tournament", "listening", "play", "play_all", "play_at"]
