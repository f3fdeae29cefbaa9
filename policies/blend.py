"""Two networks together: one saw played games, the other what the moves of a decision lead to."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env import SeatView
from catan_env.kernel.lockstep import STAY
from catan_env.policies.network import Network
from catan_env.policies.rerank import RerankNetwork, doors
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.value.doors import rank_actions
from catan_env.policies.value.evaluation import WON
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import log_odds_of, weights_for

Array = np.ndarray[Any, Any]

SHARE = 0.03
"""The log odds that one unit of its log probability counts as."""
LEAST = -12.0
"""A log probability below which a move is as unlikely as can be."""
NEAREST = 1e-9
"""The least difference of a win probability from 0 and 1."""


class Blend:
    """Plays the move that two networks of the same kind of table prefer together.

    Of `greedy`'s six best moves it plays the one with the highest sum of the log odds of winning by
    `reranker` and SHARE times the log probability of `network`. It makes no random choices. Tables
    of another kind than the reranker's are refused with a ValueError.
    """

    def __init__(self, network: Network, reranker: RerankNetwork) -> None:
        ensure_reranker()
        self._network, self._reranker = network, reranker
        self._memory = reranker.memory()[1:]
        self._weights, self._scratch = row(weights_for(reranker.seats)), Scratch()

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        return self.act_many([view])[0]

    def act_many(self, views: Sequence[SeatView]) -> list[int]:
        """A legal action for each view, whose observations pass the network together."""
        ranked = [self._valued(view) for view in views]
        chosen = [int(moves[0]) for moves, _ in ranked]
        open_ones = [k for k, (moves, values) in enumerate(ranked) if is_open(moves, values)]
        if open_ones:
            logs = self._log_probabilities([views[k] for k in open_ones])
            for k, likely in zip(open_ones, logs, strict=True):
                moves, values = ranked[k]
                ratings = self._log_odds_after(views[k], moves, values) + SHARE * likely[moves]
                chosen[k] = int(moves[ratings.argmax()])
        return chosen

    def _valued(self, view: SeatView) -> tuple[Array, Array]:
        """The most valuable moves and their values, the best first: (k,) each."""
        self._reranker.check(view.seats, view.rules.player_trade)
        moves = np.zeros((1, doors.CANDIDATES), np.int64)
        values = np.zeros((1, doors.CANDIDATES))
        rank_actions(view._states, self._weights, *self._scratch.memory, moves, values, 0, 1)
        there = moves != STAY
        return moves[there], values[there]

    def _log_probabilities(self, views: Sequence[SeatView]) -> Array:
        """Of every action by the network of observations, at least LEAST: (n, 848)."""
        version = self._network.observation_version
        seen = np.stack([view.observe(view.viewer, version) for view in views])
        outputs = self._network.outputs(seen).astype(np.float64)
        outputs[np.stack([view.action_mask for view in views]) == 0] = -np.inf
        outputs -= outputs.max(axis=1, keepdims=True)
        logs: Array = outputs - np.log(np.exp(outputs).sum(axis=1, keepdims=True))
        return np.maximum(logs, LEAST)

    def _log_odds_after(self, view: SeatView, moves: Array, values: Array) -> Array:
        """The log odds of winning after each of the moves by the reranker: (k,)."""
        wins = np.zeros(len(moves))
        places = self._weights, self._scratch.tries, self._scratch.vertex_scores
        arrays = row(moves), row(log_odds_of(values, view.seats)), row(wins)
        doors.rate_siblings(view._states, 0, *arrays, *self._memory, *places)
        wins = np.clip(wins, NEAREST, 1 - NEAREST)
        log_odds: Array = np.log(wins) - np.log1p(-wins)
        return log_odds


def is_open(moves: Array, values: Array) -> bool:
    """True unless there is one move, or one that wins."""
    return len(moves) > 1 and bool(values[0] < WON)
