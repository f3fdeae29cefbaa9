"""Numbers of the game to places and cards of the wire, and back.

Raises RemoteProtocolError for places and cards that are not on the board.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game.geometry import EDGE_NAMES, TILE_COORDS, VERTEX_NAMES
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    Card,
    DevCard,
    EdgePos,
    EdgeSide,
    TilePos,
    VertexCorner,
    VertPos,
)

TILE_POS = tuple(TilePos(q, r) for q, r in TILE_COORDS)
"""By tile."""
VERT_POS = tuple(VertPos(q, r, VertexCorner[v]) for q, r, v in VERTEX_NAMES)
"""By vertex."""
EDGE_POS = tuple(EdgePos(q, r, EdgeSide[e]) for q, r, e in EDGE_NAMES)
"""By edge."""

_TILES = {pos: tile for tile, pos in enumerate(TILE_POS)}
_VERTICES = {pos: vertex for vertex, pos in enumerate(VERT_POS)}
_EDGES = {pos: edge for edge, pos in enumerate(EDGE_POS)}

Place = TypeVar("Place", TilePos, VertPos, EdgePos)


def tile_at(pos: TilePos) -> int:
    """Return the tile's number.

    >>> TILE_POS[tile_at(TilePos(-2, 1))]
    TilePos(q=-2, r=1)
    """
    return _number(_TILES, pos, "tile")


def vertex_at(pos: VertPos) -> int:
    """Return the vertex's number."""
    return _number(_VERTICES, pos, "vertex")


def edge_at(pos: EdgePos) -> int:
    """Return the edge's number."""
    return _number(_EDGES, pos, "edge")


def to_card(resource: int | None) -> Card:
    """Return a resource on the wire; ANY for None."""
    return Card.ANY if resource is None else Card(resource + 1)


def to_resource(card: Card) -> Resource:
    """Return the resource of a card that is not ANY."""
    if card == Card.ANY:
        raise RemoteProtocolError("a card is ANY; allowed are BRICK 1 .. WOOL 5")
    return Resource(card - 1)


def to_dev_card(card: int) -> DevCard:
    """Return a development card on the wire."""
    return DevCard(card)


def to_development_card(card: DevCard) -> DevelopmentCard:
    """Return the development card; the inverse of `to_dev_card`."""
    return DevelopmentCard(card)


def _number(numbers: Mapping[Any, int], pos: Place, noun: str) -> int:
    try:
        return numbers[pos]
    except KeyError:
        raise RemoteProtocolError(f"no {noun} of the board is at {pos}") from None
