"""A policy that plays random legal actions."""

from __future__ import annotations

from random import Random as Generator

import numpy as np

from catan_env import SeatView
from catan_env.policies.players import Drawn


class Random:
    """Draws uniformly from the legal actions.

    >>> from catan_env import Game
    >>> Random(seed=1).act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self._generator, self._seed = Generator(seed), seed

    def batched(self) -> Drawn:
        """The same policy for many games in one call."""
        return Drawn(self._seed)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        indices = np.flatnonzero(view.action_mask)
        return int(indices[self._generator.randrange(len(indices))])
