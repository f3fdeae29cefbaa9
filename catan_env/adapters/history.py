"""Everything chosen in games that are played in parallel, and how long it took."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

WIDTH = 512
"""Actions of a game that there is room for at first."""


class History:
    """The actions chosen in n games, in their order, and the times of their seats.

    >>> history = History(2, seats=2)
    >>> history.note(np.array([1]), np.array([0]), np.array([52]), 0.25)
    >>> history.decisions.tolist(), history.spent.tolist()
    ([[0, 0], [1, 0]], [[0.0, 0.0], [0.25, 0.0]])
    """

    def __init__(self, games: int, seats: int) -> None:
        self.actions = np.zeros((games, WIDTH), np.uint16)
        """Flat indices: (games, width) uint16."""
        self.lengths = np.zeros(games, np.int64)
        """The number of actions of each game."""
        self.decisions = np.zeros((games, seats), np.int64)
        """Decisions by game and seat."""
        self.spent = np.zeros((games, seats))
        """Seconds of all decisions."""
        self.slowest = np.zeros((games, seats))
        """Seconds of the slowest."""

    def note(self, rows: Array, seats: Array, actions: Array, seconds: float) -> None:
        """One decision in each of the games `rows`, by these seats; `seconds` of each."""
        self.make_room()
        self.actions[rows, self.lengths[rows]] = actions
        self.lengths[rows] += 1
        self.decisions[rows, seats] += 1
        self.spent[rows, seats] += seconds
        self.slowest[rows, seats] = np.maximum(self.slowest[rows, seats], seconds)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time code that fills the first three arrays itself, by the mean decision."""
        self.make_room()
        before, begun = self.decisions.copy(), perf_counter()
        yield
        seconds, made = perf_counter() - begun, self.decisions - before
        each = seconds / max(1, int(made.sum()))
        self.spent += made * each
        self.slowest[made > 0] = np.maximum(self.slowest[made > 0], each)

    def make_room(self) -> None:
        """Let every game have at least one action more."""
        if self.lengths.max() == self.actions.shape[1]:
            self.actions = np.concatenate([self.actions, np.zeros_like(self.actions)], axis=1)
