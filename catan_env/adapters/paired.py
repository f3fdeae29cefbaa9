"""Comparing actions by their scores in the same worlds.

Scores are of shape (worlds, actions). An action that was dropped has none in later worlds: its
column is compared no more.
"""

from math import inf, sqrt
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


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
