"""The best few actions of many games, for whoever learns from them."""
# mypy: ignore-errors

from catan_env.core.batch import STAY
from catan_env.core.constants import OVER
from catan_env.core.jit import door
from policies.search.native.choice import best_of_ranked, rank
from policies.search.native.standing import weigh_vertices

TAKEN = -1e18
"""Below every value."""


@door
def rank_actions(states, weights, tries, worth, moves, scores, out_moves, out_scores, start, stop):
    """Write the best actions of each game and their values, the best first: (n, k) each.

    STAY where there are fewer. The rest is as for `choose_actions`.
    """
    for i in range(start, stop):
        n = 0
        if states[i].phase != OVER:
            weigh_vertices(states[i], weights, worth)
            n = rank(states, i, tries, weights, worth, moves, scores)
        for k in range(out_moves.shape[1]):
            if k < n:
                best = best_of_ranked(scores, n)
                out_moves[i, k] = moves[best]
                out_scores[i, k] = scores[best]
                scores[best] = TAKEN
            else:
                out_moves[i, k] = STAY
                out_scores[i, k] = 0.0
