"""Each seat's win probability, from games continued by the value function."""
# mypy: ignore-errors

from catan_env.core.constants import NOBODY, OVER
from catan_env.core.mask import write_mask
from catan_env.kernel.bits import holds
from catan_env.kernel.jit import compiled, door
from catan_env.kernel.rng import word_at
from catan_env.policies.search.playouts import FUTURE, WORLD
from catan_env.policies.search.worlds import deal_world
from catan_env.policies.value.choice import best_of_ranked, rank
from catan_env.policies.value.doors import play_on
from catan_env.policies.value.evaluation import score_vertices
from catan_env.policies.value.win_probability import win_probability


@compiled
def add_win_probabilities(g, sums, net, features, hidden, vertex_scores):
    """Add each seat's share of one game: all of it to a winner, otherwise its win probability."""
    if g.winner != NOBODY:
        sums[g.winner] += 1.0
        return
    total = 0.0
    for seat in range(g.seats):
        if not holds(g.gone, seat):
            total += win_probability(g, seat, net, features, hidden, vertex_scores)
    for seat in range(g.seats):
        if not holds(g.gone, seat):
            sums[seat] += win_probability(g, seat, net, features, hidden, vertex_scores) / total


@compiled
def begin_future(g, word):
    """Deal a view's hidden cards, or keep a full game's; later draws are others than the deal's."""
    if g.viewer != NOBODY:
        deal_world(g, word)
        write_mask(g)
    else:
        g.seed = word
        g.draws = 0


@door
def play_futures(
    tables,
    worlds,
    sums,
    seed,
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
    """Add to `sums`, (seats,) float64, the win probabilities in `count` futures of table 0.

    For a view, each future starts from hidden cards dealt at random; a full game keeps its cards
    and draws again. After `turns` turns the seats' win probabilities are normalized to a sum of 1.
    """
    until = tables[0].turn + turns
    score_vertices(tables[0], weights, vertex_scores)
    for n in range(count):
        worlds[WORLD] = tables[0]
        begin_future(worlds[WORLD], word_at(seed, n))
        worlds[FUTURE] = worlds[WORLD]
        while worlds[FUTURE].phase != OVER and worlds[FUTURE].turn < until:
            k = rank(worlds, FUTURE, tries, weights, vertex_scores, moves, scores)
            play_on(worlds, FUTURE, moves[best_of_ranked(scores, k)])
        add_win_probabilities(worlds[FUTURE], sums, net, features, hidden, vertex_scores)
