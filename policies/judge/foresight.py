"""Each seat's chance to win, from games that go on by the value function."""
# mypy: ignore-errors

from catan_env.core.constants import NOBODY, OVER
from catan_env.core.mask import write_mask
from catan_env.kernel.bits import holds
from catan_env.kernel.jit import door, part
from catan_env.kernel.rng import word_at
from catan_env.policies.search.playouts import FUTURE, WORLD
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.outlook import outlook
from catan_env.policies.value.standing import weigh_vertices


@part
def share_out(g, sums, net, facts, hidden, worth):
    """Add each seat's share of one game: all of it to a winner, else as their chances say."""
    if g.winner != NOBODY:
        sums[g.winner] += 1.0
        return
    total = 0.0
    for seat in range(g.seats):
        if not holds(g.gone, seat):
            total += outlook(g, seat, net, facts, hidden, worth)
    for seat in range(g.seats):
        if not holds(g.gone, seat):
            sums[seat] += outlook(g, seat, net, facts, hidden, worth) / total


@door
def foresee(
    tables,
    worlds,
    sums,
    seed,
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
    """Add to `sums`, (seats,) float64, the seats' chances to win in `count` futures of table 0.

    A view is dealt a world for each; a whole game keeps its cards and draws anew. What the seats'
    chances are `turns` turns later is brought to a sum of 1.
    """
    until = tables[0].turn + turns
    weigh_vertices(tables[0], weights, worth)
    for n in range(count):
        worlds[WORLD] = tables[0]
        word = word_at(seed, n)
        if worlds[WORLD].viewer != NOBODY:
            deal_world(worlds[WORLD], word)
            write_mask(worlds[WORLD])
        worlds[WORLD].seed = word
        worlds[WORLD].draws = 0
        worlds[FUTURE] = worlds[WORLD]
        while worlds[FUTURE].phase != OVER and worlds[FUTURE].turn < until:
            k = rank(worlds, FUTURE, tries, weights, worth, moves, scores)
            play_on(worlds, FUTURE, moves[best_of_ranked(scores, k)])
        share_out(worlds[FUTURE], sums, net, facts, hidden, worth)
