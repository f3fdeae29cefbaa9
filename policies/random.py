"""A policy that plays anything legal."""

from __future__ import annotations

from random import Random as Generator
from typing import Any

import numpy as np

from catan_env import SeatView


class Random:
    """Draws from the legal actions, each as likely as the others.

    >>> from catan_env import Game
    >>> Random(seed=1).act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self._generator = Generator(seed)
        self._draw = np.random.default_rng(seed)

    def act(self, view: SeatView) -> int:
        """A flat index that is legal."""
        indices = np.flatnonzero(view.action_mask)
        return int(indices[self._generator.randrange(len(indices))])

    def act_batch(self, observations: Any, masks: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        """One action for each row of (n, OBSERVATION_SIZE) observations and (n, 848) masks."""
        drawn = self._draw.random(np.shape(masks))
        chosen: np.ndarray[Any, np.dtype[np.int64]]
        chosen = np.where(np.asarray(masks) == 1, drawn, -1.0).argmax(axis=1)
        return chosen
