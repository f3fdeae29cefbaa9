"""A board as a short text that people can copy: its tiles with their tokens, and its harbours.

Tiles are in numerical order, each the initial of its resource (`D`: desert) and its token; after
the hyphen are the harbours of the standard frame, clockwise from the north-west (`X`: 3:1).
"""

import re

from catan_env.core.constants import HARBOURS, TILES, Resource, Terrain
from catan_env.game import geometry
from catan_env.game.board import Board, Harbour, Tile

LETTERS = "BGLOW"
"""The initials of resources, by Resource."""
DESERT, ANY = "D", "X"
CODE = re.compile(rf"(?:[{LETTERS}{DESERT}]\d{{0,2}}){{{TILES}}}-[{LETTERS}{ANY}]{{{HARBOURS}}}")
EXAMPLE = "O10W2L9G12B6W4B10G9L11DL3O8L8O3G4W5B5G6W11-XGOXWXXBL"
"""The code of the rulebook's map for a first game."""


def is_code(text: str) -> bool:
    """True if the text has the form of a code; small letters and spaces are allowed."""
    return CODE.fullmatch(_normal(text)) is not None


def to_code(board: Board) -> str | None:
    """The board's code; None if its harbours are not those of the standard frame.

    >>> to_code(Board.beginner()) == EXAMPLE
    True
    """
    at_ends = {frozenset(harbour.vertices): harbour for harbour in board.harbours}
    ends = [frozenset(geometry.EDGE_VERTICES[e]) for e in geometry.STANDARD_HARBOUR_EDGES]
    if len(board.harbours) != HARBOURS or at_ends.keys() != set(ends):
        return None
    harbours = [at_ends[both] for both in ends]
    if any(harbour.rate != _rate(harbour.resource) for harbour in harbours):
        return None
    tiles = (_letter(tile) + (str(tile.token) if tile.token else "") for tile in board.tiles)
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
    terrains = dict(zip(LETTERS + DESERT, Terrain, strict=True))
    tiles = tuple(
        Tile(terrains[letter], int(token or 0))
        for letter, token in re.findall(r"([A-Z])(\d*)", land)
    )
    harbours = []
    for edge, kind in zip(geometry.STANDARD_HARBOUR_EDGES, kinds, strict=True):
        resource = None if kind == ANY else Resource(LETTERS.index(kind))
        harbours.append(Harbour(geometry.EDGE_VERTICES[edge], resource, _rate(resource)))
    return Board(tiles, tuple(harbours))


def _normal(text: str) -> str:
    return "".join(text.split()).upper()


def _letter(tile: Tile) -> str:
    return DESERT if tile.terrain == Terrain.DESERT else LETTERS[tile.terrain]


def _rate(resource: Resource | None) -> int:
    return 3 if resource is None else 2
