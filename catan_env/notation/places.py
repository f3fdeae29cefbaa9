"""Places in Settlers Game Notation: every hex of land and sea by axial coordinates.

An intersection is the three hexes that meet there, clockwise; a path is two neighbouring
intersections. The reader accepts any first hex; the writer begins with the northernmost and
westernmost:

       N corner of (q, r)                       S corner of (q, r)

    (q, r-1) | (q+1, r-1)                            (q, r)
             *                                         *
          (q, r)                         (q-1, r+1)    |    (q, r+1)
"""

from typing import Any

from catan_env.game import geometry
from catan_env.notation.errors import NotationError, unlike

Hex = tuple[int, int]
Path = list[list[list[int]]]

RADIUS = 3
HEXES: tuple[Hex, ...] = tuple(
    (q, r)
    for r in range(-RADIUS, RADIUS + 1)
    for q in range(-RADIUS, RADIUS + 1)
    if abs(q + r) <= RADIUS
)
"""All 37 hexes, including the sea ring, row by row."""

_CORNERS = {"N": ((0, -1), (1, -1), (0, 0)), "S": ((0, 0), (0, 1), (-1, 1))}


def _hexes_of(name: tuple[int, int, str]) -> tuple[Hex, Hex, Hex]:
    q, r, corner = name
    a, b, c = ((q + dq, r + dr) for dq, dr in _CORNERS[corner])
    return a, b, c


_VERTEX_HEXES = tuple(_hexes_of(name) for name in geometry.VERTEX_NAMES)
_VERTICES = {frozenset(hexes): vertex for vertex, hexes in enumerate(_VERTEX_HEXES)}
_EDGES = {ends: edge for edge, ends in enumerate(geometry.EDGE_VERTICES)}
_HEXES = frozenset(HEXES)
_TILES = geometry.TILE_NUMBERS


def tile_place(tile: int) -> list[int]:
    """Return the hex of a tile."""
    return list(geometry.TILE_COORDS[tile])


def intersection(vertex: int) -> list[list[int]]:
    """Return the intersection at a vertex."""
    return [list(place) for place in _VERTEX_HEXES[vertex]]


def path(vertices: tuple[int, int]) -> Path:
    """Return the path between two vertices."""
    return [intersection(vertex) for vertex in vertices]


def edge_path(edge: int) -> Path:
    """Return the path along an edge."""
    return path(geometry.EDGE_VERTICES[edge])


def to_number(value: Any, at: str) -> int:
    """Return a whole number, written as a number or as a string."""
    if type(value) is int:
        return value
    if isinstance(value, str) and len(value) <= 24:
        digits = value.removeprefix("-")
        if digits.isascii() and digits.isdecimal():
            return int(value)
    raise unlike(value, "expected a whole number", at)


def to_hex(value: Any, at: str) -> Hex:
    """Return one of the 37 hexes."""
    if not isinstance(value, list) or len(value) != 2:
        raise unlike(value, "expected a hex, [q, r]", at)
    q, r = value
    if not type(q) is type(r) is int:
        q, r = to_number(q, f"{at}[0]"), to_number(r, f"{at}[1]")
    place = q, r
    if place not in _HEXES:
        raise unlike(value, f"expected a hex within {RADIUS} of [0, 0]", at)
    return place


def tile_number(place: Hex) -> int | None:
    """Return the tile at a hex; None for the sea."""
    return _TILES.get(place)


def to_tile(value: Any, at: str) -> int:
    """Return a tile's number from its hex, which must be land."""
    place = to_hex(value, at)
    if place not in _TILES:
        raise unlike(value, "expected one of the 19 hexes of land, within 2 of [0, 0]", at)
    return _TILES[place]


def to_vertex(value: Any, at: str) -> int:
    """Return the vertex of an intersection, with its hexes in any order."""
    if not isinstance(value, list) or len(value) != 3:
        raise unlike(value, "expected an intersection, three hexes", at)
    hexes = frozenset(to_hex(place, f"{at}[{k}]") for k, place in enumerate(value))
    if hexes not in _VERTICES:
        raise unlike(value, "expected three hexes that meet at a corner of the land", at)
    return _VERTICES[hexes]


def to_ends(value: Any, at: str) -> tuple[int, int]:
    """Return the two neighbouring vertices of a path, in the order given."""
    if not isinstance(value, list) or len(value) != 2:
        raise unlike(value, "expected a path of two intersections", at)
    a, b = (to_vertex(end, f"{at}[{k}]") for k, end in enumerate(value))
    if a == b:
        raise NotationError("both intersections of the path are the same", at)
    if (min(a, b), max(a, b)) not in _EDGES:
        raise NotationError("the path's intersections share only one hex; expected two", at)
    return a, b


def hexes_beside(vertices: tuple[int, int]) -> frozenset[Hex]:
    """Return the two hexes on either side of the path between two vertices."""
    a, b = vertices
    return frozenset(_VERTEX_HEXES[a]).intersection(_VERTEX_HEXES[b])


def to_edge(value: Any, at: str) -> int:
    """Return an edge's number from its path, in either direction."""
    a, b = to_ends(value, at)
    return _EDGES[min(a, b), max(a, b)]
