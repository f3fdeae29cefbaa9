"""`search` among the moves that a network prefers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from catan_env import SeatView
from catan_env.policies.network import Network
from catan_env.policies.network.shipped import load_networks, network_for
from catan_env.policies.search.search import CANDIDATES, Array, Search, playouts_of


class Guided(Search):
    """Tries the network's best moves in playouts, and plays the most successful one.

    `weights` is a weights file; the default is the shipped networks
    (`catan_env.policies.network.shipped`).

    >>> from catan_env import Game
    >>> Guided(seed=1, playouts=24).act(Game(seats=2, seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(
        self,
        seed: int = 0,
        seconds: float = 0.05,
        playouts: int | None = None,
        weights: str | Path | None = None,
        *,
        nodes: int | None = None,
    ) -> None:
        super().__init__(seed, seconds, playouts_of(playouts, nodes))
        self._network = None if weights is None else Network(weights)
        if weights is None:
            load_networks()

    def set_up_at(self, view: SeatView) -> None:
        """Nothing: the network's best moves are tried in the set-up, too."""

    def candidates(self, view: SeatView) -> tuple[Array, Array]:
        """The network's best moves, sorted by value; offers without a value come last."""
        moves, values = self.valued(view)
        value_of = dict(zip(moves.tolist(), values.tolist(), strict=True))
        legal = view.legal_actions.indices
        network = self._network or network_for(view)
        seen = view.observe(view.viewer, network.observation_version)
        outputs = network.outputs(seen[None])[0, legal]
        liked = legal[np.argsort(-outputs, kind="stable")[:CANDIDATES]]
        scores = np.array([value_of.get(move, values[-1]) for move in liked.tolist()])
        order = np.argsort(-scores, kind="stable")
        return liked[order].astype(np.int64), scores[order]
