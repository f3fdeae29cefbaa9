"""A board: terrain, number tokens and harbours, and the names of its places."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from catan_env.core import doors
from catan_env.core.board import (
    HARBOUR_KINDS,
    SMALL_EDGES,
    SMALL_MAP,
    SMALL_TILES,
    SMALL_VERTICES,
    SPIRAL_TOKENS,
    SPIRALS,
    STANDARD_MAP,
    Map,
)
from catan_env.core.constants import (
    EDGES,
    GENERIC,
    HARBOURS,
    TILES,
    VERTICES,
    Layout,
    Resource,
    Terrain,
)
from catan_env.core.state import doorway, fill_box, new_states
from catan_env.game import geometry
from catan_env.kernel.numbers import whole


def pips_of(token: int) -> int:
    """The chances in 36 that two dice make a number token; 0 for 0."""
    return 6 - abs(7 - token) if token else 0


class Tile(NamedTuple):
    """A tile and its number token (0: none).

    >>> Tile(Terrain.FOREST, 8).pips
    5
    """

    terrain: Terrain
    token: int

    @property
    def pips(self) -> int:
        """The chances in 36 that two dice make its token; 0 without a token."""
        return pips_of(self.token)


class Harbour(NamedTuple):
    """Two vertices at which `rate` cards of `resource` (None: of any one kind) buy another card."""

    vertices: tuple[int, int]
    resource: Resource | None
    rate: int


@dataclass(frozen=True)
class Board:
    """Nineteen tiles in numerical order, and any harbours; an observation shows nine.

    On the small map the twelve outer tiles are sea.

    Places are named as in the binary protocol: axial hex coordinates and one of the hex's own
    corners ("N", "S") or sides ("W", "NW", "NE").

    >>> board = Board.beginner()
    >>> board.tiles[Board.tile_at(0, 0)].terrain.name
    'DESERT'
    >>> Board.vertex_name(Board.vertex_at(0, 0, "N"))
    (0, 0, 'N')
    """

    tiles: tuple[Tile, ...]
    harbours: tuple[Harbour, ...]

    def __post_init__(self) -> None:
        tiles = tuple(_checked_tile(k, tile) for k, tile in enumerate(self.tiles))
        if len(tiles) != TILES:
            raise ValueError(f"a board has {TILES} tiles, got {len(tiles)}")
        if all(tile.terrain != Terrain.DESERT for tile in tiles):
            raise ValueError("a board needs a desert: the robber starts there")
        sea = {k for k, tile in enumerate(tiles) if tile.terrain == Terrain.SEA}
        if sea and sea != _SMALL_MAPS_SEA:
            raise ValueError(f"tiles {sorted(sea)} are sea; allowed are none, or all outer tiles")
        object.__setattr__(self, "tiles", tiles)
        harbours = tuple(_checked_harbour(h) for h in self.harbours)
        for harbour in harbours:
            if sea and not SMALL_VERTICES.issuperset(harbour.vertices):
                raise ValueError(f"a harbour at vertices {harbour.vertices}: one is at sea")
        object.__setattr__(self, "harbours", harbours)

    @property
    def small_map(self) -> bool:
        """True if only the seven inner tiles are land (C215)."""
        return self.tiles[0].terrain == Terrain.SEA

    @property
    def vertices(self) -> frozenset[int]:
        """The vertices on land."""
        return SMALL_VERTICES if self.small_map else _ALL_VERTICES

    @property
    def edges(self) -> frozenset[int]:
        """The edges on land, the coast included."""
        return SMALL_EDGES if self.small_map else _ALL_EDGES

    @property
    def robber_start(self) -> int:
        """The number of the first desert tile."""
        return next(k for k, tile in enumerate(self.tiles) if tile.terrain == Terrain.DESERT)

    def robber_at(self, tile: int) -> int:
        """Return `tile` if the robber can be there; ValueError if it is at sea."""
        if self.tiles[whole("robber", tile, 0, TILES - 1)].terrain == Terrain.SEA:
            raise ValueError(f"tile {tile} is sea; the robber stays on land (C219)")
        return tile

    @classmethod
    def beginner(cls, small_map: bool = False) -> "Board":
        """The rulebook's map for a first game (C020), or a small one."""
        if small_map:
            harbours = _frame(SMALL_MAP.harbour_kinds, SMALL_MAP)
            return cls(_tiles(_SMALL_TERRAINS, _SMALL_TOKENS), harbours)
        return cls(_tiles(_BEGINNER_TERRAINS, _BEGINNER_TOKENS), _frame(HARBOUR_KINDS))

    @classmethod
    def sgn_starter(cls) -> "Board":
        """The starter map of Settlers Game Notation: the letter spiral from (-2, 2) (C021)."""
        tokens = [0] * TILES
        land = [tile for tile in SPIRALS[3] if _SGN_TERRAINS[tile] != "D"]
        for tile, token in zip(land, SPIRAL_TOKENS, strict=True):
            tokens[tile] = token
        return cls(_tiles(_SGN_TERRAINS, tokens), _frame((5, 4, 5, 5, 0, 2, 5, 1, 3)))

    @classmethod
    def spiral(cls, seed: int, small_map: bool = False) -> "Board":
        """Random terrain and harbours, tokens A to R along the spiral (C013, C217)."""
        return cls._laid(Layout.SPIRAL, seed, small_map)

    @classmethod
    def random_tokens(cls, seed: int, small_map: bool = False) -> "Board":
        """Random terrain, harbours and tokens, no two red tokens adjacent (C015)."""
        return cls._laid(Layout.RANDOM_TOKENS, seed, small_map)

    @classmethod
    def _laid(cls, layout: Layout, seed: int, small_map: bool) -> "Board":
        states = new_states(1)
        fill_box(states)
        states["seats"], states["layout"] = 2, layout
        states["seed"] = whole("seed", seed, 0, 2**64 - 1)
        if small_map:
            lay_sea(states)
        doors.begin_game(doorway(states), 0)
        return cls.from_state(states[0])

    @classmethod
    def from_state(cls, state: Any) -> "Board":
        """Return the board stored in a block of `core.state.GAME`, with its first nine harbours."""
        return _read(*(state[field].tobytes() for field in ("terrain", "token", "harbours")))

    def to_state(self, states: np.ndarray[Any, Any]) -> None:
        """Write this board, with its first nine harbours, to blocks of `core.state.GAME`."""
        states["layout"] = Layout.GIVEN
        states["terrain"] = [tile.terrain for tile in self.tiles]
        states["token"] = [tile.token for tile in self.tiles]
        states["harbours"] = 0
        for k, (vertices, resource, rate) in enumerate(self.harbours[:HARBOURS]):
            kind = GENERIC if resource is None else resource
            states["harbours"][:, k] = (*vertices, kind, rate)

    @staticmethod
    def tile_at(q: int, r: int) -> int:
        """Return the number of the tile at axial (q, r)."""
        return _number(geometry.TILE_NUMBERS, (q, r), "tile")

    @staticmethod
    def vertex_at(q: int, r: int, corner: str) -> int:
        """Return the number of the vertex that hex (q, r) calls "N" or "S"."""
        return _number(geometry.VERTEX_NUMBERS, (q, r, corner), "vertex")

    @staticmethod
    def edge_at(q: int, r: int, side: str) -> int:
        """Return the number of the edge that hex (q, r) calls "W", "NW" or "NE"."""
        return _number(geometry.EDGE_NUMBERS, (q, r, side), "edge")

    @staticmethod
    def tile_name(tile: int) -> tuple[int, int]:
        """Return the axial coordinates of a tile: the inverse of `tile_at`."""
        return _name(geometry.TILE_COORDS, tile, "tile")

    @staticmethod
    def vertex_name(vertex: int) -> tuple[int, int, str]:
        """Return the name of a vertex: the inverse of `vertex_at`."""
        return _name(geometry.VERTEX_NAMES, vertex, "vertex")

    @staticmethod
    def edge_name(edge: int) -> tuple[int, int, str]:
        """Return the name of an edge: the inverse of `edge_at`."""
        return _name(geometry.EDGE_NAMES, edge, "edge")


