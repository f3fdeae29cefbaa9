"""Coordinates of the drawn board.

The origin is the middle of the board, y downwards, in units of the SVG. Hexes are
pointy-top: q grows to the east, r to the south-east.

             N
        NW  / \\  NE
           |   |
        SW  \\ /  SE
             S
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from catan_env.game import geometry
from catan_env.render.elements import Point, number

RADIUS = 70.0  # of a hex, from its centre to a corner
SEA_WIDTH = 800.0
SEA_HEIGHT = 720.0
ROLL_PLACE = -334.0, -294.0
TURN_PLACE = 334.0, -294.0

_HALF_WIDTH = sqrt(3) / 2  # of a hex of radius 1
_CORNERS = (
    *((0.0, -1.0), (_HALF_WIDTH, -0.5), (_HALF_WIDTH, 0.5)),
    *((0.0, 1.0), (-_HALF_WIDTH, 0.5), (-_HALF_WIDTH, -0.5)),
)
_SHIP_ROOM = 44.0  # from the centre of a ship to the border of the sea
_SHIP_FROM_TILE = 1.6 * RADIUS  # centre to centre
_SHIP_FROM_SHIP = 1.2 * RADIUS
_PIER_GAP = 5.0
_ASIDE = (0, *(side * angle for angle in range(15, 180, 15) for side in (1, -1)), 180)


def _tile_centre(q: int, r: int) -> Point:
    return RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r


def _vertex_point(q: int, r: int, end: str) -> Point:
    x, y = _tile_centre(q, r)
    return x, y - RADIUS if end == "N" else y + RADIUS


TILE_CENTRES: tuple[Point, ...] = tuple(_tile_centre(q, r) for q, r in geometry.TILE_COORDS)
VERTEX_POINTS: tuple[Point, ...] = tuple(_vertex_point(*name) for name in geometry.VERTEX_NAMES)


def hexagon(centre: Point, radius: float) -> str:
    """The `points` of a pointy-top hex."""
    x, y = centre
    return " ".join(f"{number(x + radius * dx)},{number(y + radius * dy)}" for dx, dy in _CORNERS)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _edge_place(edge: Sequence[int]) -> tuple[Point, float]:
    a, b = (VERTEX_POINTS[vertex] for vertex in edge)
    return _middle(a, b), degrees(atan2(b[1] - a[1], b[0] - a[0]))


EDGE_PLACES: tuple[tuple[Point, float], ...] = tuple(
    _edge_place(edge) for edge in geometry.EDGE_VERTICES
)
"""The middle of each edge, and its angle in degrees."""


def _towards_the_sea(a: Point, b: Point) -> float:
    """The direction, in degrees, perpendicular to the line from a to b and away from the centre."""
    middle = _middle(a, b)
    across = b[1] - a[1], a[0] - b[0]
    away = across[0] * middle[0] + across[1] * middle[1] >= 0
    return degrees(atan2(across[1], across[0])) + (0 if away else 180)


def _is_free(ship: Point, others: Iterable[Point], land: Iterable[Point]) -> bool:
    """True if a ship fits there: off the land's tiles, inside the sea, clear of the others."""
    x, y = ship
    return (
        abs(x) <= SEA_WIDTH / 2 - _SHIP_ROOM
        and abs(y) <= SEA_HEIGHT / 2 - _SHIP_ROOM
        and all(hypot(x - tx, y - ty) >= _SHIP_FROM_TILE for tx, ty in land)
        and all(hypot(x - ox, y - oy) >= _SHIP_FROM_SHIP for ox, oy in others)
    )


def _berths(vertices: Sequence[int]) -> Iterator[Point]:
    """Places for a harbour's ship: the nearest first, straight out to sea before sideways."""
    a, b = (VERTEX_POINTS[vertex] for vertex in vertices)
    x, y = _middle(a, b)
    out = _towards_the_sea(a, b)
    for distance in range(0, 800, 4):
        for aside in _ASIDE:
            turn = radians(out + aside)
            yield round(x + distance * cos(turn), 1), round(y + distance * sin(turn), 1)


def land_centres(small_map: bool) -> tuple[Point, ...]:
    """The centres of a map's tiles of land."""
    laid = geometry.SMALL_MAP if small_map else geometry.STANDARD_MAP
    return tuple(TILE_CENTRES[tile] for tile in laid.tiles)


def harbour_ships(harbours: Iterable[Sequence[int]], small_map: bool = False) -> tuple[Point, ...]:
    """The place of each harbour's ship, from the harbour's two vertices in any order."""
    return _ships(tuple(tuple(vertices) for vertices in harbours), small_map)


@lru_cache(maxsize=16)  # nearly every board has the standard harbours
def _ships(harbours: tuple[tuple[int, ...], ...], small_map: bool) -> tuple[Point, ...]:
    taken, land = [ROLL_PLACE, TURN_PLACE], land_centres(small_map)
    for vertices in harbours:
        taken.append(next(berth for berth in _berths(vertices) if _is_free(berth, taken, land)))
    return tuple(taken[2:])


def pier_end(vertex: int, ship: Point) -> Point:
    """The end of the pier from that ship, just before the vertex."""
    x, y = VERTEX_POINTS[vertex]
    dx, dy = ship[0] - x, ship[1] - y
    share = _PIER_GAP / hypot(dx, dy)
    return x + dx * share, y + dy * share
