"""The mapping of our tiles, vertices and edges to the places of catanatron's map.

It needs no catanatron: its maps and its JSON are given as `MapTile`s.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from catan_env.core.constants import Resource, Terrain
from catan_env.game import geometry
from catan_env.game.board import Board, Harbour, Tile

CORNERS = {
    "NORTH": (0, 0, "N"),
    "NORTHEAST": (1, -1, "S"),
    "SOUTHEAST": (0, 1, "N"),
    "SOUTH": (0, 0, "S"),
    "SOUTHWEST": (-1, 1, "N"),
    "NORTHWEST": (0, -1, "S"),
}
"""A hex's corners as the north or south corner of a hex at a distance: our names of vertices."""

SIDES = {
    "WEST": ("NORTHWEST", "SOUTHWEST"),
    "NORTHWEST": ("NORTH", "NORTHWEST"),
    "NORTHEAST": ("NORTHEAST", "NORTH"),
    "EAST": ("SOUTHEAST", "NORTHEAST"),
    "SOUTHEAST": ("SOUTH", "SOUTHEAST"),
    "SOUTHWEST": ("SOUTHWEST", "SOUTH"),
}
"""The corners at the side of a hex that a port faces."""

RESOURCE = {
    "BRICK": Resource.BRICK,
    "WHEAT": Resource.GRAIN,
    "WOOD": Resource.LUMBER,
    "ORE": Resource.ORE,
    "SHEEP": Resource.WOOL,
}
"""Our Resource for catanatron's name."""
EDGE = {ends: edge for edge, ends in enumerate(geometry.EDGE_VERTICES)}
At = tuple[int, int, int]
"""A hex of catanatron's map; the first and the last number are our axial coordinates."""


class MapTile(NamedTuple):
    """A hex of catanatron's map, of land (without `port`) or a port."""

    at: At
    resource: str | None
    number: int | None = None
    port: str | None = None
    """The side of a port's hex at which it is."""


class CatanatronPlaces:
    """catanatron's land and ports as our `board`, with our index of each of its places.

    `corners` are the nodes by a hex and its corner. Raises ValueError for another map than the
    standard one.
    """

    def __init__(self, tiles: Iterable[MapTile], corners: Mapping[tuple[At, str], int]) -> None:
        tiles = list(tiles)
        land = [tile for tile in tiles if tile.port is None]
        if sorted((tile.at[0], tile.at[2]) for tile in land) != sorted(geometry.TILE_NUMBERS):
            raise ValueError(f"a map of {len(land)} tiles; expected the 19 of the standard map")
        self.tile = {tile.at: Board.tile_at(tile.at[0], tile.at[2]) for tile in land}
        self.vertex: dict[int, int] = {}
        for (at, corner), node in corners.items():
            vertex = vertex_at(at, corner)
            if vertex is not None and self.vertex.setdefault(node, vertex) != vertex:
                raise ValueError(f"node {node} is at two places")
        if sorted(self.vertex.values()) != list(range(len(geometry.VERTEX_NAMES))):
            raise ValueError(f"{len(self.vertex)} nodes at the land; expected one at each corner")
        numbered = {self.tile[tile.at]: tile for tile in land}
        laid = tuple(_tile(numbered[number]) for number in range(len(numbered)))
        harbours = sorted(_harbours(tiles), key=lambda harbour: harbour.vertices)
        self.board = Board(laid, tuple(harbours))

    @classmethod
    def of_map(cls, catan_map: Any) -> "CatanatronPlaces":
        """The places of a `CatanMap`."""
        land = catan_map.land_tiles
        tiles = [MapTile(at, tile.resource, tile.number) for at, tile in land.items()]
        for at, tile in catan_map.tiles.items():
            if hasattr(tile, "direction"):
                tiles.append(MapTile(at, tile.resource, None, tile.direction.value))
        return cls(
            tiles,
            {
                (at, corner.value): node
                for at, tile in land.items()
                for corner, node in tile.nodes.items()
            },
        )

    def edge(self, nodes: tuple[int, int]) -> int:
        """Our edge between two of catanatron's nodes, in either order."""
        a, b = sorted(self.vertex[node] for node in nodes)
        return EDGE[a, b]


def vertex_at(at: At, corner: str) -> int | None:
    """The vertex at a corner of a hex of land or sea; None if it is not at the land.

    >>> vertex_at((0, 0, 0), "NORTH") == vertex_at((0, 1, -1), "SOUTHEAST")
    True
    """
    q, r, end = CORNERS[corner]
    return geometry.VERTEX_NUMBERS.get((at[0] + q, at[2] + r, end))


def _harbours(tiles: Iterable[MapTile]) -> Iterator[Harbour]:
    for tile in tiles:
        if tile.port is None:
            continue
        a, b = (vertex_at(tile.at, corner) for corner in SIDES[tile.port])
        if a is None or b is None:
            raise ValueError(f"the port at {tile.at} faces {tile.port}, where there is no land")
        ends = (min(a, b), max(a, b))
        yield (
            Harbour(ends, None, 3)
            if tile.resource is None
            else Harbour(ends, RESOURCE[tile.resource], 2)
        )


def _tile(tile: MapTile) -> Tile:
    if tile.resource is None or tile.number is None:
        return Tile(Terrain.DESERT, 0)
    return Tile(Terrain(RESOURCE[tile.resource]), tile.number)
