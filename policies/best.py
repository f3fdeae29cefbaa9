"""The strongest policy shipped with the package that decides without a search, by kind of table."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.policies import HasBatchedForm
from catan_env.batch import Batch
from catan_env.core.constants import PLACE_SETTLEMENT
from catan_env.game.view import SeatView
from catan_env.policies.blend import Blend
from catan_env.policies.network import Network
from catan_env.policies.rerank import RerankNetwork, shipped
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.rerank.shipped import WEIGHTS
from catan_env.policies.set_up import SetUp, WithSetUp
from catan_env.policies.set_up.network import network_for
from catan_env.policy import Policy, load_policy

NETWORKS = {(2, False): "duel", (2, True): "two", (3, True): "four", (4, True): "four"}
"""The network's weights file for a number of seats that do not trade with each other, or do."""
RERANKERS = {(2, False): "rerank_duel", **shipped.FILES}
"""The weights file of the reranker, likewise."""
Array = np.ndarray[Any, Any]


class Best:
    """Plays what two networks prefer together, or one alone where both do not win more often.

    Another network places the first settlements where this wins more. It makes no random choices,
    so the seed has no effect. Its results are in docs/research/value_function.md.

    >>> from catan_env import Game
    >>> Best().act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        ensure_reranker()
        self._tables: dict[tuple[int, bool], Policy] = {}

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        return self._at(view.seats, view.rules.player_trade).act(view)

    def batched(self) -> "BestOfBatch":
        """The same policy for many games in one call."""
        return BestOfBatch(self._at)

    def _at(self, seats: int, player_trade: bool) -> Policy:
        table = seats, player_trade
        if table not in self._tables:
            self._tables[table] = policy_at(*table)
        return self._tables[table]


class BestOfBatch:
    """`Best` for the games of a batch."""

    reads_arrays = False

    def __init__(self, policy_at: Callable[[int, bool], Policy]) -> None:
        self._policy_at = policy_at

    def choose(self, batch: Batch, rows: Array) -> Array:
        """One action for each of the rows, whose acting seats see their own cards only: (k,)."""
        policy = self._policy_at(batch.seats, batch.rules.player_trade)
        if not isinstance(policy, WithSetUp):
            return _chosen(policy, batch, rows)
        chosen = np.zeros(len(rows), np.int64)
        placing = batch.states["phase"][rows] == PLACE_SETTLEMENT
        for some, chooser in ((placing, policy.set_up), (~placing, policy.policy)):
            chosen[some] = _chosen(chooser, batch, rows[some])
        return chosen


def _chosen(policy: Policy, batch: Batch, rows: Array) -> Array:
    """A policy's actions for the acting seats in the games `rows`: (k,) int64."""
    if isinstance(policy, HasBatchedForm):
        return policy.batched().choose(batch, rows)
    seats = batch.seat[rows].tolist()
    views = [batch.view(i, seat) for i, seat in zip(rows.tolist(), seats, strict=True)]
    if isinstance(policy, Blend):
        return np.array(policy.act_many(views), np.int64)
    return np.array([policy.act(view) for view in views], np.int64)


def policy_at(seats: int, player_trade: bool) -> Policy:
    """The policy of a number of seats that do not trade with each other, or do."""
    first, *second = files_for(seats, player_trade)
    policy = Blend(Network(first), RerankNetwork(second[0])) if second else load_policy(str(first))
    network = network_for(seats, player_trade)
    return policy if network is None else WithSetUp(SetUp(network), policy)


def files_for(seats: int, player_trade: bool) -> list[Path]:
    """The weights files after the set-up: of the network, of the reranker, or of both in order."""
    table = seats, player_trade
    names = [names[table] for names in (NETWORKS, RERANKERS) if table in names]
    return [WEIGHTS / f"{name}.npz" for name in names]
