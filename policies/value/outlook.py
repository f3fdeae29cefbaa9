"""A seat's chance to win where a turn begins, by a small network over `facts`."""
# mypy: ignore-errors

from math import exp

from catan_env.core.constants import NOBODY
from catan_env.kernel.jit import door, part
from catan_env.policies.value.facts import tell
from catan_env.policies.value.standing import weigh_vertices


@part
def log_odds(net, facts, hidden):
    """What the network makes of facts: one layer of rectified units, and their weighted sum.

    `net` is (facts + 2, units) float64: a row of weights for each fact, the biases, and what the
    units count for in the end.
    """
    biases, last = len(facts), len(facts) + 1
    for unit in range(len(hidden)):
        hidden[unit] = net[biases, unit]
    for k in range(len(facts)):
        fact = facts[k]
        if fact != 0:
            for unit in range(len(hidden)):
                hidden[unit] += fact * net[k, unit]
    total = 0.0
    for unit in range(len(hidden)):
        total += max(hidden[unit], 0) * net[last, unit]
    return total


@part
def outlook(g, seat, net, facts, hidden, worth):
    """The seat's chance to win, 0..1; `worth` is that of the vertices."""
    if g.winner != NOBODY:
        return 1.0 if g.winner == seat else 0.0
    tell(g, seat, worth, facts)
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds(net, facts, hidden)))))


@door
def tell_games(states, asked, weights, worth, facts, start, stop):
    """Write the facts of seat `asked[i]` in game i: `asked` (n,) int64, `facts` (n, m) float64."""
    for i in range(start, stop):
        weigh_vertices(states[i], weights, worth)
        tell(states[i], asked[i], worth, facts[i])
