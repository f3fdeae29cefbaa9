"""What was chosen in games side by side, and how long it took."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from catan_env.arena.league.moves import LEAVE, squeezed
from catan_env.arena.league.result import Clock

Array = np.ndarray[Any, Any]

WIDTH = 512
"""Choices of a game that there is room for at first."""


class History:
    """The choices of n games, in their order, and the times of their seats.

    >>> history = History(2, seats=2)
    >>> history.note(np.array([1]), np.array([0]), np.array([52]), 0.25)
    >>> history.clocks()[1][0]
    Clock(asked=1, spent=0.25, slowest=0.25, late=0)
    """

    def __init__(self, games: int, seats: int) -> None:
        self.words = np.zeros((games, WIDTH), np.uint16)
        """Flat indices, or codes of `moves`."""
        self.played = np.zeros(games, np.int64)
        """How many words each game has."""
        self.asked = np.zeros((games, seats), np.int64)
        """Decisions by game and seat; what `timed` times adds to it."""
        self._spent = np.zeros((games, seats))
        self._slowest = np.zeros((games, seats))

    def note(self, rows: Array, seats: Array, actions: Array, seconds: float) -> None:
        """One decision in each of the games `rows`, by these seats; `seconds` of each."""
        self._make_room()
        self.words[rows, self.played[rows]] = actions.astype(np.uint16)
        self.played[rows] += 1
        self.asked[rows, seats] += 1
        self._spent[rows, seats] += seconds
        self._slowest[rows, seats] = np.maximum(self._slowest[rows, seats], seconds)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time whoever writes `words`, `played` and `asked` itself: all its decisions alike."""
        self._make_room()
        before, begun = self.asked.copy(), perf_counter()
        yield
        seconds, made = perf_counter() - begun, self.asked - before
        each = seconds / max(1, int(made.sum()))
        self._spent += made * each
        self._slowest[made > 0] = np.maximum(self._slowest[made > 0], each)

    def take_back(self, game: int) -> None:
        """The last choice of a game was refused."""
        self.played[game] -= 1

    def leave(self, game: int, seat: int) -> None:
        """A seat leaves the table."""
        self._make_room()
        self.words[game, self.played[game]] = LEAVE + seat
        self.played[game] += 1

    def _make_room(self) -> None:
        if self.played.max() == self.words.shape[1]:
            self.words = np.concatenate([self.words, np.zeros_like(self.words)], axis=1)

    def records(self) -> list[bytes]:
        """Each game's choices, as they are kept."""
        return [squeezed(row[:n]) for row, n in zip(self.words, self.played.tolist(), strict=True)]

    def clocks(self) -> list[tuple[Clock, ...]]:
        """By game and seat."""
        numbers = (self.asked.tolist(), self._spent.tolist(), self._slowest.tolist())
        return [tuple(map(Clock, *of_game)) for of_game in zip(*numbers, strict=True)]
