"""The board's topology: 19 tiles, 54 vertices, 72 edges, and the maps that are laid on it.

Hexes are pointy-top in axial coordinates: q grows to the east, r to the south-east. Each hex
names two of its corners and three of its sides; the others belong to its neighbours, so places
on the coast are often named by a hex in the sea (as in PROTO.md):

              N
            .   .
        NW .     . NE          tile    (q, r)
          .       .            vertex  (q, r, "N" | "S")
        W . (q, r) .           edge    (q, r, "W" | "NW" | "NE")
          .       .
            .   .
              S

Indices count from 0 in order of (r, q, name), top row first:

    tiles        0   1   2
               3   4   5   6
             7   8   9  10  11
              12  13  14  15
                16  17  18

On the small map only tiles 4, 5, 8, 9, 10, 13 and 14 are land, with their 24 vertices and 30 edges.
"""

from typing import NamedTuple

from catan_env.core.constants import EDGES, TILES, VERTICES
from catan_env.kernel.bits import word_of
from catan_env.kernel.jit import table

TilePlace = tuple[int, int]
Place = tuple[int, int, str]

RADIUS = 2


def _vertices_of_tile(q: int, r: int) -> list[Place]:
    """The corners of a hex, clockwise from the north."""
    return [
        (q, r, "N"),
        (q + 1, r - 1, "S"),
        (q, r + 1, "N"),
        (q, r, "S"),
        (q - 1, r + 1, "N"),
        (q, r - 1, "S"),
    ]


def _edges_of_tile(q: int, r: int) -> list[Place]:
    """The sides of a hex, clockwise from the north-east; each joins two of the corners above."""
    return [
        (q, r, "NE"),
        (q + 1, r, "W"),
        (q, r + 1, "NW"),
        (q - 1, r + 1, "NE"),
        (q, r, "W"),
        (q, r, "NW"),
    ]


def _by_row(place: Place) -> tuple[int, int, str]:
    return place[1], place[0], place[2]


TILE_COORDS: tuple[TilePlace, ...] = tuple(
    (q, r)
    for r in range(-RADIUS, RADIUS + 1)
    for q in range(-RADIUS, RADIUS + 1)
    if abs(q + r) <= RADIUS
)
VERTEX_NAMES: tuple[Place, ...] = tuple(
    sorted({v for q, r in TILE_COORDS for v in _vertices_of_tile(q, r)}, key=_by_row)
)
EDGE_NAMES: tuple[Place, ...] = tuple(
    sorted({e for q, r in TILE_COORDS for e in _edges_of_tile(q, r)}, key=_by_row)
)

TILE_NUMBERS = {name: i for i, name in enumerate(TILE_COORDS)}
VERTEX_NUMBERS = {name: i for i, name in enumerate(VERTEX_NAMES)}
EDGE_NUMBERS = {name: i for i, name in enumerate(EDGE_NAMES)}

TILE_VERTICES: tuple[tuple[int, ...], ...] = tuple(
    tuple(VERTEX_NUMBERS[v] for v in _vertices_of_tile(q, r)) for q, r in TILE_COORDS
)
TILE_EDGES: tuple[tuple[int, ...], ...] = tuple(
    tuple(EDGE_NUMBERS[e] for e in _edges_of_tile(q, r)) for q, r in TILE_COORDS
)


def _edge_ends() -> tuple[tuple[int, int], ...]:
    ends = [(0, 0)] * EDGES
    for corners, sides in zip(TILE_VERTICES, TILE_EDGES, strict=True):
        for k, side in enumerate(sides):
            a, b = corners[k], corners[(k + 1) % 6]
            ends[side] = (min(a, b), max(a, b))
    return tuple(ends)


EDGE_VERTICES = _edge_ends()
VERTEX_EDGES: tuple[tuple[int, ...], ...] = tuple(
    tuple(e for e in range(EDGES) if v in EDGE_VERTICES[e]) for v in range(VERTICES)
)
VERTEX_NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(sum(EDGE_VERTICES[e]) - v for e in VERTEX_EDGES[v]) for v in range(VERTICES)
)
VERTEX_TILES: tuple[tuple[int, ...], ...] = tuple(
    tuple(t for t in range(TILES) if v in TILE_VERTICES[t]) for v in range(VERTICES)
)
EDGE_TILES: tuple[tuple[int, ...], ...] = tuple(
    tuple(t for t in range(TILES) if e in TILE_EDGES[t]) for e in range(EDGES)
)
TILE_NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(u for u in range(TILES) if u != t and set(TILE_EDGES[t]) & set(TILE_EDGES[u]))
    for t in range(TILES)
)

# The frame's nine harbour edges, clockwise from the north-west (C018).
STANDARD_HARBOUR_EDGES: tuple[int, ...] = tuple(
    EDGE_NUMBERS[place]
    for place in (
        (0, -2, "NW"),
        (1, -2, "NE"),
        (2, -1, "NE"),
        (3, 0, "W"),
        (1, 2, "NW"),
        (-1, 3, "NW"),
        (-3, 3, "NE"),
        (-2, 1, "W"),
        (-1, -1, "W"),
    )
)
HARBOUR_KINDS = (5, 1, 3, 5, 4, 5, 5, 0, 2)  # the rulebook's map; four generic, one of each