@lru_cache(maxsize=4096)  # views of a game have its board in common
def _read(terrains: bytes, tokens: bytes, frame: bytes) -> Board:
    """Return the board of these fields of `core.state.GAME`."""
    tiles = zip(terrains, tokens, strict=True)
    harbours = tuple(
        Harbour((a, b), None if kind == GENERIC else Resource(kind), rate)
        for a, b, kind, rate in zip(*[iter(frame)] * 4, strict=True)
        if rate > 0
    )
    return Board(tuple(Tile(Terrain(terrain), token) for terrain, token in tiles), harbours)


def lay_sea(states: np.ndarray[Any, Any]) -> None:
    """Write the sea of the small map to blocks of `core.state.GAME`; the land is laid later."""
    states["terrain"][:, sorted(_SMALL_MAPS_SEA)] = Terrain.SEA


def refuse_more_harbours(board: Board) -> None:
    """Raise ValueError for a board with more harbours than a batch or an environment supports."""
    if len(board.harbours) > HARBOURS:
        raise ValueError(
            f"a board with {len(board.harbours)} harbours; batches and environments play boards "
            f"with up to {HARBOURS}"
        )


_TERRAIN_OF_LETTER = {
    "H": Terrain.HILLS,
    "G": Terrain.FIELDS,
    "L": Terrain.FOREST,
    "M": Terrain.MOUNTAINS,
    "P": Terrain.PASTURE,
    "D": Terrain.DESERT,
    "S": Terrain.SEA,
}
# Rows from the north; G is fields (grain), L is forest (lumber).
_BEGINNER_TERRAINS = "MPLGHPHGLDLMLMGPHGP"
_BEGINNER_TOKENS = (10, 2, 9, 12, 6, 4, 10, 9, 11, 0, 3, 8, 8, 3, 4, 5, 5, 6, 11)
_SGN_TERRAINS = "LPGHMHPDLGLGHPPMMGL"
_SMALL_TERRAINS = "SSSSLHSSDGPSSMGSSSS"
_SMALL_TOKENS = (0, 0, 0, 0, 9, 8, 0, 0, 0, 5, 4, 0, 0, 6, 10, 0, 0, 0, 0)
_SMALL_MAPS_SEA = frozenset(range(TILES)) - SMALL_TILES
_ALL_VERTICES, _ALL_EDGES = frozenset(range(VERTICES)), frozenset(range(EDGES))


