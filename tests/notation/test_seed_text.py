"""The text's own examples are read when corrected, and rejected as printed."""

import json
from typing import Any

import pytest

from catan_env import Action, Board, Game, Resource, geometry
from catan_env.notation import NotationError, dumps, from_board, loads, problems, to_board
from catan_env.notation.files import parse
from catan_env.notation.places import edge_path, intersection, to_edge, to_vertex
from tests.notation import seed_text
from tests.notation.random_games import random_game


def as_map(value: Any) -> dict[str, Any]:
    return {"uuid": "map", "player": "A", "event": "MD", "value": value}


def one_message(text: str) -> dict[str, Any]:
    (message,) = json.loads(f"[{text}]")
    return message


def normal(board: Board) -> Board:
    """The same board with harbours' vertices ascending: a path may be named from either end."""
    harbours = (h._replace(vertices=tuple(sorted(h.vertices))) for h in board.harbours)
    return Board(board.tiles, tuple(harbours))


def test_the_starter_map_is_a_board_and_comes_back() -> None:
    board = to_board(as_map(seed_text.corrected_map()))
    assert normal(board) == normal(Board.sgn_starter())
    assert to_board(as_map(from_board(board))) == board
    game = Game(4, seed=1, board=board)
    game.play(Action.settlement(20))
    assert Game.from_sgn(game.to_sgn()) == game


def test_the_map_as_printed_lacks_a_hex() -> None:
    with pytest.raises(NotationError) as caught:
        to_board(as_map(json.loads(seed_text.DESERT_WITH_KEY)))
    assert caught.value.path == ".value.tiles"
    assert "36 hexes" in str(caught.value) and "[0, -2] is missing" in str(caught.value)


def test_the_desert_as_printed_lacks_a_key() -> None:
    """That is not valid JSON. Without key and null it is read: desert and sea have no number."""
    with pytest.raises(NotationError, match="line 30"):
        parse(f"[{seed_text.MAP}]")
    value = seed_text.corrected_map()
    for tile in value["tiles"]:
        if tile["tCode"] in ("D", "S"):
            del tile["rNumber"]
    assert normal(to_board(as_map(value))) == normal(Board.sgn_starter())
    hills = next(k for k, tile in enumerate(value["tiles"]) if tile["tCode"] == "H")
    del value["tiles"][hills]["rNumber"]
    with pytest.raises(NotationError, match="rNumber is missing") as caught:
        to_board(as_map(value))
    assert caught.value.path == f".value.tiles[{hills}]"


@pytest.mark.parametrize(
    ("text", "lines"),  # Python 3.13 points at the extra comma, older ones after it
    [
        (seed_text.PLAYER_ADD, "[56]"),
        (seed_text.CHAT, "[56]"),
        (seed_text.TILE, "2"),
        (seed_text.BANK_TRADE_MESSAGE, "6"),
    ],
)
def test_examples_that_are_not_json_name_the_place(text: str, lines: str) -> None:
    with pytest.raises(NotationError, match=f"no JSON in line {lines}"):
        parse(f"[{text}]")


def test_an_array_needs_its_commas() -> None:
    with pytest.raises(NotationError, match="a comma is missing between messages"):
        parse(f"[{seed_text.END_OF_DEPLOYMENT}]")
    messages, is_cut = parse(seed_text.END_OF_DEPLOYMENT)
    assert [message["event"] for message in messages] == ["RE", "PE"] and not is_cut


def test_corrected_messages_have_the_shape_that_the_schema_wants() -> None:
    texts = [
        seed_text.without_last_commas(seed_text.PLAYER_ADD),
        seed_text.END_OF_DEPLOYMENT.replace("}\n  {", "},\n  {"),
        seed_text.BANK_TRADE_MESSAGE.replace('}\n    "uuid"', '},\n    "uuid"'),
        seed_text.without_last_commas(seed_text.CHAT),
        seed_text.OFFER,
        json.dumps(as_map(seed_text.corrected_map())),
    ]
    for text in texts:
        assert list(problems(json.loads(f"[{text}]"))) == []


