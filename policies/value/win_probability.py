"""A seat's win probability at the start of a turn, by a small network over `features`."""
# mypy: ignore-errors

from math import exp

from catan_env.core.constants import NOBODY
from catan_env.kernel.jit import compiled, door
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.features import write_features

MOST_LOG_ODDS = 30.0
"""The limit of log odds, and its negative: the range that a probability resolves."""


@compiled
def clipped(value):
    """Log odds limited to the range that a probability resolves."""
    return max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, value))


@compiled
def log_odds(net, features, hidden):
    """The log odds of winning: a layer of rectified units, and their weighted sum.

    `net` is (features + 2, units) float64: a row of weights for each feature, the biases, and the
    units' output weights.
    """
    biases, last = len(features), len(features) + 1
    for unit in range(len(hidden)):
        hidden[unit] = net[biases, unit]
    for k in range(len(features)):
        feature = features[k]
        if feature != 0:
            for unit in range(len(hidden)):
                hidden[unit] += feature * net[k, unit]
    total = 0.0
    for unit in range(len(hidden)):
        total += max(hidden[unit], 0) * net[last, unit]
    return total


@compiled
def win_probability(g, seat, net, features, hidden, vertex_scores):
    """The seat's win probability, 0..1."""
    if g.winner != NOBODY:
        return 1.0 if g.winner == seat else 0.0
    write_features(g, seat, vertex_scores, features)
    return 1.0 / (1.0 + exp(-clipped(log_odds(net, features, hidden))))


@door
def write_features_of_games(states, asked, weights, vertex_scores, features, start, stop):
    """Write the features, (n, m) float64, of seat `asked[i]`, (n,) int64, in game i."""
    for i in range(start, stop):
        score_vertices(states[i], weights, vertex_scores)
        write_features(states[i], asked[i], vertex_scores, features[i])
