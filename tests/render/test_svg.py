"""A picture shows the whole table: every tile, harbour and piece once, and one row per seat."""

import itertools
import random
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from math import hypot

import numpy as np
import pytest

from catan_env import Board, DevelopmentCard, Game, Resource, Terrain, geometry
from catan_env.game.board import Harbour, Tile
from catan_env.render import board_svg, rasterize
from catan_env.render.artwork import SEAT_COLOURS
from catan_env.render.layout import TILE_CENTRES, harbour_ships

SVG = "{http://www.w3.org/2000/svg}"


def played(seats: int = 4, seed: int = 7, actions: int = 250, rules: str = "base") -> Game:
    """A random game in progress."""
    game = Game(seats=seats, seed=seed, rules=rules)
    chance = random.Random(seed)
    for _ in range(actions):
        if game.is_over:
            break
        game.play(chance.choice(list(game.legal_actions)))
    return game


def drawn(picture: str, *attributes: str) -> Counter[tuple[str, ...]]:
    """The values of these attributes, over all elements that have all of them."""
    elements = ET.fromstring(picture).iter()
    return Counter(
        tuple(e.attrib[a] for a in attributes)
        for e in elements
        if all(a in e.attrib for a in attributes)
    )


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("actions", [0, 3, 40, 400])
def test_a_picture_is_xml_that_needs_nothing_from_elsewhere(seats: int, actions: int) -> None:
    root = ET.fromstring(board_svg(played(seats, seed=actions, actions=actions)))
    names = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert root.tag == f"{SVG}svg"
    for element in root.iter():
        assert element.tag not in {f"{SVG}style", f"{SVG}script", f"{SVG}image"}
        assert element.get("href", "#catan-robber").removeprefix("#") in names


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_piece_is_drawn_once(seats: int) -> None:
    game = played(seats, actions=600)
    picture = board_svg(game)
    roads = [(str(s), str(e)) for s in range(seats) for e in game.roads(s)]
    houses = [(s, v, "settlement") for s in range(seats) for v in game.settlements(s)]
    houses += [(s, v, "city") for s in range(seats) for v in game.cities(s)]
    assert drawn(picture, "data-seat", "data-edge") == Counter(roads)
    assert drawn(picture, "data-seat", "data-vertex", "href") == Counter(
        (str(s), str(v), f"#catan-{name}-{s}") for s, v, name in houses
    )
    assert len(roads) > 2 * seats
    assert drawn(picture, "data-robber") == Counter([(str(game.robber),)])


def test_every_tile_token_and_harbour_is_drawn_once() -> None:
    board = Board.beginner()
    picture = board_svg(Game(seed=1, board=board))
    assert drawn(picture, "data-tile") == Counter((str(tile),) for tile in range(19))
    assert drawn(picture, "data-token") == Counter(
        (str(tile.token),) for tile in board.tiles if tile.token
    )
    assert drawn(picture, "data-harbour") == Counter(
        {
            ("any 3:1",): 4,
            **{(f"{r.name.lower()} 2:1",): 1 for r in Resource},
        }
    )


def test_the_small_map_is_drawn_in_the_same_sea() -> None:
    game = played(seats=3, rules="small")
    picture = board_svg(game)
    land = [tile for tile in range(19) if game.board.tiles[tile].terrain != Terrain.SEA]
    assert drawn(picture, "data-tile") == Counter((str(tile),) for tile in land)
    assert drawn(picture, "data-harbour") == Counter({("any 3:1",): 3})
    ships = harbour_ships([harbour.vertices for harbour in game.board.harbours], small_map=True)
    distances = [
        min(hypot(x - TILE_CENTRES[t][0], y - TILE_CENTRES[t][1]) for t in land) for x, y in ships
    ]
    assert all(100 < distance < 130 for distance in distances), "a ship lies at its tile"


def test_a_tile_is_at_its_coordinates() -> None:
    x, y = TILE_CENTRES[Board.tile_at(1, 0)]
    assert (x > 0, y) == (True, 0)
    x, y = TILE_CENTRES[Board.tile_at(0, 1)]
    assert x > 0 and y > 0


def test_the_same_position_gives_the_same_bytes() -> None:
    game = played()
    picture = board_svg(game)
    assert board_svg(game) == board_svg(game.copy()) == board_svg(played()) == picture
    game.play(next(iter(game.legal_actions)))
    assert board_svg(game) != picture


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_sees_the_same_picture_as_all_others(seats: int) -> None:
    for actions in (5, 300):
        game = played(seats, actions=actions)
        for seat in range(seats):
            assert board_svg(game.view(seat)) == board_svg(game)


