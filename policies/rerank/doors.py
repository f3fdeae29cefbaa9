"""The functions that Python calls."""
# mypy: ignore-errors

from math import exp

from catan_env.core.constants import OVER
from catan_env.kernel.jit import compiled, door
from catan_env.kernel.lockstep import STAY
from catan_env.policies.rerank.features import FEATURES, kind_of, write_features
from catan_env.policies.value.choice import TAKEN, TRIED, best_of_ranked, lead_to, rank
from catan_env.policies.value.evaluation import WON, score_vertices
from catan_env.policies.value.win_probability import clipped

CANDIDATES = 6
"""The most valuable moves that are reordered."""


@compiled
def write_after(states, i, tries, action, log_odds, weights, vertex_scores, features):
    """Write the features of the position after an action in game `i`."""
    seat = int(states[i].seat)
    lead_to(states, i, tries, action, weights, vertex_scores)
    write_features(tries[TRIED], seat, kind_of(action), log_odds, vertex_scores, features)


@compiled
def begin(units, sums, seen):
    """Set the sums of the units to their biases: no feature has been seen yet."""
    for unit in range(len(sums)):
        sums[unit] = units[FEATURES, unit]
    for k in range(FEATURES):
        seen[k] = 0.0


@compiled
def output(features, units, shares, sums, seen):
    """The network's log odds in addition to those by value: rectified sums, weighted and added.

    `units` is (FEATURES + 1, n) float64, a row of weights for each feature, then the biases;
    `shares` (n + 1,) float64 has the units' weights, then a constant. Only features other than
    those `seen` before, (FEATURES,) float64, change the sums, (n,) float64: siblings share most.
    """
    count = len(sums)
    for k in range(FEATURES):
        change = features[k] - seen[k]
        if change != 0:
            seen[k] = features[k]
            for unit in range(count):
                sums[unit] += change * units[k, unit]
    total = shares[count]
    for unit in range(count):
        total += max(sums[unit], 0.0) * shares[unit]
    return total


@compiled
def reranked(
    states, i, line, units, shares, sums, seen, features,
    weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """The best action of game `i` by the network, STAY without one.

    It reorders the CANDIDATES most valuable actions. The log odds of a value are
    `line[1] + line[0] * value`; `line[2]` is the margin in win probability by which another action
    must exceed the most valuable one. `vertex_scores` are those of the game's board.
    """
    n = rank(states, i, tries, weights, vertex_scores, moves, scores)
    begin(units, sums, seen)
    best, chosen = 0.0, STAY
    for k in range(min(n, CANDIDATES)):
        at = best_of_ranked(scores, n)
        action, value = moves[at], scores[at]
        scores[at] = TAKEN
        if k == 0 and (n == 1 or value >= WON):
            return action
        log_odds = clipped(line[1] + line[0] * value)
        write_after(states, i, tries, action, log_odds, weights, vertex_scores, features)
        wins = 1.0 / (1.0 + exp(-clipped(log_odds + output(features, units, shares, sums, seen))))
        if k == 0:
            wins += line[2]
        if wins > best:
            best, chosen = wins, action
    return chosen


@door
def choose_reranked(
    states, line, units, shares, sums, seen, features,
    weights, tries, vertex_scores, moves, scores, actions, start, stop,
):  # fmt: skip
    """Write the chosen action of each game: (n,) int64, STAY if no seat acts."""
    for i in range(start, stop):
        actions[i] = STAY
        if states[i].phase != OVER:
            score_vertices(states[i], weights, vertex_scores)
            actions[i] = reranked(
                states, i, line, units, shares, sums, seen, features,
                weights, tries, vertex_scores, moves, scores,
            )  # fmt: skip


@door
def write_siblings(states, i, siblings, log_odds, weights, tries, vertex_scores, inputs):
    """Write the features after each of the actions `siblings`, (k,) int64, in game `i`.

    `log_odds` (k,) float64 are the log odds by their values; `inputs` is (k, FEATURES) float64.
    """
    score_vertices(states[i], weights, vertex_scores)
    for k in range(len(siblings)):
        write_after(states, i, tries, siblings[k], log_odds[k], weights, vertex_scores, inputs[k])


@door
def rate_siblings(
    states, i, siblings, log_odds, wins, units, shares, sums, seen, features,
    weights, tries, vertex_scores,
):  # fmt: skip
    """Write the win probabilities after each of the actions `siblings`, (k,) int64, in game `i`.

    `log_odds` (k,) float64 are the log odds by their values, and `wins` is (k,) float64.
    """
    score_vertices(states[i], weights, vertex_scores)
    begin(units, sums, seen)
    for k in range(len(siblings)):
        write_after(states, i, tries, siblings[k], log_odds[k], weights, vertex_scores, features)
        added = output(features, units, shares, sums, seen)
        wins[k] = 1.0 / (1.0 + exp(-clipped(log_odds[k] + added)))
