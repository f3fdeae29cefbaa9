"""The ratings of a league, computed from its export alone: recompute.py < export.jsonl

It uses nothing of the package. The likelihood is that of docs/league.md, and its maximum and
curvature are found by finite differences.
"""

import json
import math
import sys

import numpy as np

PRIOR, POINTS = 4.0, 400 / math.log(10)


def log_posterior(x, games, entrants, seats):
    """The log-likelihood of strengths x[:n] and seats x[n:], where the first seat is 0."""
    n = len(entrants)
    total = -sum(v * v for v in x) / (2 * PRIOR**2)
    for (line_up, winner), count in games.items():
        score = [x[entrants[e]] + (x[n + s - 1] if s else 0) for s, e in enumerate(line_up)]
        total += count * (score[winner] - math.log(sum(math.exp(v) for v in score)))
    return total


def main():
    facts, *outcomes = map(json.loads, sys.stdin)
    names = {
        entrant["id"]: f"{entrant['name']} {entrant['version']}".strip()
        for entrant in facts["entrants"]
    }
    played = sorted({entrant for outcome in outcomes for entrant in outcome["seats"]})
    entrants = {entrant: k for k, entrant in enumerate(played)}
    games, won, lost = {}, set(), set()
    for outcome in outcomes:
        winner = outcome["winner"]
        for seat, entrant in enumerate(outcome["seats"]):
            (won if seat == winner else lost).add(entrant)
        if winner is not None:
            key = tuple(outcome["seats"]), winner
            games[key] = games.get(key, 0) + 1

    def value(x):
        return log_posterior(x, games, entrants, facts["seats"])

    size, h = len(played) + facts["seats"] - 1, 1e-3
    x, steps = np.zeros(size), np.eye(size) * h
    for _ in range(12):
        slope = np.array([(value(x + d) - value(x - d)) / (2 * h) for d in steps])
        bend = np.zeros((size, size))
        for i in range(size):
            for j in range(i + 1):
                a, b = steps[i], steps[j]
                mixed = value(x + a + b) - value(x + a - b) - value(x - a + b) + value(x - a - b)
                bend[i, j] = bend[j, i] = -mixed / (4 * h * h)
        x = x + np.linalg.solve(bend, slope)
    n = len(played)
    scale = [entrants[e] for e in played if e in won and e in lost]
    around = np.eye(size)
    around[:n, scale] -= 1 / len(scale)
    x, spread = around @ x, around @ np.linalg.inv(bend) @ around.T
    for entrant, k in entrants.items():
        reach = 1.959964 * POINTS * math.sqrt(spread[k, k])
        print(json.dumps([names[entrant], 1000 + POINTS * x[k], reach]))


main()
