"""Elo ratings computed from wins."""

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import ArrayLike

PRIOR = 0.5
"""Draws added between any two, so that an entrant that never lost also has a rating."""
MOST_STEPS = 200
CLOSE_ENOUGH = 1e-9


def elo(wins: ArrayLike, mean: float = 1000.0) -> list[float]:
    """The maximum-likelihood ratings (Bradley and Terry); 400 points are odds of ten.

    `wins[a][b]` is the number of wins of a against b.

    >>> [round(rating) for rating in elo([[0, 10_000], [1_000, 0]])]
    [1200, 800]
    """
    won = np.asarray(wins, float) + PRIOR / 2
    np.fill_diagonal(won, 0)
    met = won + won.T
    strength = np.zeros(len(won))
    for _ in range(MOST_STEPS):  # Newton's method
        odds = np.exp(strength[:, None] - strength[None, :])
        chance = odds / (1 + odds)
        curvature = met * chance * (1 - chance)
        hessian = np.diag(curvature.sum(axis=1)) - curvature + 1 / len(won)  # with a mean of 0
        step = np.linalg.solve(hessian, (won - met * chance).sum(axis=1))
        strength += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    return [mean + 400 * s / log(10) for s in strength.tolist()]


def pairwise_wins(
    pool: Sequence[str], tables: Sequence[tuple[Sequence[str], Sequence[int | None]]]
) -> list[list[int]]:
    """Wins by row over column, of tables (names by entrant, winners): the first beats the rest.

    >>> pairwise_wins(["a", "b"], [(["a", "b", "b"], [0, 0, 2, None])])
    [[0, 4], [1, 0]]
    """
    place = {name: k for k, name in enumerate(pool)}
    wins = [[0] * len(pool) for _ in pool]
    for names, winners in tables:
        for winner in winners:
            for other, name in enumerate(names):
                if winner is not None and name != names[winner] and other != winner:
                    wins[place[names[winner]]][place[name]] += 1
    return wins
