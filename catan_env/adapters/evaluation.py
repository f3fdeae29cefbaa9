"""The results of policies that play each other, in any game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.adapters.checks import checked_answers, checked_count
from catan_env.adapters.games import GOES_ON, STAY, Array
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.options import Options, checked_options
from catan_env.adapters.policies import result_of
from catan_env.kernel.numbers import wrapped_seed
from catan_env.kernel.shown import shown


def mean_returns(options: Options, policies: Sequence[Any], games: int, seed: int = 0) -> Array:
    """The mean of what each policy is paid in a game, one policy for each seat: (seats,) float64.

    `returns` plays the games, and its standard deviation gives an interval.
    """
    mean: Array = returns(options, policies, games, seed).mean(axis=0)
    return mean


def returns(options: Options, policies: Sequence[Any], games: int, seed: int = 0) -> Array:
    """The amount that each policy is paid in each game: (games, policies) float64.

    Policies are given as opponents are, one for each seat, and seats rotate: in game i, policy k
    has seat (k + i) modulo the seats. Every game has another deal. ValueError if there are more or
    fewer policies, or one plays an illegal action.
    """
    seats, games = checked_options(options).num_seats, checked_count("games", games)
    if len(policies) != seats:
        raise ValueError(f"{len(policies)} policies; allowed are {seats}, one for each seat")
    batch = LearningBatch(options, games, seed)
    seat_of = (np.arange(seats) + np.arange(games)[:, None]) % seats
    players = [batch.player(policy, wrapped_seed(seed + k)) for k, policy in enumerate(policies)]
    names = [f"policy {k + 1}, {shown(policy)}," for k, policy in enumerate(policies)]
    paid, goes_on = np.zeros((games, seats)), np.ones(games, bool)
    while goes_on.any():
        actions = np.full(games, STAY)
        for k, player in enumerate(players):
            rows = np.flatnonzero(goes_on & (batch.seat == seat_of[:, k]))
            if len(rows):
                answers = result_of(player, player.choose, batch, rows)
                actions[rows] = checked_answers(names[k], answers, batch.action_masks[rows])
        batch.step(actions)
        paid[goes_on] += batch.rewards[goes_on, :seats]
        goes_on &= batch.done == GOES_ON
    by_policy: Array = np.take_along_axis(paid, seat_of, axis=1)
    return by_policy
