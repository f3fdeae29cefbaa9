"""The win-probability network: its inputs and its output."""

from random import Random

import numpy as np
import pytest

from catan_env import Game
from catan_env.core.board import EDGE_VERTICES, PIPS, VERTEX_NEIGHBOURS, VERTEX_TILES
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value import win_probability
from catan_env.policies.value.names import NAMES
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork, net_for, num_features


def features_of(game: Game, seat: int) -> np.ndarray:
    """The features of a seat."""
    features = np.zeros((1, num_features(game.seats)))
    weights, scores = row(weights_for(game.seats)), Scratch().vertex_scores
    win_probability.write_features_of_games(
        game._states, np.array([seat]), weights, scores, features, 0, 1
    )
    return features[0]


def score_of(game: Game, vertex: int) -> float:
    """The production of a settlement at the vertex, in pips weighted by resource."""
    weights = dict(zip(NAMES, weights_for(game.seats), strict=True))
    names = ("brick", "grain", "lumber", "ore", "wool")
    tiles = (game.board.tiles[tile] for tile in VERTEX_TILES[vertex])
    return sum(weights[names[t.terrain]] * PIPS[t.token] for t in tiles if t.token)


def expected(game: Game, seat: int) -> list[float]:
    """The same features from the public methods of the game, seat by seat."""
    features = []
    for k in range(game.seats):
        features += of_seat(game, (seat + k) % game.seats)
    return [*features, game.turn_seat == seat, game.turn, game.deck_size]


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
        places += [max((score_of(game, v) for v in vertices), default=0), len(vertices)]
    return [*standing, *pips, robbed, *cards, *places]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_features_are_those_that_the_table_shows(seats: int) -> None:
    random, seen = Random(seats), 0
    for seed in range(4):
        game = Game(seats, seed=seed)
        while not game.is_over and game.turn < 300:
            game.play(int(random.choice(game.legal_actions.indices)))
            if random.random() < 0.1 and game.turn:
                seat = random.randrange(seats)
                np.testing.assert_allclose(features_of(game, seat), expected(game, seat), atol=1e-9)
                seen += 1
    assert seen > 200


def test_the_network_is_one_layer_of_rectified_units() -> None:
    ensure_search()
    draw = np.random.default_rng(3)
    for seats in (2, 3, 4):
        net = net_for(seats)
        network = WinNetwork(seats)
        for features in draw.normal(2, 4, (200, num_features(seats))).round():
            network.memory[1][:] = features
            found = win_probability.log_odds(*network.memory)
            right = np.maximum(features @ net[:-2] + net[-2], 0) @ net[-1]
            assert found == pytest.approx(right, abs=1e-9)
