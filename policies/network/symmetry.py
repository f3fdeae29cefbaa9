"""The six symmetries of the board that map harbours to harbours.

A position rotated by a third or mirrored is equivalent, and so is the best action at the place it
has moved to. `views` lists where everything moves: tiles, vertices, edges and harbours, the inputs
of a network, and the actions. This holds for boards with the standard harbour positions; on other
boards, which no shipped network was trained on, the views are not equivalent.
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
    """The image of each tile, vertex, edge and harbour, (k,) int64."""

    tiles: Array
    vertices: Array
    edges: Array
    harbours: Array

    def of_inputs(self) -> Array:
        """The image of each input of `pointer`: (NUM_INPUTS,)."""
        places = np.arange(pointer.TRUNK_INPUTS, pointer.NUM_INPUTS).reshape(VERTICES, -1)
        return np.append(self.of_trunk(), places[self.vertices])

    def of_trunk(self) -> Array:
        """The image of each input of the trunk of `pointer`: (TRUNK_INPUTS,)."""
        moved = np.arange(pointer.TRUNK_INPUTS)
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
        """The inputs that belong to places: their indices, the axis of the places, the images."""
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
        yield pointer.TRUNK_INPUTS - VERTICES + np.arange(VERTICES), 0, self.vertices


@cache
def views() -> tuple[View, ...]:
    """All six views; the first is the identity."""
    found = [view for view in map(_view, *_turned()) if view is not None]
    return tuple(sorted(found, key=lambda view: view.tiles.tolist()))


def between_views() -> Array:
    """The view [i, j] that follows view j as view i follows the first one: (6, 6) int64."""
    tiles = [view.tiles for view in views()]
    turned = [np.argsort(moved) for moved in tiles]
    return np.array([[_number(a[back]) for back in turned] for a in tiles])


def _turned() -> tuple[list[list[int]], list[list[int]]]:
    """The twelve rotations and reflections of the tiles, each with every order of the corners."""
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
    """The view of these images; None if corners do not match or a harbour leaves the harbours."""
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