def test_the_legend_has_a_line_for_each_seat() -> None:
    game = Game.from_position(
        board=Board.beginner(),
        seats=3,
        settlements={0: [Board.vertex_at(0, 0, "N")], 1: [Board.vertex_at(1, 0, "S")]},
        hands={1: {Resource.ORE: 6, Resource.WOOL: 3}},
        cards={1: {DevelopmentCard.VICTORY_POINT: 2}},
        played={1: {DevelopmentCard.KNIGHT: 3}},
        turn_seat=1,
        turn=12,
        phase="main",
        roll=8,
    )
    picture = board_svg(game)
    said = words(picture)
    # Public points, two of them for Largest Army; hand, cards, road, knights.
    assert said[said.index("player_1") :][:6] == ["player_1", "3", "9", "2", "0", "3"]
    assert said[said.index("player_0") :][:6] == ["player_0", "1", "0", "0", "0", "0"]
    assert drawn(picture, "data-award") == Counter([("knights",)])
    assert "player_1 builds and trades" in said
    assert said[said.index("roll") + 1] == "8"
    assert said[said.index("turn") + 1] == "12"
    assert "player_3" not in said


def test_a_finished_game_names_the_winner() -> None:
    game = played(seats=2, seed=3, actions=20_000, rules="duel")
    assert game.is_over
    assert f"player_{game.winner} wins" in words(board_svg(game))


def test_a_ship_is_in_the_sea_and_on_no_other_for_any_vertices() -> None:
    chance = random.Random(5)
    coasts = [[geometry.EDGE_VERTICES[edge] for edge in geometry.STANDARD_HARBOUR_EDGES]]
    coasts += [[tuple(chance.sample(range(54), 2)) for _ in range(9)] for _ in range(20)]
    coasts += [[(0, 5)] * 9, [(26, 37)] * 9]
    for coast in coasts:
        ships = harbour_ships(coast)
        assert len(ships) == 9
        assert min(hypot(x - tx, y - ty) for x, y in ships for tx, ty in TILE_CENTRES) > 100
        assert (
            min(hypot(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(ships, 2)) > 80
        )


def test_a_board_of_deserts_and_odd_harbours_can_be_drawn() -> None:
    tiles = (*[Tile(Terrain.DESERT, 0)] * 18, Tile(Terrain.HILLS, 0))
    harbours = (Harbour((0, 53), None, 100), Harbour((0, 53), Resource.ORE, 1))
    picture = board_svg(Game(seed=1, board=Board(tiles, harbours)))
    assert drawn(picture, "data-harbour") == Counter([("any 100:1",), ("ore 1:1",)])
    assert not drawn(picture, "data-token")


def test_seats_can_be_told_apart_without_hue() -> None:
    def luminance(colour: str) -> float:
        parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return sum(w * part**2.2 for w, part in zip((0.21, 0.72, 0.07), parts, strict=True))

    tones = sorted(map(luminance, SEAT_COLOURS))
    ratios = [(b + 0.05) / (a + 0.05) for a, b in itertools.pairwise(tones)]
    assert min(ratios) > 1.8


@pytest.mark.parametrize("width", [160, 320, 800])
def test_a_picture_is_as_wide_as_asked(width: int) -> None:
    pytest.importorskip("resvg_py")
    picture = board_svg(played(), width=width)
    assert ET.fromstring(picture).attrib["width"] == str(width)
    pixels = rasterize(picture, width)
    assert pixels.dtype == np.uint8
    assert pixels.shape == (int(ET.fromstring(picture).attrib["height"]), width, 3)


def test_pixels_are_reproducible_and_contain_the_text() -> None:
    pytest.importorskip("resvg_py")
    picture = board_svg(played())
    pixels = rasterize(picture, 400)
    assert np.array_equal(rasterize(picture, 400), pixels)
    silent = rasterize(picture.replace(">player_0<", "><"), 400)
    rows, columns = np.nonzero((silent != pixels).any(axis=2))
    assert len(rows) > 200
    assert rows.min() > 360 and columns.max() < 200


def test_without_the_library_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[render\]'"):
        rasterize("<svg/>", 100)
