"""Elo ratings computed from wins."""

import numpy as np
import pytest

from catan_env.arena.rating import PRIOR, elo

SHUT_OUT = [[1000 * (a < b) for b in range(6)] for a in range(6)]
LADDER = [
    [0, 970, 990, 1000, 1000],
    [30, 0, 770, 995, 1000],
    [10, 230, 0, 985, 1000],
    [0, 5, 15, 0, 1000],
    [0, 0, 0, 0, 0],
]
NEIGHBORS = [[10**6 * (b == a + 1) for b in range(8)] for a in range(8)]


@pytest.mark.parametrize("wins", [SHUT_OUT, LADDER, NEIGHBORS, [[0, 3], [1, 0]], [[0]]])
def test_ratings_expect_the_wins_that_they_were_computed_from(wins):
    """The condition of the maximum likelihood, for each entrant."""
    ratings = np.array(elo(wins))
    won = np.array(wins) + PRIOR / 2 * (1 - np.eye(len(wins)))
    expected = (won + won.T) / (1 + 10 ** ((ratings[None, :] - ratings[:, None]) / 400))
    assert expected.sum(axis=1) == pytest.approx(won.sum(axis=1), rel=1e-9)
    assert ratings.mean() == pytest.approx(1000)
