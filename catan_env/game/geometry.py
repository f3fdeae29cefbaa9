"""Adjacency of tiles, vertices and edges: plain tuples, numbered as `core.board` draws them."""

from catan_env.core.board import (
    EDGE_NAMES,
    EDGE_NUMBERS,
    EDGE_TILES,
    EDGE_VERTICES,
    STANDARD_HARBOUR_EDGES,
    TILE_COORDS,
    TILE_EDGES,
    TILE_NEIGHBOURS,
    TILE_NUMBERS,
    TILE_VERTICES,
    VERTEX_EDGES,
    VERTEX_NAMES,
    VERTEX_NEIGHBOURS,
    VERTEX_NUMBERS,
    VERTEX_TILES,
)

__all__ = [
    "EDGE_NAMES",
    "EDGE_NUMBERS",
    "EDGE_TILES",
    "EDGE_VERTICES",
    "STANDARD_HARBOUR_EDGES",
    "TILE_COORDS",
    "TILE_EDGES",
    "TILE_NEIGHBOURS",
    "TILE_NUMBERS",
    "TILE_VERTICES",
    "VERTEX_EDGES",
    "VERTEX_NAMES",
    "VERTEX_NEIGHBOURS",
    "VERTEX_NUMBERS",
    "VERTEX_TILES",
]
