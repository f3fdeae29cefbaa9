"""The decisions of a rollout in their order, and their advantages.

Each seat's decisions are a separate stream: a decision is followed by the same seat's next one.
"""

from typing import Any

import numpy as np

from catan_env.training.decisions import OPEN, Decisions

Array = np.ndarray[Any, Any]


class RolloutBuffer:
    """Decisions in the order in which they were made; the first `n` rows are in use."""

    def __init__(self, capacity: int, features_dtype: Any, **widths: int) -> None:
        self.n = 0
        self.starts: list[int] = []
        """Where each step of the batch begins; no seat decides twice within one."""
        self.rows = Decisions.empty(capacity, features_dtype, **widths)

    def carry_over(self) -> None:
        """Move the decisions that nothing follows yet to the front, and drop the rest."""
        kept = np.flatnonzero(self.rows.next[: self.n] == OPEN)
        for one in self.rows.columns():
            one[: len(kept)] = one[kept]
        self.n, self.starts = len(kept), [0]

    def advantages(self, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
        """The advantage and the one-step error of every decision: (n,) float32 each.

        Generalized advantage estimation along each seat's decisions (Schulman et al., 2016), over
        rewards and the rise of the potential, which is taken back at the end of a game. The control
        variate's part is in the error and not in the advantage. Where nothing follows yet both are
        meaningless.
        """
        n, rows = self.n, self.rows
        advantages = np.zeros(n + 1, np.float32)  # the last for what has no successor
        errors = np.zeros(n, np.float32)
        chance = (rows.chance_values[:n] * rows.chance_residuals[:n]).sum(axis=1)
        values = np.append(rows.values[:n], np.float32(0))
        potentials = np.append(rows.potentials[:n], np.float32(0))
        following = np.where(rows.next[:n] < 0, n, rows.next[:n])
        for start, stop in zip(self.starts[::-1], [n, *self.starts[:0:-1]], strict=True):
            then = following[start:stop]
            rise = gamma * potentials[then] - potentials[start:stop]
            error = rows.rewards[start:stop] + rise + gamma * values[then] - values[start:stop]
            errors[start:stop] = error
            following_advantages = gamma * gae_lambda * advantages[then]
            advantages[start:stop] = error - chance[start:stop] + following_advantages
            advantages[start:stop][rows.next[start:stop] == OPEN] = 0
        return advantages[:n], errors

    def has_finished(self) -> bool:
        """True if something follows a decision."""
        return bool((self.rows.next[: self.n] != OPEN).any())

    def finished(self, gamma: float, gae_lambda: float) -> Decisions:
        """A copy of the decisions that something follows, with their advantages."""
        n = self.n
        self.rows.advantages[:n], self.rows.td_errors[:n] = self.advantages(gamma, gae_lambda)
        done = np.flatnonzero(self.rows.next[:n] != OPEN)
        return self.rows.take(done)
