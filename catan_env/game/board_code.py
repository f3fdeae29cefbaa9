"""A board as a short text that people can copy: its tiles with their tokens, and its harbours.

Tiles are in numerical order, each the initial of its resource (`D`: desert) and its token; after
the hyphen are the harbours of the standard frame, clockwise from the north-west (`X`: 3:1). A code
of the small map has seven tiles and three harbours.
"""

import re

from catan_env.core.board import MAPS, SMALL_MAP, STANDARD_MAP, Map
from catan_env.core.constants import TILES, Resource, Terrain
from catan_env.game import geometry
from catan_env.game.board import Board, Harbour, Tile

LETTERS = "BGLOW"
"""The initials of resources, by Resource."""
DESERT, ANY = "D", "X"
RATES = 2, 3
"""The rate of a harbour for one resource, and of one for all."""
TILE = re.compile(rf"([{LETTERS}{DESERT}])(\d{{0,2}})")
CODE = re.compile(
    "|".join(
        rf"(?:[{LETTERS}{DESERT}]\d{{0,2}}){{{len(laid.tiles)}}}"
        rf"-[{LETTERS}{ANY}]{{{len(laid.harbour_edges)}}}"
        for laid in MAPS
    )
)
EXAMPLE = "O10W2L9G12B6W4B10G9L11DL3O8L8O3G4W5B5G6W11-XGOXWXXBL"
"""The code of the rulebook's map for a first game."""


def is_code(text: str) -> bool:
    """True if the text has the form of a code; small letters and spaces are allowed."""
    return CODE.fullmatch(_normal(text)) is not None


def to_code(board: Board) -> str | None:
    """The board's code; None if its harbours are not those of its map.

    >>> to_code(Board.beginner()) == EXAMPLE
    True
    """
    laid = SMALL_MAP if board.small_map else STANDARD_MAP
    at_ends = {frozenset(harbour.vertices): harbour for harbour in board.harbours}
    ends = [frozenset(geometry.EDGE_VERTICES[e]) for e in laid.harbour_edges]
    if len(board.harbours) != len(ends) or at_ends.keys() != set(ends):
        return None
    harbours = [at_ends[both] for both in ends]
    if any(harbour.rate != _rate(harbour.resource) for harbour in harbours):
        return None
    land = (board.tiles[k] for k in laid.tiles)
    tiles = (_letter(tile) + (str(tile.token) if tile.token else "") for tile in land)
    kinds = (ANY if h.resource is None else LETTERS[h.resource] for h in harbours)
    return f"{''.join(tiles)}-{''.join(kinds)}"


def from_code(code: str) -> Board:
    """The board of a code: the inverse of `to_code`; ValueError if there is none.

    >>> from_code(EXAMPLE.lower()) == Board.beginner()
    True
    """
    if not is_code(code):
        raise ValueError(f"{code!r} is not the code of a board, such as {EXAMPLE}")
    land, kinds = _normal(code).split("-")
    found = TILE.findall(land)
    laid: Map = next(laid for laid in MAPS if len(laid.tiles) == len(found))
    tiles = [Tile(Terrain.SEA, 0)] * TILES
    for k, (letter, token) in zip(laid.tiles, found, strict=True):
        tiles[k] = Tile(Terrain((LETTERS + DESERT).index(letter)), int(token or 0))
    harbours = []
    for edge, kind in zip(laid.harbour_edges, kinds, strict=True):
        resource = None if kind == ANY else Resource(LETTERS.index(kind))
        harbours.append(Harbour(geometry.EDGE_VERTICES[edge], resource, _rate(resource)))
    return Board(tuple(tiles), tuple(harbours))


def _normal(text: str) -> str:
    return "".join(text.split()).upper()


def _letter(tile: Tile) -> str:
    return DESERT if tile.terrain == Terrain.DESERT else LETTERS[tile.terrain]


def _rate(resource: Resource | None) -> int:
    return RATES[resource is None]
