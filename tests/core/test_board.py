"""The board's tables, compared with an independent list of its places."""

from collections import Counter
from pathlib import Path

from catan_env import Board, geometry

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "board.txt"


def listed() -> list[str]:
    """The board in the form of the list, written from the tables."""
    lines = []
    for t, (q, r) in enumerate(geometry.TILE_COORDS):
        around = geometry.TILE_VERTICES[t], geometry.TILE_EDGES[t], geometry.TILE_NEIGHBOURS[t]
        lines.append(line("tile", t, (q, r), ("vertices", "edges", "neighbours"), around))
    for v, name in enumerate(geometry.VERTEX_NAMES):
        around = geometry.VERTEX_TILES[v], geometry.VERTEX_EDGES[v]
        around += (sorted(geometry.VERTEX_NEIGHBOURS[v]),)
        lines.append(line("vertex", v, name, ("tiles", "edges", "neighbours"), around))
    for e, name in enumerate(geometry.EDGE_NAMES):
        around = geometry.EDGE_VERTICES[e], geometry.EDGE_TILES[e]
        lines.append(line("edge", e, name, ("vertices", "tiles"), around))
    lines.append(f"harbours: {' '.join(map(str, geometry.STANDARD_HARBOUR_EDGES))}")
    return lines


def line(noun: str, number: int, name: tuple, words: tuple, lists: tuple) -> str:
    touching = [
        f"{word} {' '.join(map(str, numbers))}" for word, numbers in zip(words, lists, strict=True)
    ]
    return f"{noun} {number}: {'; '.join([' '.join(map(str, name)), *touching])}"


def test_tiles_vertices_and_edges_have_the_numbers_and_neighbours_of_the_list() -> None:
    golden = [row for row in GOLDEN.read_text().splitlines() if not row.startswith("#")]
    assert listed() == golden


def test_the_board_has_the_shape_of_the_booklets() -> None:
    assert Counter(map(len, geometry.VERTEX_EDGES)) == {2: 18, 3: 36}
    assert Counter(map(len, geometry.VERTEX_TILES)) == {1: 18, 2: 12, 3: 24}
    assert Counter(map(len, geometry.EDGE_TILES)) == {1: 30, 2: 42}
    assert len({frozenset(ends) for ends in geometry.EDGE_VERTICES}) == 72


def test_names_of_places_and_their_numbers_are_inverse() -> None:
    for at, name, names in (
        (Board.tile_at, Board.tile_name, geometry.TILE_COORDS),
        (Board.vertex_at, Board.vertex_name, geometry.VERTEX_NAMES),
        (Board.edge_at, Board.edge_name, geometry.EDGE_NAMES),
    ):
        assert [at(*place) for place in names] == list(range(len(names)))
        assert tuple(map(name, range(len(names)))) == names


def test_an_edge_lies_between_tiles_and_vertices_that_touch() -> None:
    for e, (a, b) in enumerate(geometry.EDGE_VERTICES):
        assert b in geometry.VERTEX_NEIGHBOURS[a] and a in geometry.VERTEX_NEIGHBOURS[b]
        shared = set(geometry.VERTEX_TILES[a]) & set(geometry.VERTEX_TILES[b])
        assert shared == set(geometry.EDGE_TILES[e])
