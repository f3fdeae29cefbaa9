"""The reasons for an action, in pips and cards, on the beginner's board."""

from catan_env.game.action import Action
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import TILE_VERTICES, VERTEX_EDGES
from catan_env.render.reasons import corner_pips, reason
from tests.notation.random_games import random_game
from tests.web.positions import rich

NAMES = ["Ann", "Ben", "Cleo", "Dan"]


def test_a_settlement_counts_pips_and_new_resources() -> None:
    game = rich()
    text = reason(Action.settlement(0), game, NAMES)
    total = sum(corner_pips(game.board, 0).values())
    assert text.startswith(f"{total} pip")
    assert reason(Action.city(10), game, NAMES).startswith("+")


def test_corners_at_the_sea_have_the_pips_of_their_tiles_alone() -> None:
    board = Board.beginner()
    for vertex in range(54):
        pips = corner_pips(board, vertex)
        tiles = [board.tiles[t] for t, corners in enumerate(TILE_VERTICES) if vertex in corners]
        assert sum(pips.values()) == sum(6 - abs(7 - t.token) for t in tiles if t.token)


def test_the_robber_names_what_each_player_loses() -> None:
    game = rich(phase="robber", roll=7)
    tile = next(t for t, corners in enumerate(TILE_VERTICES) if 40 in corners and 46 not in corners)
    move = next(a for a in game.legal_actions if a.args[0] == tile and a.args[1] == 1)
    text = reason(move, game, NAMES)
    assert text.startswith("blocks pips: Ben ") and text.endswith("Ben holds 10 cards")


def test_a_road_names_the_corner_that_it_reaches() -> None:
    game = rich()
    edge = next(e for e in VERTEX_EDGES[10] if e not in game.roads(0))
    assert "corner" in reason(Action.road(edge), game, NAMES)


def test_a_development_card_has_the_chances_of_the_cards_that_are_unseen() -> None:
    text = reason(Action.buy_development_card(), rich(), NAMES)
    assert text == "25 in the deck: 56 % knight, 20 % victory point"


def test_every_legal_action_of_random_games_has_a_reason_or_none() -> None:
    for seed in range(3):
        for length in (10, 60, 150):
            game: Game = random_game(seed, 4, "base", length)
            for action in [] if game.is_over else game.legal_actions:
                text = reason(action, game, NAMES)
                assert "None" not in text and len(text) < 140
