"""Logistic calibration of the hand-made value function on self-play games of `greedy`."""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.policies.greedy import rank

Array = np.ndarray[Any, Any]
GAMES = 256
"""Parallel games."""
STEPS = 1500
"""The decisions of each."""
ASKED = 0.05
"""The fraction of the decisions that is used; those of one game are correlated."""
FAR = 100.0
"""Values beyond which a game is decided."""


def calibration(seats: int, rules: str, weights: Array) -> tuple[float, float]:
    """Slope and offset of the log odds as a linear function of the best action's value."""
    values, won = samples(seats, rules, weights, STEPS, seed=1)
    near = np.abs(values) < FAR
    return logistic_line(values[near], won[near])


def samples(seats: int, rules: str, weights: Array, steps: int, seed: int) -> tuple[Array, Array]:
    """Values of the seat that decides, (k,) float64, and whether it won, (k,) bool."""
    batch = Batch(GAMES, seats=seats, rules=rules, seed=seed, observations=False)
    draw, asked, won = np.random.default_rng(seed), [], []
    waiting: list[list[tuple[float, int]]] = [[] for _ in range(GAMES)]
    for _ in range(steps):
        moves, values = rank(batch, 2, weights)
        chosen = (draw.random(GAMES) < ASKED) & (moves[:, 1] >= 0)  # where there is a choice
        for i in np.flatnonzero(chosen):
            waiting[i].append((float(values[i, 0]), int(batch.seat[i])))
        batch.play(moves[:, 0].copy())
        for i in np.flatnonzero(batch.done):
            asked += [value for value, _ in waiting[i]]
            won += [seat == batch.winner[i] for _, seat in waiting[i]]
            waiting[i].clear()
    return np.array(asked), np.array(won, np.bool_)


def logistic_line(x: Array, hit: Array) -> tuple[float, float]:
    """Slope and offset of the line whose logistic function is likeliest, by Newton's steps."""
    unit = float(x.std())
    design = np.stack([np.ones(len(x)), x / unit], axis=1)
    line = np.zeros(2)
    for _ in range(20):
        chance = 1 / (1 + np.exp(-design @ line))
        bend = (design.T * (chance * (1 - chance))) @ design
        line += np.linalg.solve(bend, design.T @ (hit - chance))
    return float(line[1]) / unit, float(line[0])
