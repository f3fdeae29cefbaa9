"""Places have the names that people use, and no two share one."""

import pytest

from catan_env.game import geometry
from catan_env.game.action import Action
from catan_env.game.board import Board
from catan_env.render.place_names import (
    described,
    edge_names,
    names_after,
    tile_names,
    vertex_names,
)

BEGINNER = Board.beginner()


@pytest.mark.parametrize("seed", range(300))
def test_every_corner_and_edge_has_a_name_of_its_own(seed: int) -> None:
    board = Board.spiral(seed) if seed % 2 else Board.random_tokens(seed)
    assert len(set(vertex_names(board))) == len(geometry.VERTEX_TILES)
    assert len(set(edge_names(board))) == len(geometry.EDGE_VERTICES)


def test_a_corner_is_named_for_the_tiles_it_touches() -> None:
    tiles, names = tile_names(BEGINNER), vertex_names(BEGINNER)
    inland = next(v for v, touched in enumerate(geometry.VERTEX_TILES) if len(touched) == 3)
    for tile in geometry.VERTEX_TILES[inland]:
        assert tiles[tile] in names[inland]
    assert names[inland].startswith("the corner of ")


def test_a_corner_at_a_harbour_names_it() -> None:
    names = vertex_names(BEGINNER)
    for harbour in BEGINNER.harbours:
        kind = "" if harbour.resource is None else f"{harbour.resource.name.lower()} "
        for vertex in harbour.vertices:
            assert f"({harbour.rate}:1 {kind}harbour)" in names[vertex]
    at_harbours = {vertex for harbour in BEGINNER.harbours for vertex in harbour.vertices}
    assert sum("harbour" in name for name in names) == len(at_harbours)


def test_a_corner_that_touches_one_tile_is_named_by_its_direction() -> None:
    names = vertex_names(BEGINNER)
    for direction, place in (("north", (0, -2, "N")), ("north-west", (0, -3, "S"))):
        assert f"the {direction} corner" in names[Board.vertex_at(*place)]


def test_a_road_at_the_coast_is_named_for_the_side_of_its_tile() -> None:
    edge = Board.edge_at(0, -2, "NW")
    name = edge_names(BEGINNER)[edge]
    assert name == f"on the north-west side of {tile_names(BEGINNER)[Board.tile_at(0, -2)]}"


def test_an_action_is_described_without_the_number_of_a_place() -> None:
    names = vertex_names(BEGINNER)
    inland = next(e for e, touched in enumerate(geometry.EDGE_TILES) if len(touched) == 2)
    one, other = (tile_names(BEGINNER)[tile] for tile in geometry.EDGE_TILES[inland])
    assert described(Action.road(inland), BEGINNER) == f"build a road between {one} and {other}"
    assert described(Action.city(7), BEGINNER) == f"build a city at {names[7]}"
    robbed = described(Action.move_robber(4, 1), BEGINNER)
    assert robbed == f"move the robber to {tile_names(BEGINNER)[4]} and rob the next seat"
    assert described(Action.roll(), BEGINNER) == str(Action.roll())


def test_an_action_against_another_player_has_their_name() -> None:
    others = names_after(1, ["Ann", "Ben", "Cleo", "Dan"])
    assert others == ("Cleo", "Dan", "Ann")
    offer = Action.offer(3, (0, 0, 0, 0, 1), (1, 0, 0, 0, 0))
    assert described(offer, BEGINNER, others) == "offer 1 wool for 1 brick to Ann"
    robbed = described(Action.move_robber(4, 1), BEGINNER, others)
    assert robbed == f"move the robber to {tile_names(BEGINNER)[4]} and rob Cleo"
    nobody = described(Action.move_robber(4), BEGINNER, others)
    assert nobody.endswith("rob no one")


def test_corners_and_roads_at_the_coast_of_the_small_map_do_not_name_the_sea() -> None:
    board = Board.beginner(small_map=True)
    corners, edges = vertex_names(board), edge_names(board)
    assert not any("sea" in corners[vertex] for vertex in board.vertices)
    assert not any("sea" in edges[edge] for edge in board.edges)
    assert len({corners[vertex] for vertex in board.vertices}) == 24
    assert len({edges[edge] for edge in board.edges}) == 30
    top = geometry.TILE_VERTICES[4][0]
    assert corners[top] == "the north corner of 9 lumber"
