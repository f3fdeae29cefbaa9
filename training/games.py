"""Catan as training plays it: the batch of games that a configuration names, and its shaping.

`shaping` names a potential, a function of a batch: (n, seats) float32. A seat receives the rise of
its potential, and loses it when the game ends, won, lost or cut off, so the optimal policy stays
the same (Ng, Harada and Russell, 1999). `reward_function` names any other reward, a function of the
positions before, the actions and the batch after, where games that ended are as they ended: of the
shape of `batch.rewards`, float32.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.constants import DevelopmentCard
from catan_env.game.rules import Rules

Array = np.ndarray[Any, Any]


def catan(num_games: int, *, rules: str = "base", trade: bool = True, **options: Any) -> Batch:
    """A batch with the rules of that name, with or without trade between seats."""
    named = Rules.named(rules)
    made = replace(named, player_trade=named.player_trade and trade)
    return Batch(num_games, rules=made, **options)


def lead(batch: Batch) -> Array:
    """Each seat's lead in victory points over the best of the others, over ten: (n, 4) float32."""
    states, seats = batch.states, batch.seats
    points = states["points"] + states["cards"][:, :, DevelopmentCard.VICTORY_POINT]
    result = np.zeros(points.shape, np.float32)
    for seat in range(seats):
        others = np.delete(points[:, :seats], seat, axis=1).max(axis=1)
        result[:, seat] = (points[:, seat].astype(np.float32) - others) / 10
    return result
