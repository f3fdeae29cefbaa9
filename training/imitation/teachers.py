"""Teachers: policies whose choices a network imitates, alone or besides its own reward.

A teacher is a function of a batch and a number k: it returns the k best actions of each game and
their values, (n, k) each, the best first, STAY where there are fewer, as
`catan_env.policies.greedy.rank` does.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.adapters.masks import only
from catan_env.batch import STAY

Array = np.ndarray[Any, Any]
CHOICES = 6
"""The number of a teacher's actions that self-play learns from."""
Rank = Callable[[Any, int], tuple[Array, Array]]


class Teacher:
    """A policy over the best actions of a ranking, proportional to exp(value / temperature)."""

    def __init__(self, rank: Rank, temperature: float) -> None:
        self.rank, self.temperature = rank, temperature

    def choices(self, batch: Any, rows: Array) -> tuple[Array, Array]:
        """For the games `rows`, (k,): actions and their probabilities, (k, CHOICES) int64, float32.

        An action of probability 0 may be any. Other games cost no time: their mask is empty.
        ValueError if a value is not a number.
        """
        with only(batch, rows):
            actions, values = self.rank(batch, CHOICES)
        probs = probs_of(actions[rows], values[rows], self.temperature)
        if not np.isfinite(probs).all():
            raise ValueError("a value of the teacher is not a finite number")
        return np.maximum(actions[rows], 0), probs


def probs_of(actions: Array, values: Array, temperature: float) -> Array:
    """The softmax of values / temperature over each row: (n, k) float32; 0 for STAY.

    >>> probs_of(np.array([[9, 4, STAY]]), np.array([[-2e6, -2e6, 0.0]]), 0.5).tolist()
    [[0.5, 0.5, 0.0]]
    """
    less = np.where(actions == STAY, np.inf, values[:, :1] - values)
    probs = np.exp(-less / temperature)
    result: Array = (probs / probs.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
