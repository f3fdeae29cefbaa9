"""Games in which chance draws from an urn, with their luck."""

import numpy as np


def urns(rng, chances, steps=12, size=1.0):
    """The winners of games in which chance draws from an urn, and the luck of each seat: (n, k).

    Each draw adds a ball of the seat that was drawn, so that the share of a seat's balls is its win
    probability. The luck is measured with a poor estimate of it.
    """
    balls, luck = size * chances, np.zeros_like(chances)
    n, k = chances.shape
    for _ in range(steps):
        shares = balls / balls.sum(axis=1, keepdims=True)
        after = np.repeat(balls[:, None], k, axis=1) + np.eye(k)
        guessed = after**0.7 + 0.2
        guessed /= guessed.sum(axis=2, keepdims=True)
        drawn = (rng.random((n, 1)) > np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)
        luck += guessed[np.arange(n), drawn] - np.einsum("nj,njk->nk", shares, guessed)
        balls = after[np.arange(n), drawn]
    shares = balls / balls.sum(axis=1, keepdims=True)
    winner = (rng.random((n, 1)) > np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)
    return np.eye(k)[winner], luck
