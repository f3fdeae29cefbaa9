"""The strengths of entrants with their errors: one model for duels and larger tables.

The winner of a table is drawn in proportion to e^(strength + seat advantage): Bradley and
Terry's model for two, Luce's choice for more. Strengths maximize the likelihood of the outcomes,
with a wide normal distribution as a prior, so that an undefeated entrant has one, too; their errors
come from the curvature there. Ratings are strengths on Elo's scale: 400 points are odds of 10 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, log, sqrt
from typing import Any

import numpy as np

from catan_env.arena.report import Z

Array = np.ndarray[Any, Any]

ELO = 400 / log(10)
"""Rating points per unit of strength."""
MEAN = 1000.0
"""The mean rating of the entrants that set the scale."""
SPREAD = 4.0
"""The prior's standard deviation in units of strength: 695 rating points."""
MOST_STEPS = 50
CLOSE_ENOUGH = 1e-9


@dataclass(frozen=True)
class Strengths:
    """Strengths of n entrants and of the seats, with their covariance.

    >>> wins = np.array([[75.0, 25.0], [70.0, 30.0]])  # the seats are swapped in the second row
    >>> found = strengths(np.array([[0, 1], [1, 0]]), wins, 2)
    >>> found.rating(0) > found.rating(1), round(found.seat_effect(1)[0])
    (True, -169)
    """

    strength: Array
    """(n,) of the entrants, around a mean of 0 over those that set the scale."""
    seat: Array
    """(k,) the advantages of the seats; the first's is 0."""
    covariance: Array
    """(n + k - 1, n + k - 1) of the strengths and of all seats except the first."""

    def rating(self, entrant: int) -> float:
        """The rating on Elo's scale."""
        return float(MEAN + ELO * self.strength[entrant])

    def reach(self, entrant: int) -> float:
        """Half the width of the rating's 95 % interval."""
        return float(Z * ELO * sqrt(self.covariance[entrant, entrant]))

    def chance_better(self, a: int, b: int) -> float:
        """The probability that `a` is stronger than `b`."""
        error = sqrt(max(self.variance_between(a, b), 1e-300))
        return 0.5 + 0.5 * erf((self.strength[a] - self.strength[b]) / error / sqrt(2))

    def variance_between(self, a: int, b: int) -> float:
        """The variance of the difference between two strengths."""
        c = self.covariance
        return float(c[a, a] + c[b, b] - 2 * c[a, b])

    def seat_effect(self, seat: int) -> tuple[float, float]:
        """A seat's advantage over the first, in rating points, and half its 95 % interval."""
        if seat == 0:
            return 0.0, 0.0
        k = len(self.strength) + seat - 1
        return float(ELO * self.seat[seat]), float(Z * ELO * sqrt(self.covariance[k, k]))


def strengths(
    line_ups: Array,
    wins: Array,
    n: int,
    scale: Sequence[int] | None = None,
    squares: Array | None = None,
) -> Strengths:
    """The most likely strengths of entrants 0..n-1.

    `line_ups` (m, k) are the entrants by seat, and `wins` (m, k) the number of wins of each seat.
    The entrants `scale` set the scale, by default all. For results without luck `wins` are their
    sums, and `squares` (m, k, k) the sums of the products of a game's results: the errors then come
    from how much the results vary (White's "sandwich", corrected for few games), not from the
    curvature alone.
    """
    k = line_ups.shape[1] if line_ups.size else 1
    values = np.zeros(n + k - 1)
    prior = np.full(n + k - 1, 1 / SPREAD**2)
    hessian = np.diag(prior)
    for _ in range(MOST_STEPS if line_ups.size else 0):
        gradient, hessian = _slopes(values, line_ups, wins, n)
        gradient -= prior * values
        hessian[np.diag_indices_from(hessian)] += prior
        step = np.linalg.solve(hessian, gradient)
        values += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    centre = _centring(n, k, range(n) if scale is None or not len(scale) else scale)
    covariance = np.linalg.inv(hessian)
    if squares is not None and line_ups.size:
        noise = np.diag(prior) + _noise(values, line_ups, wins, squares, n)
        covariance = covariance @ noise @ covariance * _correction(wins, n + k - 2)
    covariance = centre @ covariance @ centre.T
    values = centre @ values
    return Strengths(values[:n], np.concatenate([[0.0], values[n:]]), covariance)


def _correction(results: Array, free: int) -> float:
    """The factor by which few games understate their variance (HC1), by free parameters."""
    games = float(results.sum())
    return games / max(1.0, games - free)


def _noise(values: Array, line_ups: Array, results: Array, squares: Array, n: int) -> Array:
    """The sum over all games of the gradient's products, from the results' sums and products."""
    m, k = line_ups.shape
    chance = _chances(values, line_ups, n)
    games = results.sum(axis=1)[:, None, None]
    crossed = results[:, :, None] * chance[:, None, :]
    spread = squares - crossed - crossed.transpose(0, 2, 1)
    spread += games * chance[:, :, None] * chance[:, None, :]
    places = np.concatenate([line_ups, np.broadcast_to(n + np.arange(k), (m, k))], axis=1)
    noise = np.zeros((n + k, n + k))
    np.add.at(noise, (places[:, :, None], places[:, None, :]), np.tile(spread, (1, 2, 2)))
    kept = np.delete(np.arange(n + k), n)
    return noise[np.ix_(kept, kept)]


def _chances(values: Array, line_ups: Array, n: int) -> Array:
    """The probability that each seat wins: (m, k)."""
    score = values[line_ups] + np.concatenate([[0.0], values[n:]])
    chance = np.exp(score - score.max(axis=1, keepdims=True))
    result: Array = chance / chance.sum(axis=1, keepdims=True)
    return result


def _slopes(values: Array, line_ups: Array, wins: Array, n: int) -> tuple[Array, Array]:
    """The log-likelihood's gradient, and the negative of its second derivatives."""
    m, k = line_ups.shape
    chance = _chances(values, line_ups, n)
    games = wins.sum(axis=1, keepdims=True)
    size = n + k  # the last k are the seats, the first of which is taken out at the end
    places = np.concatenate([line_ups, np.broadcast_to(n + np.arange(k), (m, k))], axis=1)
    excess = np.tile(wins - games * chance, 2)
    gradient = np.bincount(places.ravel(), excess.ravel(), size)
    twice = np.tile(chance, 2)
    hessian = np.zeros(size * size)
    for a in range(2 * k):
        for b in range(2 * k):
            same = chance[:, a % k] if a % k == b % k else 0.0
            weight = games[:, 0] * (same - twice[:, a] * twice[:, b])
            hessian += np.bincount(places[:, a] * size + places[:, b], weight, size * size)
    kept = np.delete(np.arange(size), n)
    return gradient[kept], hessian.reshape(size, size)[np.ix_(kept, kept)]


def _centring(n: int, k: int, scale: Sequence[int] | range) -> Array:
    """The matrix that shifts strengths so that those of `scale` have a mean of 0."""
    centre = np.eye(n + k - 1)
    centre[:n, list(scale)] -= 1 / len(scale) if n else 0.0
    return centre
