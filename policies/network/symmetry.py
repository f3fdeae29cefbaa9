"""The six ways in which a board lies upon itself, its harbours upon harbours.

Turned by a third, or seen in a mirror, a position is as good as before, and what was best in it
still is, at the place that has moved there. `views` say what moves where: tiles, vertices, edges
and harbours, the numbers that a network is shown, and the actions. This holds where harbours stand
as on the standard board; on others, which no shipped network has learned, the views are not alike.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from catan_env.game import geometry
from catan_env.game.observation import NUM_ACTIONS
from catan_env.policies.network import pointer
from catan_env.policies.network.features import FIELDS, RESOURCES, SEATS, TILES, VERTICES

Array = np.ndarray[Any, np.dtype[np.int64]]
HARBOURS = geometry.STANDARD_HARBOUR_EDGES
CORNERS = 6


class View(NamedTuple):
    """Where everything moves to: the image of each tile, vertex, edge and harbour, (k,) int64."""

    tiles: Array
    vertices: Array
    edges: Array
    harbours: Array

    def of_facts(self) -> Array:
        """The image of each number that `pointer` is shown: (FACTS,)."""
        places = np.arange(pointer.TABLE_FACTS, pointer.FACTS).reshape(VERTICES, -1)
        return np.append(self.of_table(), places[self.vertices])

    def of_table(self) -> Array:
        """The image of each number that `pointer` shows its trunk: (TABLE_FACTS,)."""
        moved = np.arange(pointer.TABLE_FACTS)
        for places, axis, images in self._moving():
            moved[places] = np.take(places, images, axis)
        return moved

    def of_actions(self) -> Array:
        """The image of each action: (848,)."""
        robbed = np.arange(TILES * SEATS).reshape(TILES, SEATS)[self.tiles].ravel()
        moved, start = np.arange(NUM_ACTIONS), pointer.AT_PLACES
        for images in (self.vertices, self.vertices, self.edges, robbed):
            moved[start : start + len(images)] = start + images
            start += len(images)
        return moved

    def _moving(self) -> Iterator[tuple[Array, int, Array]]:
        """What of the facts belongs to places: where it stands, along which axis, their images."""
        for name in ("terrain", "token", "pips", "robber"):
            yield FIELDS[name], 0, self.tiles
        for name in ("harbour_kind", "harbour_rate"):
            yield FIELDS[name], 0, self.harbours
        yield FIELDS["buildings"], 1, self.vertices
        yield FIELDS["roads"], 1, self.edges
        start = FIELDS["rules"].flat[-1] + 1
        yield start + np.arange(TILES * RESOURCES).reshape(TILES, RESOURCES), 0, self.tiles
        start += TILES * RESOURCES
        yield start + np.arange(SEATS * TILES).reshape(SEATS, TILES), 1, self.tiles
        yield pointer.TABLE_FACTS - VERTICES + np.arange(VERTICES), 0, self.vertices


@cache
def views() -> tuple[View, ...]:
    """All six, the first of which leaves everything where it is."""
    found = [view for view in map(_view, *_turned()) if view is not None]
    return tuple(sorted(found, key=lambda view: view.tiles.tolist()))


def between_views() -> Array:
    """Which view is as far from view j as view i is from the first one: [i, j], (6, 6) int64."""
    tiles = [view.tiles for view in views()]
    turned = [np.argsort(moved) for moved in tiles]
    return np.array([[_number(a[back]) for back in turned] for a in tiles])


def _turned() -> tuple[list[list[int]], list[list[int]]]:
    """Each of the twelve turns and mirrors of the tiles, and of their corners."""
    by_place = {place: tile for tile, place in enumerate(geometry.TILE_COORDS)}
    tiles: list[list[int]] = []
    corners: list[list[int]] = []
    for turns, is_mirrored in product(range(CORNERS), (False, True)):
        images = []
        for q, r in geometry.TILE_COORDS:
            if is_mirrored:
                q, r = r, q
            for _ in range(turns):
                q, r = -r, q + r
            images.append(by_place[q, r])
        for first, step in product(range(CORNERS), (1, -1)):
            tiles.append(images)
            corners.append([(first + step * k) % CORNERS for k in range(CORNERS)])
    return tiles, corners


def _view(tiles: Sequence[int], corners: Sequence[int]) -> View | None:
    """None where corners do not fit together, or a harbour comes to lie where none is."""
    images: dict[int, set[int]] = {}
    for tile, image in enumerate(tiles):
        for corner, moved in enumerate(corners):
            vertex = geometry.TILE_VERTICES[tile][corner]
            images.setdefault(vertex, set()).add(geometry.TILE_VERTICES[image][moved])
    if any(len(found) > 1 for found in images.values()):
        return None
    vertices = [min(images[vertex]) for vertex in range(VERTICES)]
    numbers = {frozenset(ends): edge for edge, ends in enumerate(geometry.EDGE_VERTICES)}
    edges = [numbers[frozenset((vertices[a], vertices[b]))] for a, b in geometry.EDGE_VERTICES]
    if {edges[edge] for edge in HARBOURS} != set(HARBOURS):
        return None
    harbours = [HARBOURS.index(edges[edge]) for edge in HARBOURS]
    return View(*map(np.array, (tiles, vertices, edges, harbours)))


def _number(tiles: Array) -> int:
    return [view.tiles.tolist() for view in views()].index(tiles.tolist())
