"""Playouts of the first settlements, in worlds whose other seats settle by tastes of their own."""
# mypy: ignore-errors

from catan_env.core.actions import ROLL_ACTION
from catan_env.kernel.jit import door
from catan_env.kernel.rng import word_at
from catan_env.policies.search.playouts import FUTURE, WORLD, play_until
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.set_up.doors import complete
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability


@door
def try_placements(
    views, worlds, candidates, alive, sums, seed, first, count, turns,
    spread, net, features, hidden, weights, tries, vertex_scores, moves, scores,
):  # fmt: skip
    """Settle at each candidate in worlds `first .. first + count - 1` of view 0, and play on.

    As `playouts.try_candidates`; `spread` is that of `policies/set_up`, whose ways the worlds take.
    """
    seat = int(views[0].seat)
    until = views[0].turn + turns
    score_vertices(views[0], weights, vertex_scores)
    for n in range(first, first + count):
        worlds[WORLD] = views[0]
        deal_world(worlds[WORLD], word_at(seed, n))
        for k in range(alive):
            worlds[FUTURE] = worlds[WORLD]
            complete(
                worlds, FUTURE, candidates[k], n + 1, spread,
                weights, tries, vertex_scores, moves, scores,
            )  # fmt: skip
            play_until(worlds, ROLL_ACTION, until, weights, tries, vertex_scores, moves, scores)
            sums[k] += win_probability(worlds[FUTURE], seat, net, features, hidden, vertex_scores)
