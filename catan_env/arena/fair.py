"""Results without luck: a control variate whose weight is estimated from other games.

The luck of an entrant in a game has the mean 0, so that a result minus any multiple of it has the
mean of the result. The multiple with the least noise depends on the entrants: between equal ones it
is near `USUAL`, and near 0 where the winner is certain. It is estimated for the games of every
other board from the games of the boards between, on which the luck does not depend: no bias arises.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

USUAL = 0.75
"""The multiple that a line-up without games of its own begins with."""
GAMES = 20
"""The number of games that `USUAL` counts for."""


def without_luck(won: Array, luck: Array, boards: Array) -> Array:
    """The results of one line-up without luck: (n, k) float64.

    `won` and `luck` are (n, k), by entrant, and `boards` (n,) the numbers of the boards: games on
    the same board do not weigh each other's luck.

    >>> luck = np.array([[0.4, -0.4]])
    >>> without_luck(np.array([[1, 0]]), luck, np.array([0])).round(2).tolist()
    [[0.7, 0.3]]
    """
    multiples = np.zeros(len(won))
    for half in (0, 1):
        is_here = boards % 2 == half
        multiples[is_here] = multiple_of(won[~is_here], luck[~is_here])
    result: Array = won - multiples[:, None] * luck
    return result


def multiple_of(won: Array, luck: Array) -> float:
    """The multiple of the luck with the least noise in these games, (n, k)."""
    size = float((luck**2).sum())
    if not size:
        return USUAL
    usual = GAMES * size / len(luck)
    together = float(((won - won.mean(axis=0)) * luck).sum())
    return (together + USUAL * usual) / (size + usual)
