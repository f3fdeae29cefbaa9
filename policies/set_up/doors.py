"""The function that Python calls."""
# mypy: ignore-errors

from catan_env.core.actions import SETTLEMENT_START
from catan_env.core.constants import (
    NOBODY,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    RESOURCES,
    SEATS,
    SETTLEMENT_PIECE,
)
from catan_env.kernel.jit import compiled, door, inline
from catan_env.kernel.rng import below_at
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability

OF_SETTLEMENT, FINE = 128, 1 << 16
"""Random numbers of a way for each settlement, and their limit."""


@inline
def show_hands(g):
    """Turn a view of the set-up into the full game: all cards have come from tiles in the open."""
    for seat in range(g.seats):
        for resource in range(RESOURCES):
            g.hand[seat, resource] = g.known[seat, resource]
    g.viewer = NOBODY


@compiled
def vary(g, way, spread, vertex_scores, moves, scores, n):
    """Change the scores of a seat's settlements to those of another taste, the one of that way.

    Half of the seats look at pips alone, and each place is worth up to `spread` more or less.
    """
    seat = int(g.seat)
    pips_alone = below_at(way, seat, 2)
    first = OF_SETTLEMENT * (1 + SEATS * int(g.pieces[seat, SETTLEMENT_PIECE]) + seat)
    for k in range(n):
        vertex = int(moves[k]) - SETTLEMENT_START
        if pips_alone:
            scores[k] = vertex_scores[vertex]
        draw = first + 2 * vertex
        scores[k] += spread * (below_at(way, draw, FINE) - below_at(way, draw + 1, FINE)) / FINE


@compiled
def complete(g, i, action, way, spread, weights, tries, vertex_scores, moves, scores):
    """Play a placement, then every seat's most valuable ones, until the set-up is over.

    Unless `way` is 0, the other seats settle by other tastes.
    """
    seat = g[i].seat
    play_on(g, i, action)
    while g[i].phase == PLACE_SETTLEMENT or g[i].phase == PLACE_ROAD:
        n = rank(g, i, tries, weights, vertex_scores, moves, scores)
        if way != 0 and g[i].phase == PLACE_SETTLEMENT and g[i].seat != seat:
            vary(g[i], way, spread, vertex_scores, moves, scores, n)
        play_on(g, i, moves[best_of_ranked(scores, n)])


@door
def rate_placements(
    states, i, ends, candidates, wins, ways, spread, net, features, hidden,
    weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """Write the acting seat's win probabilities where the set-up ends after each of `candidates`.

    `candidates` are placements in game `i`, (k,) int64, and `wins` is (k,) float64: the mean of
    several `ways` in which the other seats settle, by value in the first of them. `ends` is memory
    of one game; `net` is a network as `value.win_probability` takes it, in whose `features` those
    of the last position remain. The set-up has no luck.
    """
    seat = int(states[i].seat)
    score_vertices(states[i], weights, vertex_scores)
    for k in range(len(candidates)):
        total = 0.0
        for n in range(ways):
            ends[0] = states[i]
            show_hands(ends[0])
            complete(
                ends, 0, candidates[k], n, spread, weights, tries, vertex_scores, moves, scores
            )
            total += win_probability(ends[0], seat, net, features, hidden, vertex_scores)
        wins[k] = total / ways
