"""Games between agents' processes, over the server of a protocol."""

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from catan_env.arena.commands import WAIT, words_of
from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.sandbox import LONGEST_END, LONGEST_LINE, Agent, Limits
from catan_env.arena.seating import GameRoom
from catan_env.arena.together import together
from catan_env.arena.tournament import Tournament
from catan_env.game.game import Game
from catan_env.net.serve import listen
from catan_env.notation.files import write_game
from catan_env.protocols.catan_binary.agent import DIALECT
from catan_env.terminal import printable

LOOK_EVERY = 0.02
"""Seconds between two checks of agents that are exiting."""
LEAVING = 2.0
"""Seconds in which a keeper ends its agent, if no caller waits for its report."""


class Observer(Protocol):
    """An observer of a contest's games; game numbers start at 1 here."""

    def begin(self, number: int, game: Game, names: Sequence[str], played: Any) -> None:
        """Handle the start of a game; `played.game` is its current position."""

    def end(self, number: int, outcome: Outcome | None = None) -> None:
        """Handle the end of a game."""


class Playing(NamedTuple):
    """A game that is being played."""

    tournament: Tournament
    k: int
    """Its number, from 0."""
    slot: int
    """Counts the games that are played in parallel: their agents get different processors."""
    agents: tuple[int, ...]
    """The agent that is started for each seat."""


async def play(
    tournament: Tournament, k: int, port: int = 0, observer: Observer | None = None, slot: int = 0
) -> Outcome:
    """Play game number k at a port of this machine, 0 for any free one.

    `slot` counts the games that are played in parallel: their agents get different processors.
    """
    outcome, game = await play_game(tournament, k, port, observer, slot)
    folder = tournament.record_dir or tournament.log_dir
    if folder is not None:
        write_game(folder, game, [tournament.names[agent] for agent in outcome.seats], stem(k))
    return outcome


async def play_game(
    tournament: Tournament, k: int, port: int = 0, observer: Observer | None = None, slot: int = 0
) -> tuple[Outcome, Game]:
    """Like `play`, but returns the outcome and the game, and saves nothing."""
    game = tournament.new_game(k)
    playing = Playing(tournament, k, slot, tournament.agents_by_seat(k))
    with closing(listen(tournament.host, port)) as listener:
        async with leaving_together() as started:
            seating = tournament.seating(game, partial(_start, playing, listener, started))
            async with announced(playing, seating.room, observer):
                await seating.play(listener)
    room = seating.room
    seats = tournament.agents_at(room, playing.agents)
    outcome = _outcome(room, k, seats, tournament.max_turns)
    if observer is not None:
        observer.end(k + 1, outcome)
    return outcome, room.game


@asynccontextmanager
async def announced(
    playing: Playing, room: GameRoom, observer: Observer | None
) -> AsyncIterator[None]:
    """Announce the game to the observer at its first event: by then the seats are assigned."""
    begun, before = room.game.copy(), len(room.game.events)

    async def announce(observer: Observer) -> None:
        while len(room.game.events) == before:
            await asyncio.sleep(LOOK_EVERY)
        tournament, agents = playing.tournament, playing.agents
        names = [tournament.names[agent] for agent in tournament.agents_at(room, agents)]
        observer.begin(playing.k + 1, begun, names, room)

    async with together() as group:
        announcing = None if observer is None else group.create_task(announce(observer))
        yield
        if announcing is not None:
            announcing.cancel()


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
    playing: Playing, listener: socket.socket, started: list[Agent], seat: int
) -> Agent | None:
    """Start an agent's process; a `seating.Start`. OSError if that is impossible."""
    tournament, k, slot, agents = playing
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
    said = {DIALECT: "announced" if settings.announced else "literal"}
    try:
        sandbox = tournament.sandbox_of(agents[seat])
        started.append(sandbox.start(words, port, limits, out, err, first, said))
    except OSError as error:
        reason = f"cannot start the agent of seat {seat}: {error.strerror or error}"
        raise OSError(f"game {k + 1}: {reason}") from None
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
    observer: Observer | None = None,
) -> list[Outcome]:
    """Play games 0..games-1, `workers` in parallel; returns the outcomes by the games' numbers.

    `take` is called with each when it has ended. Each game has a separate listening socket: at
    `port` if one is played at a time, else at any free one.
    """
    numbers = iter(range(games))
    outcomes: dict[int, Outcome] = {}

    async def play_on(slot: int) -> None:
        for k in numbers:
            outcomes[k] = await play(tournament, k, port if workers == 1 else 0, observer, slot)
            take(outcomes[k])

    async with together() as group:
        for slot in range(min(workers, games)):
            group.create_task(play_on(slot))
    return [outcomes[k] for k in sorted(outcomes)]
