"""The current state of a game over a protocol, reported by a worker at intervals."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.moves import Packer
from catan_env.arena.outcome import Outcome
from catan_env.game.game import Game

EVERY = 2.0
"""Seconds between two checks of a game."""


class Snapshot(NamedTuple):
    """The current state of a game that is being played."""

    meeting: Meeting
    names: tuple[str, ...]
    """By seat."""
    moves: bytes
    """The choices so far, in the form of a record."""


class ProgressReporter:
    """A `games.Observer` that reports the state of a meeting.

    `begun` is the meeting before its first choice.
    """

    def __init__(self, meeting: Meeting, begun: Game, say: Callable[[Snapshot], object]) -> None:
        self._meeting, self._packer, self._say = meeting, Packer(begun), say
        self._telling: asyncio.Task[None] | None = None

    def begin(self, number: int, game: Game, names: Sequence[str], played: Any) -> None:
        """Handle the start of the game; `played.game` is its current position."""
        self._telling = asyncio.create_task(self._tell(tuple(names), played))

    def end(self, number: int, outcome: Outcome | None = None) -> None:
        """Handle its end."""
        if self._telling is not None:
            self._telling.cancel()

    async def _tell(self, names: tuple[str, ...], played: Any) -> None:
        while True:
            self._say(Snapshot(self._meeting, names, self._packer.pack(played.game)))
            await asyncio.sleep(EVERY)
