"""Q-values of candidate actions by playouts of `greedy`, for many games one after the other.

As in `search`, each candidate is played in the same few worlds that the seat cannot distinguish
from the real one, and a small network estimates the probability of winning where a playout ends.
"""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.doors import redact
from catan_env.core.state import doorway, new_states
from catan_env.policies.search import playouts
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork

Array = np.ndarray[Any, Any]


class Playouts:
    """Plays `candidates` in `worlds` worlds each, until `turns` turns have ended.

    The current turn is the first; 0: until every seat had two, as `search` does.
    """

    def __init__(
        self, batch: Batch, candidates: int, worlds: int, seed: int, turns: int = 0
    ) -> None:
        ensure_search()
        self.candidates, self.worlds = candidates, worlds
        self._turns = turns or playouts.SHORT * batch.seats
        self._random = np.random.default_rng(seed)
        self._worlds = doorway(new_states(playouts.WORLDS))
        weights, scratch = row(weights_for(batch.seats)), Scratch()
        self._memory = *WinNetwork(batch.seats).memory, weights, *scratch.memory

    def q_values(self, states: Array, seats: Array, actions: Array) -> Array:
        """Probabilities of winning after `actions`, (k, candidates), of `seats` in `states`, (k,).

        (k, candidates) float32. A row may repeat its first action after the others.
        """
        views = doorway(states.copy())
        words = self._random.integers(1 << 63, size=len(states))
        sums = np.zeros(actions.shape)
        for i, seat in enumerate(seats.tolist()):
            redact(views, i, seat)
            others = int((actions[i, 1:] != actions[i, 0]).sum())
            tried = row(actions[i]), 1 + others, row(sums[i])
            when = int(words[i]), 0, self.worlds, self._turns
            playouts.try_candidates(views[i : i + 1], self._worlds, *tried, *when, *self._memory)
            sums[i, 1 + others :] = sums[i, 0]
        mean: Array = (sums / self.worlds).astype(np.float32)
        return mean
