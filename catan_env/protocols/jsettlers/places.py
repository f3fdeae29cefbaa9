"""JSettlers' hexadecimal coordinates and kinds to numbers of the game, and back.

A step of 0x22 is a tile east, one of 0x20 a tile south-east. An edge and a vertex may have the
same coordinate. Unknown places or cards raise RemoteProtocolError.
"""

from collections.abc import Mapping, Sequence

from catan_env.core.constants import DevelopmentCard, Resource, Terrain
from catan_env.game.board import Board, Harbour, Tile
from catan_env.game.geometry import (
    EDGE_NAMES,
    EDGE_VERTICES,
    STANDARD_HARBOUR_EDGES,
    TILE_COORDS,
    VERTEX_NAMES,
)
from catan_env.net.errors import RemoteProtocolError

CENTRE, EAST, SOUTH_EAST = 0x77, 0x22, 0x20
CORNER_STEP = {"N": 0x01, "S": 0x10}
SIDE_STEP = {"NE": 0x01, "NW": -0x10, "W": -0x11}


def hex_at(q: int, r: int) -> int:
    """Return the coordinate of the hex at axial (q, r), including the sea around the island.

    >>> hex(hex_at(0, 0)), hex(hex_at(0, -2))
    ('0x77', '0x37')
    """
    return CENTRE + EAST * q + SOUTH_EAST * r


TILES = tuple(hex_at(q, r) for q, r in TILE_COORDS)
"""By tile."""
VERTICES = tuple(hex_at(q, r) + CORNER_STEP[v] for q, r, v in VERTEX_NAMES)
"""By vertex."""
EDGES = tuple(hex_at(q, r) + SIDE_STEP[e] for q, r, e in EDGE_NAMES)
"""By edge."""

RESOURCES = (Resource.BRICK, Resource.ORE, Resource.WOOL, Resource.GRAIN, Resource.LUMBER)
"""By their code less one: clay, ore, sheep, wheat, wood."""
UNKNOWN = 6
"""The code of a hidden card."""
CARDS = {
    1: DevelopmentCard.ROAD_BUILDING,
    2: DevelopmentCard.YEAR_OF_PLENTY,
    3: DevelopmentCard.MONOPOLY,
    **dict.fromkeys(range(4, 9), DevelopmentCard.VICTORY_POINT),
    9: DevelopmentCard.KNIGHT,
}
TOKENS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""By their number in `BoardLayout` (1014)."""

ROWS = ((0x17, 4), (0x15, 5), (0x13, 6), (0x11, 7), (0x31, 6), (0x51, 5), (0x71, 4))
"""The first hex of each row of the board's list, and the length of the row."""
HEXES = tuple(first + EAST * k for first, count in ROWS for k in range(count))
"""The 37 hexes in the order of the board's list."""
FACING_STEP = (0x01, 0x11, 0x10, -0x01, -0x11, -0x10)
"""By facing, from 1: from a hex of the sea to its edge on the coast."""
SEA, FIRST_GENERIC, LAST_GENERIC, LEAST_SPECIAL = 6, 7, 12, 16


def _inverse(coordinates: Sequence[int]) -> dict[int, int]:
    return {coordinate: number for number, coordinate in enumerate(coordinates)}


_TILE_AT, _VERTEX_AT, _EDGE_AT = map(_inverse, (TILES, VERTICES, EDGES))
_RESOURCE_CODES = {resource: code for code, resource in enumerate(RESOURCES, 1)}


def tile_at(coordinate: int) -> int:
    """Return the tile's number."""
    return _number(_TILE_AT, coordinate, "tile")


def vertex_at(coordinate: int) -> int:
    """Return the vertex's number."""
    return _number(_VERTEX_AT, coordinate, "vertex")


def edge_at(coordinate: int) -> int:
    """Return the edge's number."""
    return _number(_EDGE_AT, coordinate, "edge")


def to_resource(code: int) -> Resource:
    """Return the resource of a card's code, 1 to 5."""
    if not 1 <= code <= len(RESOURCES):
        raise RemoteProtocolError(f"a card of kind {code}; allowed are 1..{len(RESOURCES)}")
    return RESOURCES[code - 1]


def to_code(resource: int) -> int:
    """Return a card's code; the inverse of `to_resource`."""
    return _RESOURCE_CODES[Resource(resource)]


def to_counts(cards: Sequence[int]) -> tuple[int, ...]:
    """Return cards by Resource as five counts in code order; the inverse of `from_counts`."""
    return tuple(cards[resource] for resource in RESOURCES)


def from_counts(counts: Sequence[int]) -> tuple[int, ...]:
    """Return five counts in code order as cards by Resource."""
    return tuple(counts[_RESOURCE_CODES[resource] - 1] for resource in Resource)


def to_board(kinds: Sequence[int], tokens: Sequence[int]) -> Board:
    """Return the board of 37 kinds and the tokens of the hexes, 0 for none; RemoteProtocolError."""
    if len(kinds) != len(HEXES) or len(tokens) != len(HEXES):
        raise RemoteProtocolError(
            f"a board of {len(kinds)} hexes and {len(tokens)} tokens; allowed are {len(HEXES)}"
        )
    at = dict(zip(HEXES, zip(kinds, tokens, strict=True), strict=True))
    try:
        tiles = tuple(_tile(*at[coordinate]) for coordinate in TILES)
        at_sea = [_harbour(place, at[place][0]) for place in HEXES if place not in _TILE_AT]
        harbours = [harbour for harbour in at_sea if harbour is not None]
        return Board(tiles, tuple(sorted(harbours, key=_slot)))
    except ValueError as error:
        raise RemoteProtocolError(f"invalid board: {error}") from None


def token_of(number: int) -> int:
    """Return the token for a number of `BoardLayout` (1014), 0 for none."""
    if not -1 <= number < len(TOKENS):
        raise RemoteProtocolError(f"a token of number {number}; allowed are -1..{len(TOKENS) - 1}")
    return 0 if number < 0 else TOKENS[number]


def _tile(kind: int, token: int) -> Tile:
    if kind == 0:
        return Tile(Terrain.DESERT, 0)
    return Tile(Terrain(to_resource(kind)), token)


def _harbour(place: int, kind: int) -> Harbour | None:
    """Return the harbour of a hex of the sea, 3:1 or of one resource."""
    if kind == SEA:
        return None
    if FIRST_GENERIC <= kind <= LAST_GENERIC:
        facing, resource = kind - FIRST_GENERIC + 1, None
    elif kind >= LEAST_SPECIAL and 1 <= kind // 16 <= len(FACING_STEP):
        facing, resource = kind // 16, to_resource(kind % 16)
    else:
        raise RemoteProtocolError(f"a hex of the sea has the kind {kind}")
    edge = edge_at(place + FACING_STEP[facing - 1])
    return Harbour(EDGE_VERTICES[edge], resource, 3 if resource is None else 2)


def _slot(harbour: Harbour) -> int:
    """Return the harbour's position in the order of our boards."""
    edges = [EDGE_VERTICES[edge] for edge in STANDARD_HARBOUR_EDGES]
    return edges.index(harbour.vertices) if harbour.vertices in edges else len(edges)


def _number(numbers: Mapping[int, int], coordinate: int, noun: str) -> int:
    try:
        return numbers[coordinate]
    except KeyError:
        raise RemoteProtocolError(f"no {noun} of the board is at {coordinate}") from None
