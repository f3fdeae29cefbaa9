"""The parts of catanatron's JSON that describe a game; its other keys are ignored."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Raw, Struct

Coordinate = tuple[int, int, int]
Color = Literal["RED", "BLUE", "ORANGE", "WHITE"]
Card = Literal["BRICK", "ORE", "SHEEP", "WHEAT", "WOOD"]
Direction = Literal["WEST", "NORTHWEST", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTHWEST"]
Corner = Literal["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"]
Logged = tuple[Color, str, Any]
"""A colour, the name of an ActionType, and its value: a step up to catanatron 3.2."""
Recorded = tuple[Logged, Any]
"""An action and its result: a step since catanatron 3.3."""


class Tile(Struct, frozen=True):
    """A hex of the map."""

    type: Literal["RESOURCE_TILE", "DESERT", "PORT", "WATER"]
    resource: Card | None = None
    number: int | None = None
    direction: Direction | None = None


class LaidTile(Struct, frozen=True):
    """A hex and its place."""

    coordinate: Coordinate
    tile: Tile


class Node(Struct, frozen=True):
    """A corner, and what is built there at the end."""

    id: int
    tile_coordinate: Coordinate
    direction: Corner
    building: Literal["SETTLEMENT", "CITY"] | None
    color: Color | None


class Edge(Struct, frozen=True):
    """A side of a hex, and the owner of the road there at the end."""

    id: tuple[int, int]
    color: Color | None


class Record(Struct, frozen=True):
    """A game: the map, its steps, and its last position."""

    tiles: list[LaidTile]
    adjacent_tiles: dict[str, list[Tile]]
    nodes: dict[str, Node]
    edges: list[Edge]
    player_state: dict[str, int | bool]
    colors: Annotated[tuple[Color, ...], msgspec.Meta(min_length=2, max_length=4)]
    robber_coordinate: Coordinate
    winning_color: Color | None
    action_records: list[Raw] | None = None
    """The steps since catanatron 3.3, as they are in the file."""
    actions: list[Raw] | None = None
    """The steps up to catanatron 3.2."""