# The spiral of tiles, counter-clockwise from each corner to the centre (C013).
_RING = ((2, -2), (1, -2), (0, -2), (-1, -1), (-2, 0), (-2, 1), (-2, 2), (-1, 2), (0, 2))
_RING += ((1, 1), (2, 0), (2, -1))
_INNER = ((1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0))


def _spiral(corner: int) -> tuple[int, ...]:
    outer = _RING[2 * corner :] + _RING[: 2 * corner]
    inner = _INNER[corner:] + _INNER[:corner]
    return tuple(TILE_NUMBERS[place] for place in (*outer, *inner, (0, 0)))


SPIRALS = tuple(_spiral(corner) for corner in range(6))
SPIRAL_TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)  # letters A to R
TERRAINS = (0,) * 3 + (1,) * 4 + (2,) * 4 + (3,) * 3 + (4,) * 4 + (5,)  # C004


class Map(NamedTuple):
    """The land of a map, and what is shuffled over it."""

    tiles: tuple[int, ...]
    spirals: tuple[tuple[int, ...], ...]
    """The tiles in the order of the tokens, by corner."""
    tokens: tuple[int, ...]
    """In the spiral's order."""
    terrains: tuple[int, ...]
    harbour_edges: tuple[int, ...]
    harbour_kinds: tuple[int, ...]


STANDARD_MAP = Map(
    tuple(range(TILES)), SPIRALS, SPIRAL_TOKENS, TERRAINS, STANDARD_HARBOUR_EDGES, HARBOUR_KINDS
)
SMALL_MAP = Map(  # C215-C218; two tiles of grain, and the coast has three generic harbours
    tuple(sorted(TILE_NUMBERS[place] for place in (*_INNER, (0, 0)))),
    tuple(spiral[len(_RING) :] for spiral in SPIRALS),
    (4, 6, 9, 8, 10, 5),  # reds are apart wherever the desert is
    (0, 1, 1, 2, 3, 4, 5),
    tuple(EDGE_NUMBERS[place] for place in ((1, -1, "NE"), (0, 2, "NW"), (-1, 0, "W"))),
    (5, 5, 5),
)
MAPS = (STANDARD_MAP, SMALL_MAP)
SMALL_TILES = frozenset(SMALL_MAP.tiles)
SMALL_VERTICES = frozenset(v for t in SMALL_TILES for v in TILE_VERTICES[t])
SMALL_EDGES = frozenset(e for t in SMALL_TILES for e in TILE_EDGES[t])


def _filled(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The rows, filled to equal lengths."""
    longest = max(map(len, rows))
    return [row + (-1,) * (longest - len(row)) for row in rows]


# The same tables as bit sets, for the compiled rules. A set of edges is two words:
# edges 0..35 and edges 36..71.
HALF = 36


def _edge_words(edges: tuple[int, ...]) -> tuple[int, int]:
    return (
        word_of([e for e in edges if e < HALF]),
        word_of([e - HALF for e in edges if e >= HALF]),
    )


TILE_VERTEX_SET = table([word_of(vertices) for vertices in TILE_VERTICES])
VERTEX_TILE_SET = table([word_of(tiles) for tiles in VERTEX_TILES])
VERTEX_NEIGHBOUR_SET = table([word_of(vertices) for vertices in VERTEX_NEIGHBOURS])
VERTEX_EDGE_SET = table([_edge_words(edges) for edges in VERTEX_EDGES])
TILE_NEIGHBOUR_SET = table([word_of(tiles) for tiles in TILE_NEIGHBOURS])
EDGE_ENDS = table(EDGE_VERTICES)
EDGES_AT = table([tuple(e) + (-1,) * (3 - len(e)) for e in VERTEX_EDGES])
# By map, the standard one first.
LAND_COUNT = table([len(laid.tiles) for laid in MAPS])
LAND_TABLE = table(_filled([laid.tiles for laid in MAPS]))
SPIRAL_TABLE = table([_filled([STANDARD_MAP.tiles, *laid.spirals])[1:] for laid in MAPS])
TOKEN_TABLE = table(_filled([laid.tokens for laid in MAPS]))
TERRAIN_TABLE = table(_filled([laid.terrains for laid in MAPS]))
HARBOUR_COUNT = table([len(laid.harbour_edges) for laid in MAPS])
HARBOUR_KIND_TABLE = table(_filled([laid.harbour_kinds for laid in MAPS]))
HARBOUR_EDGE_TABLE = table(_filled([laid.harbour_edges for laid in MAPS]))
# What is not land on the small map.
SEA_VERTEX_SET = word_of([v for v in range(VERTICES) if v not in SMALL_VERTICES])
SEA_EDGE_SET = table(_edge_words(tuple(e for e in range(EDGES) if e not in SMALL_EDGES)))
PIPS = table([0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1])  # by number token
ALL_VERTICES = (1 << VERTICES) - 1
