"""The mapping of our tiles, vertices and edges to the places of catanatron's map."""

from collections.abc import Iterator
from typing import Any

from catanatron.models.map import (  # type: ignore[import-not-found]
    PORT_DIRECTION_TO_NODEREFS,
    NodeRef,
    Port,
)

from catan_env import Board, Harbour, Resource, Terrain, Tile, geometry

CORNERS = (
    NodeRef.NORTH,
    NodeRef.NORTHEAST,
    NodeRef.SOUTHEAST,
    NodeRef.SOUTH,
    NodeRef.SOUTHWEST,
    NodeRef.NORTHWEST,
)
"""A tile's corners in the order of `geometry.TILE_VERTICES`."""

RESOURCE = {
    "BRICK": Resource.BRICK,
    "WHEAT": Resource.GRAIN,
    "WOOD": Resource.LUMBER,
    "ORE": Resource.ORE,
    "SHEEP": Resource.WOOL,
}
"""Our Resource for catanatron's name."""
EDGE = {ends: edge for edge, ends in enumerate(geometry.EDGE_VERTICES)}


class CatanatronPlaces:
    """A catanatron map (`CatanMap`) as our `board`, with our index of each of its places."""

    def __init__(self, catan_map: Any) -> None:
        self.tile = {at: Board.tile_at(at[0], at[2]) for at in catan_map.land_tiles}
        self.vertex = {
            tile.nodes[corner]: vertex
            for at, tile in catan_map.land_tiles.items()
            for corner, vertex in zip(CORNERS, geometry.TILE_VERTICES[self.tile[at]], strict=True)
        }
        self.board = Board(self._tiles(catan_map), tuple(self._harbours(catan_map)))

    def edge(self, nodes: tuple[int, int]) -> int:
        """Our edge between two of catanatron's nodes, in either order."""
        a, b = sorted(self.vertex[node] for node in nodes)
        return EDGE[a, b]

    def _tiles(self, catan_map: Any) -> tuple[Tile, ...]:
        numbered = {self.tile[at]: tile for at, tile in catan_map.land_tiles.items()}
        return tuple(_tile(numbered[number]) for number in range(len(numbered)))

    def _harbours(self, catan_map: Any) -> Iterator[Harbour]:
        for port in catan_map.tiles.values():
            if isinstance(port, Port):
                nodes = [port.nodes[ref] for ref in PORT_DIRECTION_TO_NODEREFS[port.direction]]
                a, b = sorted(self.vertex[node] for node in nodes)
                if port.resource is None:
                    yield Harbour((a, b), None, 3)
                else:
                    yield Harbour((a, b), RESOURCE[port.resource], 2)


def _tile(tile: Any) -> Tile:
    if tile.resource is None:
        return Tile(Terrain.DESERT, 0)
    return Tile(Terrain(RESOURCE[tile.resource]), tile.number)
