"""The results of policies that play each other, in any game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.adapters.games import GOES_ON, REFUSED, STAY, Array
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.options import Options
from catan_env.adapters.policies import result_of
from catan_env.kernel.numbers import wrapped_seed


def mean_returns(options: Options, policies: Sequence[Any], games: int, seed: int = 0) -> Array:
    """The mean of what each policy is paid in a game, one policy for each seat: (seats,) float64.

    Policies are given as opponents are, and seats rotate: in game i, policy k has seat (k + i)
    modulo the seats. ValueError if there are more or fewer of them, or one plays an illegal action.
    """
    seats = options.num_seats
    if len(policies) != seats:
        raise ValueError(f"{len(policies)} policies; allowed are {seats}, one for each seat")
    batch = LearningBatch(options, games, seed)
    seat_of = (np.arange(seats) + np.arange(games)[:, None]) % seats
    players = [batch.player(policy, wrapped_seed(seed + k)) for k, policy in enumerate(policies)]
    paid, goes_on = np.zeros((games, seats)), np.ones(games, bool)
    while goes_on.any():
        actions = np.full(games, STAY)
        for k, player in enumerate(players):
            rows = np.flatnonzero(goes_on & (batch.seat == seat_of[:, k]))
            if len(rows):
                actions[rows] = result_of(player, player.choose, batch, rows)
        batch.step(actions)
        if len(refused := actions[batch.done == REFUSED]):
            raise ValueError(f"a policy answered {refused[0]}, which is illegal")
        paid[goes_on] += batch.rewards[goes_on, :seats]
        goes_on &= batch.done == GOES_ON
    mean: Array = np.take_along_axis(paid, seat_of, axis=1).mean(axis=0)
    return mean