def _tiles(letters: str, tokens: Any) -> tuple[Tile, ...]:
    return tuple(
        Tile(_TERRAIN_OF_LETTER[letter], token)
        for letter, token in zip(letters, tokens, strict=True)
    )


def _frame(kinds: tuple[int, ...], laid: Map = STANDARD_MAP) -> tuple[Harbour, ...]:
    """Return harbours of these kinds in a map's slots."""
    return tuple(
        Harbour(
            geometry.EDGE_VERTICES[edge],
            None if kind == GENERIC else Resource(kind),
            3 if kind == GENERIC else 2,
        )
        for edge, kind in zip(laid.harbour_edges, kinds, strict=True)
    )


def _checked_tile(k: int, tile: Tile) -> Tile:
    terrain, token = Terrain(tile[0]), whole(f"the token of tile {k}", tile[1], 0)
    if terrain >= Terrain.DESERT and token != 0:
        noun = "at sea" if terrain == Terrain.SEA else "a desert"
        raise ValueError(f"tile {k} is {noun} and has the token {token}; allowed is 0 (C017)")
    if token != 0 and not 2 <= token <= 12:
        raise ValueError(f"tile {k} has the token {token}; allowed are 2..12, or 0 for none")
    return Tile(terrain, token)


def _checked_harbour(harbour: Harbour) -> Harbour:
    """Return a checked harbour: any two vertices, since servers place harbours freely (C018)."""
    vertices, resource, rate = harbour
    a, b = (whole("a harbour's vertex", vertex, 0, VERTICES - 1) for vertex in vertices)
    if a == b:
        raise ValueError(f"a harbour at vertices {(a, b)}; allowed are two of 0..{VERTICES - 1}")
    rate = whole("a harbour's rate", rate, 1, 100)
    return Harbour((a, b), None if resource is None else Resource(resource), rate)


def _number(numbers: dict[Any, int], name: Any, noun: str) -> int:
    try:
        return numbers[name]
    except (KeyError, TypeError):
        raise ValueError(f"no {noun} of the board is named {name!r}") from None


def _name(names: tuple[Any, ...], number: int, noun: str) -> Any:
    if not 0 <= number < len(names):
        raise ValueError(f"no {noun} has the number {number}; allowed are 0..{len(names) - 1}")
    return names[number]
