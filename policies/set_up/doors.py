"""The function that Python calls."""
# mypy: ignore-errors

from catan_env.core.constants import NOBODY, PLACE_ROAD, PLACE_SETTLEMENT, RESOURCES
from catan_env.kernel.jit import compiled, door, inline
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability


@inline
def show_hands(g):
    """Turn a view of the set-up into the full game: all cards have come from tiles in the open."""
    for seat in range(g.seats):
        for resource in range(RESOURCES):
            g.hand[seat, resource] = g.known[seat, resource]
    g.viewer = NOBODY


@compiled
def complete(ends, action, tries, weights, vertex_scores, moves, scores):
    """Play a placement, then every seat's most valuable ones, until the set-up is over."""
    play_on(ends, 0, action)
    while ends[0].phase == PLACE_SETTLEMENT or ends[0].phase == PLACE_ROAD:
        n = rank(ends, 0, tries, weights, vertex_scores, moves, scores)
        play_on(ends, 0, moves[best_of_ranked(scores, n)])


@door
def rate_placements(
    states, i, ends, candidates, wins, net, features, hidden,
    weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """Write the acting seat's win probabilities where the set-up ends after each of `candidates`.

    `candidates` are placements in game `i`, (k,) int64, and `wins` is (k,) float64. `ends` is
    memory of one game; `net` is a network as `value.win_probability` takes it, in whose `features`
    those of the last position remain. The set-up has no luck.
    """
    seat = int(states[i].seat)
    score_vertices(states[i], weights, vertex_scores)
    for k in range(len(candidates)):
        ends[0] = states[i]
        show_hands(ends[0])
        complete(ends, candidates[k], tries, weights, vertex_scores, moves, scores)
        wins[k] = win_probability(ends[0], seat, net, features, hidden, vertex_scores)
