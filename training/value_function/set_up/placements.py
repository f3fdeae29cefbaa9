"""Settlements of the set-up that were played on: what the network learns from."""

from typing import Any, NamedTuple

import numpy as np

from catan_env.batch import STAY, Batch
from catan_env.core.constants import PLACE_ROAD, PLACE_SETTLEMENT
from catan_env.core.doors import redact
from catan_env.core.state import doorway, new_states
from catan_env.policies.greedy import rank
from catan_env.policies.search import playouts
from catan_env.policies.search.search import ensure_search
from catan_env.policies.set_up import doors
from catan_env.policies.set_up.set_up import CANDIDATES, ensure_set_up
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork, num_features

Array = np.ndarray[Any, Any]
STRAYS = 0.15
"""The fraction of settlements placed at random among the candidates."""
STRONG = 0.5
"""The fraction of seats that settle where their playouts win most often; others play `greedy`."""


class Placements(NamedTuple):
    """The candidates of n settlements, the most valuable first."""

    inputs: Array
    """(n, CANDIDATES, num_features) float16: of the position in which the set-up would end."""
    wins: Array
    """(n, CANDIDATES) float32: the mean win probability where the game was played on.

    It is NaN where there are fewer candidates.
    """


class Labels:
    """Plays settlements on, by `greedy` at every seat, with the same dice for all candidates."""

    def __init__(self, seats: int, worlds: int, rounds: int) -> None:
        ensure_search()
        ensure_set_up()
        self._ends, self._worlds = doorway(new_states(1)), doorway(new_states(playouts.WORLDS))
        self._net, self.features, self._hidden = WinNetwork(seats).memory
        self._memory = row(weights_for(seats)), *Scratch().memory
        self._of_worlds, self._turns, self._count = (0, worlds), rounds * seats, worlds

    def label(self, state: Array, moves: Array, word: int) -> tuple[Array, Array]:
        """The inputs, (k, num_features), and win probabilities, (k,), of settlements."""
        seen = state.copy()
        view, sums = doorway(seen), np.zeros(len(moves))
        redact(view, 0, int(state["seat"][0]))
        leaf = self._net, self.features, self._hidden, *self._memory
        tried = row(moves), len(moves), row(sums), word, *self._of_worlds, self._turns
        playouts.try_candidates(view, self._worlds, *tried, *leaf)
        inputs = np.stack([self._inputs(view, move) for move in moves.reshape(-1, 1)])
        return inputs, sums / self._count

    def _inputs(self, view: Any, move: Array) -> Array:
        leaf = self._net, self.features, self._hidden, *self._memory
        doors.rate_placements(view, 0, self._ends, row(move), row(np.zeros(1)), 1, 0, *leaf)
        return np.array(self.features)


def placements(labels: Labels, batch: Batch, wanted: int, draw: np.random.Generator) -> Placements:
    """That many settlements, labelled, of games of the batch; each is played for its set-up."""
    shape = wanted, CANDIDATES
    inputs = np.zeros((*shape, num_features(batch.seats)), np.float16)
    found, count = Placements(inputs, np.full(shape, np.nan, np.float32)), 0
    while True:
        batch.reset(int(draw.integers(1 << 30)))
        strong = draw.random((batch.num_games, batch.seats)) < STRONG
        while (phases := batch.states["phase"]).max() <= PLACE_ROAD:
            moves = rank(batch, CANDIDATES)[0]
            chosen = moves[:, 0].copy()
            for i in np.flatnonzero(phases == PLACE_SETTLEMENT).tolist():
                if count == wanted:
                    return found
                k, word = int((moves[i] != STAY).sum()), int(draw.integers(1 << 62))
                inputs, wins = labels.label(batch.states[i : i + 1], moves[i, :k].copy(), word)
                found.inputs[count, :k], found.wins[count, :k] = inputs, wins
                count += 1
                if strong[i, int(batch.seat[i])]:
                    chosen[i] = moves[i, wins.argmax()]
                if draw.random() < STRAYS:
                    chosen[i] = moves[i, draw.integers(k)]
            batch.play(chosen)
