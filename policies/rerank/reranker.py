"""The policy: `greedy`'s best moves, reordered by a network."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env import SeatView
from catan_env.adapters.masks import only
from catan_env.batch import Batch
from catan_env.kernel.compiled import ensure_compiled
from catan_env.policies.rerank import doors
from catan_env.policies.rerank.features import FEATURES
from catan_env.policies.rerank.network import RerankNetwork
from catan_env.policies.value.compiled import ensure_value, sample_game
from catan_env.policies.value.scratch import Scratch, row, rows
from catan_env.policies.value.weights import weights_for

Array = np.ndarray[Any, Any]


class Reranker:
    """Plays the one of `greedy`'s six best moves that the network in a weights file prefers.

    It makes no random choices. Tables of another kind than the network's are refused with a
    ValueError.
    """

    def __init__(self, weights: str | Path) -> None:
        ensure_reranker()
        self._network = RerankNetwork(weights)
        self._memory = (*self._network.memory(), row(weights_for(self._network.seats)))
        self._scratch = Scratch()
        self._action = np.zeros(1, np.int64)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        self._network.check(view.seats, view.rules.player_trade)
        memory = *self._memory, *self._scratch.memory
        doors.choose_reranked(view._states, *memory, row(self._action), 0, 1)
        return int(self._action[0])

    def batched(self) -> Reranked:
        """The same policy for many games in one call."""
        return Reranked(self._network)


class Reranked:
    """A `Reranker` for the games of a batch."""

    reads_arrays = False

    def __init__(self, network: RerankNetwork) -> None:
        self._network = network

    def choose(self, batch: Batch, rows: Array) -> Array:
        """One action for each of the rows, whose acting seats see their own cards only: (k,)."""
        self._network.check(batch.seats, batch.rules.player_trade)
        actions = np.zeros(batch.num_games, np.int64)
        with only(batch, rows):
            batch.run(self._choose_some, actions)
        return actions[rows]

    def _choose_some(self, games: Any, actions: Array, start: int, stop: int) -> None:
        seats = self._network.seats
        memory = *self._network.memory(), row(weights_for(seats)), *Scratch().memory
        doors.choose_reranked(games, *memory, row(actions), start, stop)


def sample_network() -> tuple[Any, ...]:
    """A network of two units without weights, with its memory, in the order that doors take."""
    arrays = np.zeros(3), np.zeros((FEATURES + 1, 2)), np.zeros(3), np.zeros(2)
    return tuple(map(row, (*arrays, np.zeros(FEATURES), np.zeros(FEATURES))))


def open_reranker() -> None:
    """Compile the doors, each called once on its own game."""
    states, weights, scratch = sample_game(), row(weights_for(2)), Scratch()
    network, places = sample_network(), (scratch.tries, scratch.vertex_scores)
    actions = row(np.zeros(1, np.int64))
    doors.choose_reranked(states, *network, weights, *scratch.memory, actions, 0, 1)
    siblings, log_odds, wins = row(np.full(1, 52, np.int64)), row(np.zeros(1)), row(np.zeros(1))
    doors.write_siblings(
        states, 0, siblings, log_odds, weights, *places, rows([np.zeros(FEATURES)])
    )
    doors.rate_siblings(states, 0, siblings, log_odds, wins, *network[1:], weights, *places)


@cache
def ensure_reranker() -> None:
    """Compile the reranker unless this machine has done so."""
    ensure_value()
    ensure_compiled("reranker", open_reranker, Path(__file__).parent)
