"""The 95 % interval of a mean over few boards: Student's t.

Games on one board are not independent of each other, those on different boards are.
"""

from typing import Any

import numpy as np

from catan_env.arena.report import Z

Array = np.ndarray[Any, Any]

FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)
"""Student's 97.5 % quantile for 1 to 9 degrees of freedom."""


def quantile(freedom: int) -> float:
    """Student's 97.5 % quantile; beyond the table by its expansion, to 0.0005.

    >>> quantile(1), round(quantile(10), 3), round(quantile(30), 3)
    (12.7062, 2.228, 2.042)
    """
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    first, second = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


def rate_interval(results: Array, boards: Array) -> tuple[float, float] | None:
    """The interval of a win rate, in 0..1; None for the games of a single board.

    `results` are (n,) of games, and `boards` (n,) the numbers of their boards. A game that is won
    and one that is lost are added, each on a board of its own (like Agresti and Coull's), since a
    few one-sided games hardly vary.

    >>> [round(bound, 2) for bound in rate_interval(np.array([0.6, 0.7, 0.8]), np.array([0, 0, 1]))]
    [0.07, 1.0]
    >>> rate_interval(np.array([0.4, 0.6]), np.array([0, 0])) is None
    True
    """
    numbers, at = np.unique(boards, return_inverse=True)
    count, rate = len(numbers) + 2, min(1.0, max(0.0, float(results.mean())))
    if count < 4:
        return None
    added = np.concatenate([results, [0.0, 1.0]])
    middle = float(added.mean())
    apart = np.bincount(np.concatenate([at, [count - 2, count - 1]]), added - middle)
    variance = count / (count - 1) * float((apart**2).sum()) / len(added) ** 2
    reach = quantile(count - 1) * variance**0.5
    return max(0.0, min(rate, middle - reach)), min(1.0, max(rate, middle + reach))
