"""What a teacher would choose where the learner decides, to be learned beside what pays.

A teacher is a function of a batch and a number k: it gives the k best actions of each game and
what they are worth, (n, k) each, the best first, as `catan_env.policies.greedy.rank` does.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.training.demonstrations import shares_of

Array = np.ndarray[Any, Any]
CHOICES = 6
"""How many of a teacher's actions are learned from."""
Rank = Callable[[Any, int], tuple[Array, Array]]


class Teacher:
    """Gives each of its best actions a share of the choice, by exp(worth / temperature)."""

    def __init__(self, rank: Rank, temperature: float) -> None:
        self.rank, self.temperature = rank, temperature

    def choices(self, batch: Any, rows: Array) -> tuple[Array, Array]:
        """For the games `rows`, (k,): actions and their shares, (k, CHOICES) int64 and float32.

        An action with no share may be any. Other games cost no time: for them the mask is empty.
        """
        masks = batch.masks.copy()
        batch.masks[:] = 0
        batch.masks[rows] = masks[rows]
        actions, values = self.rank(batch, CHOICES)
        batch.masks[:] = masks
        shares = shares_of(actions[rows], values[rows], self.temperature)
        return np.maximum(actions[rows], 0), shares
