"""Playouts of moves: in worlds consistent with the view, every seat plays by the value function."""
# mypy: ignore-errors

from catan_env.core.actions import ROLL_ACTION
from catan_env.core.constants import OVER
from catan_env.kernel.jit import compiled, door
from catan_env.kernel.rng import word_at
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability

WORLD, FUTURE = 0, 1
"""Indices in the memory of worlds: as dealt, and as played on."""
WORLDS = 2
SHORT = 2
"""Turns of every seat in the playouts of the judge and of training, where speed counts more."""
ROLLS, PER_TURN = 1 << 20, 64
"""Each turn's roll is at `ROLLS + PER_TURN * turn` in a world's random numbers."""


@door
def deal(states, i, random):
    """Turn view `i`, in place, into a full game consistent with it; `random` is a 64-bit word."""
    deal_world(states[i], random)


@compiled
def ends_with(worlds, action, until):
    """Play `action`; True if turn `until` begins or the game ends.

    A world's dice are the same whatever was played before, so that candidates are compared with
    the same luck.
    """
    if action == ROLL_ACTION:
        worlds[FUTURE].draws = ROLLS + PER_TURN * worlds[FUTURE].turn
    play_on(worlds, FUTURE, action)
    return worlds[FUTURE].phase == OVER or worlds[FUTURE].turn >= until


@compiled
def play_until(worlds, action, until, weights, tries, vertex_scores, moves, scores):
    """Play `action`, then every seat by value, until turn `until` begins or the game ends."""
    while not ends_with(worlds, action, until):
        n = rank(worlds, FUTURE, tries, weights, vertex_scores, moves, scores)
        action = moves[best_of_ranked(scores, n)]


@door
def try_candidates(
    views,
    worlds,
    candidates,
    alive,
    sums,
    seed,
    first,
    count,
    turns,
    net,
    features,
    hidden,
    weights,
    tries,
    vertex_scores,
    moves,
    scores,
):
    """Play each candidate in worlds `first .. first + count - 1` of view 0.

    `candidates` (k,) int64 are flat indices, of which the first `alive` are tried; the win
    probabilities after `turns` more turns are added to `sums`, (k,) float64.
    """
    seat = int(views[0].seat)
    until = views[0].turn + turns
    score_vertices(views[0], weights, vertex_scores)
    for n in range(first, first + count):
        worlds[WORLD] = views[0]
        deal_world(worlds[WORLD], word_at(seed, n))
        for k in range(alive):
            worlds[FUTURE] = worlds[WORLD]
            play_until(worlds, candidates[k], until, weights, tries, vertex_scores, moves, scores)
            sums[k] += win_probability(worlds[FUTURE], seat, net, features, hidden, vertex_scores)
