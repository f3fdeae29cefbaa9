"""A position's odds: what they are told of it, and what they make of that."""

from random import Random

import numpy as np
import pytest

from catan_env import Game
from catan_env.core.board import EDGE_VERTICES, PIPS, VERTEX_NEIGHBOURS, VERTEX_TILES
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value import outlook
from catan_env.policies.value.names import NAMES
from catan_env.policies.value.odds import Odds, net_for, num_facts
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for


def told(game: Game, seat: int) -> np.ndarray:
    """The facts of a seat."""
    facts = np.zeros((1, num_facts(game.seats)))
    weights, worth = row(weights_for(game.seats)), Scratch().worth
    outlook.tell_games(game._states, np.array([seat]), weights, worth, facts, 0, 1)
    return facts[0]


def worth_of(game: Game, vertex: int) -> float:
    """What a settlement there yields, in pips weighed by resource."""
    weights = dict(zip(NAMES, weights_for(game.seats), strict=True))
    names = ("brick", "grain", "lumber", "ore", "wool")
    tiles = (game.board.tiles[tile] for tile in VERTEX_TILES[vertex])
    return sum(weights[names[t.terrain]] * PIPS[t.token] for t in tiles if t.token)


def expected(game: Game, seat: int) -> list[float]:
    """The same by the table's own words, a seat after the other."""
    facts = []
    for k in range(game.seats):
        facts += of_seat(game, (seat + k) % game.seats)
    return [*facts, game.turn_seat == seat, game.turn, game.deck_size]


def of_seat(game: Game, seat: int) -> list[float]:
    others = [game.road_length(other) for other in range(game.seats) if other != seat]
    standing = [
        game.rules.points_to_win - game.points(seat, hidden=False),
        game.knights(seat),
        game.largest_army_seat == seat,
        game.road_length(seat),
        max(-3, min(3, game.road_length(seat) - max(others))),
        game.longest_road_seat == seat,
        *game.pieces(seat),
        max(game.hand_size(seat) - 7, 0),
    ]
    pips, robbed = [0] * 5, 0
    for n, buildings in ((1, game.settlements(seat)), (2, game.cities(seat))):
        for tile in (tile for vertex in buildings for tile in VERTEX_TILES[vertex]):
            if token := game.board.tiles[tile].token:
                pips[game.board.tiles[tile].terrain] += n * PIPS[token]
                robbed += n * PIPS[token] * (tile == game.robber)
    cards = [*game.hand(seat), *(4 - rate for rate in game.trade_rates(seat)), *game.cards(seat)]
    built = {v for s in range(game.seats) for v in (*game.settlements(s), *game.cities(s))}
    closed = built | {v for vertex in built for v in VERTEX_NEIGHBOURS[vertex]}
    mine = {*game.settlements(seat), *game.cities(seat)}
    ends = {v for edge in game.roads(seat) for v in EDGE_VERTICES[edge]}
    laid = {edge for s in range(game.seats) for edge in game.roads(s)}
    from_here = (ends | mine) - (built - mine)
    near = {
        vertex
        for edge, pair in enumerate(EDGE_VERTICES)
        if edge not in laid and from_here & set(pair)
        for vertex in pair
    }
    places = []
    for vertices in (ends - closed, near - ends - closed):
        places += [max((worth_of(game, v) for v in vertices), default=0), len(vertices)]
    return [*standing, *pips, robbed, *cards, *places]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_odds_are_told_is_what_the_table_says(seats: int) -> None:
    random, seen = Random(seats), 0
    for seed in range(12):
        game = Game(seats, seed=seed)
        while not game.is_over and game.turn < 300:
            game.play(random.choice(list(game.legal_actions)))
            if random.random() < 0.05 and game.turn:
                seat = random.randrange(seats)
                np.testing.assert_allclose(told(game, seat), expected(game, seat), atol=1e-9)
                seen += 1
    assert seen > 200


def test_the_network_is_one_layer_of_rectified_units() -> None:
    ensure_search()
    draw = np.random.default_rng(3)
    for seats in (2, 3, 4):
        net = net_for(seats)
        odds = Odds(seats)
        for facts in draw.normal(2, 4, (200, num_facts(seats))).round():
            odds.memory[1][:] = facts
            said = outlook.log_odds(*odds.memory)
            right = np.maximum(facts @ net[:-2] + net[-2], 0) @ net[-1]
            assert said == pytest.approx(right, abs=1e-9)
