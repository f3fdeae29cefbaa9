"""What `policies.value` would do and what it thinks of the rest: a teacher that says more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.jit import COMPILED, ensure_compiled
from catan_env.core.state import doorway
from policies.search.bench import Bench, ensure_value, row
from policies.search.native import ranking
from policies.search.weights import weights_for

Array = np.ndarray[Any, Any]
BEST = 8
"""Actions that are told of each position."""


def rank(batch: Batch) -> tuple[Array, Array]:
    """The best actions of each game and their values, the best first: (n, 8) int64 and float64.

    STAY where there are fewer. The first is what `policies.value.choose` chooses.
    """
    ensure_ranking()
    shape = batch.num_games, BEST
    moves, values = np.zeros(shape, np.int64), np.zeros(shape)
    weights = row(weights_for(batch.seats))
    if COMPILED:
        batch._run(_rank_some, batch._games, weights, moves, values)
    else:
        _rank_some(batch._games, weights, moves, values, 0, batch.num_games)
    return moves, values


def _rank_some(
    games: Any, weights: Any, moves: Array, values: Array, start: int, stop: int
) -> None:
    ranking.rank_actions(games, weights, *Bench().memory, moves, values, start, stop)


def open_ranking() -> None:
    """Compile the door, called once on a game of its own."""
    from catan_env import Game

    moves, values = np.zeros((1, BEST), np.int64), np.zeros((1, BEST))
    _rank_some(doorway(Game(seats=2, seed=1)._array), weights_for(2), moves, values, 0, 1)


def ensure_ranking() -> None:
    """Compile the ranking unless this machine has done so."""
    ensure_value()
    ensure_compiled("ranking", open_ranking, Path(__file__).parent / "native")