def test_the_figure_gives_two_corners_one_place() -> None:
    vertices = {name: to_vertex(json.loads(text), "") for name, text in seed_text.CORNERS.items()}
    assert vertices["N"] == vertices["NW"]
    with pytest.raises(NotationError, match="the same"):
        corners = [json.loads(seed_text.CORNERS[name]) for name in ("N", "NW")]
        to_edge(corners, "path")
    vertices["N"] = to_vertex([[0, -1], [1, -1], [0, 0]], "")
    centre = geometry.TILE_VERTICES[Board.tile_at(0, 0)]
    assert tuple(vertices[name] for name in ("N", "NE", "SE", "S", "SW", "NW")) == centre


def test_places_are_compared_as_sets_and_written_one_way() -> None:
    edge = to_edge(json.loads(seed_text.PATH), "")
    assert set(geometry.EDGE_VERTICES[edge]) == set(
        geometry.TILE_VERTICES[Board.tile_at(0, 0)][3:5]
    )
    for vertex in range(54):
        hexes = intersection(vertex)
        assert to_vertex(hexes, "") == vertex
        assert to_vertex([hexes[1], hexes[2], hexes[0]], "") == vertex
        assert to_vertex([[str(n) for n in place] for place in hexes], "") == vertex
        assert hexes[0] == min(hexes, key=lambda place: (place[1], place[0]))
    for edge in range(72):
        assert to_edge(edge_path(edge)[::-1], "") == edge


def table_with_offer() -> tuple[Game, int]:
    """A game of three: player 1 is on turn and may offer 2 brick for a wool of player 2."""
    for seed in range(2000):
        game = random_game(seed, 3, "base", 250)
        hands = game.hand(0), game.hand(1)
        may = game.phase.name == "MAIN" and game.seat == 0
        if may and hands[0][Resource.BRICK] >= 2 and hands[1][Resource.WOOL]:
            return game, seed
    raise AssertionError("no such game")


def test_the_offer_is_made_accepted_and_fulfilled() -> None:
    game, _ = table_with_offer()
    before = game.to_sgn()
    read = Game.from_sgn(before + seed_text.corrected_offer())
    game.play(Action.offer(1, {Resource.BRICK: 2}, Resource.WOOL))
    game.play(Action.accept())
    assert read == game


def test_the_offer_is_not_fulfilled_by_another() -> None:
    game, _ = table_with_offer()
    before = game.to_sgn()
    with pytest.raises(NotationError) as caught:
        loads(before + json.loads(f"[{seed_text.OFFER}]"))
    assert (caught.value.index, caught.value.uuid) == (len(before) + 2, "#")
    assert caught.value.path == f"$[{len(before) + 2}].value"


def test_the_banks_trade_may_be_written_in_strings() -> None:
    text = seed_text.BANK_TRADE_MESSAGE.replace('}\n    "uuid"', '},\n    "uuid"')
    for seed in range(3000):
        game = random_game(seed, 2, "duel", 200)
        if game.phase.name == "MAIN" and game.seat == 1 and game.hand(1)[Resource.ORE] >= 4:
            break
    read = Game.from_sgn([*game.to_sgn(), one_message(text)])
    game.play(Action.bank_trade(Resource.ORE, Resource.BRICK, 4))
    assert read == game


def test_resources_sum_to_zero() -> None:
    game, _ = table_with_offer()
    offer = seed_text.corrected_offer()[0]
    offer["value"]["resources"][1]["W"] = -2
    before = game.to_sgn()
    with pytest.raises(NotationError, match="W sum to -1") as caught:
        loads([*before, offer])
    assert caught.value.path == f"$[{len(before)}].value.resources[1].W"


def test_a_card_is_named_by_code_or_ccode() -> None:
    messages = random_game(1, 4).to_sgn()
    played = [message for message in messages if message["event"] == "PD"]
    assert played
    for message in played:
        message["value"]["code"] = message["value"].pop("cCode")
    assert Game.from_sgn(dumps(messages)) == random_game(1, 4)
