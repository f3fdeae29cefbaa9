"""What comes of a move: in worlds that the view allows everybody plays on by the value function."""
# mypy: ignore-errors

from catan_env.core.constants import OVER
from catan_env.kernel.jit import door, part
from catan_env.kernel.rng import word_at
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.outlook import outlook
from catan_env.policies.value.standing import weigh_vertices

WORLD, FUTURE = 0, 1
"""Places in the memory of worlds: as dealt, and played on."""
WORLDS = 2


@door
def deal(states, i, random):
    """Make of the view `i`, in place, a whole game that it allows; `random` is a 64-bit word."""
    deal_world(states[i], random)


@part
def play_until(worlds, action, until, weights, tries, worth, moves, scores):
    """Play `action`, then every seat by value, until turn `until` begins or the game ends."""
    while True:
        play_on(worlds, FUTURE, action)
        if worlds[FUTURE].phase == OVER or worlds[FUTURE].turn >= until:
            return
        n = rank(worlds, FUTURE, tries, weights, worth, moves, scores)
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
    facts,
    hidden,
    weights,
    tries,
    worth,
    moves,
    scores,
):
    """Play each candidate in worlds number `first .. first + count - 1` of view 0.

    `candidates` (k,) int64 are flat indices, of which the first `alive` are tried; the chances to
    win after `turns` more turns are added to `sums`, (k,) float64.
    """
    seat = int(views[0].seat)
    until = views[0].turn + turns
    weigh_vertices(views[0], weights, worth)
    for n in range(first, first + count):
        worlds[WORLD] = views[0]
        deal_world(worlds[WORLD], word_at(seed, n))
        for k in range(alive):
            worlds[FUTURE] = worlds[WORLD]
            play_until(worlds, candidates[k], until, weights, tries, worth, moves, scores)
            sums[k] += outlook(worlds[FUTURE], seat, net, facts, hidden, worth)
