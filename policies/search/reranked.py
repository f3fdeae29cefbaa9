"""Playouts in which the searching seat itself plays as a network reorders its moves.

The other seats play by the value function, as in `playouts`. The network (`policies/rerank`) costs
several times as much per decision; at the other seats it would cost more than it tells.
"""
# mypy: ignore-errors

from catan_env.kernel.jit import compiled, door
from catan_env.kernel.rng import word_at
from catan_env.policies.rerank.doors import reranked
from catan_env.policies.search.playouts import FUTURE, WORLD, ends_with
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability


@compiled
def play_until(
    worlds, action, seat, until, line, units, shares, inner, seen, inputs,
    weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """Play `action`, then `seat` by the network and the others by value, until turn `until`."""
    while not ends_with(worlds, action, until):
        if worlds[FUTURE].seat == seat:
            action = reranked(
                worlds, FUTURE, line, units, shares, inner, seen, inputs,
                weights, tries, vertex_scores, moves, scores,
            )  # fmt: skip
        else:
            n = rank(worlds, FUTURE, tries, weights, vertex_scores, moves, scores)
            action = moves[best_of_ranked(scores, n)]


@door
def try_reranked(
    views, worlds, candidates, alive, sums, seed, first, count, turns,
    line, units, shares, inner, seen, inputs,
    net, features, hidden, weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """Play each candidate in worlds `first .. first + count - 1` of view 0.

    As `playouts.try_candidates`; `line` to `inputs` are a network of `policies/rerank`, whose sums
    are `inner`.
    """
    seat = int(views[0].seat)
    until = views[0].turn + turns
    score_vertices(views[0], weights, vertex_scores)
    for n in range(first, first + count):
        worlds[WORLD] = views[0]
        deal_world(worlds[WORLD], word_at(seed, n))
        for k in range(alive):
            worlds[FUTURE] = worlds[WORLD]
            play_until(
                worlds, candidates[k], seat, until, line, units, shares, inner, seen, inputs,
                weights, tries, vertex_scores, moves, scores,
            )  # fmt: skip
            sums[k] += win_probability(worlds[FUTURE], seat, net, features, hidden, vertex_scores)
