"""Comparing actions by their scores in the same worlds.

Scores are of shape (worlds, actions). An action that was dropped has none in later worlds: its
column is compared no more.
"""

from collections.abc import Callable
from math import inf, sqrt
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


def check_budget(playouts: int, seconds: float | None) -> None:
    """Raise ValueError for no playout, and for seconds that are negative or NaN."""
    if playouts < 1:
        raise ValueError(f"playouts is {playouts}; at least 1 is needed")
    if seconds is not None and not seconds >= 0:  # NaN is refused as well
        raise ValueError(f"seconds is {seconds}; must be 0 or more")


class Race(NamedTuple):
    """A comparison of actions in more and more worlds, which drops hopeless actions."""

    worlds: int
    """Drawn at a time; after each batch hopeless actions are dropped."""
    dropped: float
    """Standard errors below the best action."""
    clearly: float
    """Standard errors above the usual action."""

    def best_of(
        self, count: int, usual: int, play: Callable[[Array, int], Array],
        playouts: int, seconds: float | None,
    ) -> int:  # fmt: skip
        """The number of the best of `count` actions, or the usual one unless one is clearly better.

        `play(alive, played)` gives the scores of the actions `alive`, (k,), in the next worlds:
        (worlds, k). There are at most that many playouts, and about `seconds` of time.
        """
        end = inf if seconds is None else perf_counter() + seconds
        scores, alive, played = np.zeros((0, count)), np.arange(count), 0
        while len(alive) > 1 and played + self.worlds * len(alive) <= playouts:
            some = np.zeros((self.worlds, count))
            some[:, alive] = play(alive, played)
            scores = np.concatenate([scores, some])
            played += self.worlds * len(alive)
            alive = promising(scores, alive, self.dropped)
            if perf_counter() > end:
                break
        return choice(scores, alive, usual, self.clearly)


def lead(scores: Array, one: int, other: int) -> float:
    """The lead of one action over another in standard errors; infinite if it never varies.

    >>> lead(np.array([[1, 0], [1, 1], [1, 0], [1, 1]]), 0, 1)
    2.0
    """
    difference = scores[:, one].astype(np.float64) - scores[:, other]
    mean, error = float(difference.mean()), float(difference.std()) / sqrt(len(difference))
    if error:
        return mean / error
    return inf * mean if mean else 0.0


def promising(scores: Array, alive: Array, dropped: float) -> Array:
    """Those of the actions `alive` that are less than `dropped` errors behind the best one."""
    best = _best(scores, alive)
    return np.array([k for k in alive if lead(scores, best, k) < dropped])


def choice(scores: Array, alive: Array, usual: int, clearly: float) -> int:
    """The best of the actions `alive`, or the usual one if the best is not `clearly` ahead of it.

    `clearly` is in standard errors. Without any scores it is the usual one.
    """
    if not len(scores):
        return usual
    best = _best(scores, alive)
    return usual if usual in alive and lead(scores, best, usual) < clearly else best


def _best(scores: Array, alive: Array) -> int:
    return int(alive[scores[:, alive].mean(0).argmax()])
