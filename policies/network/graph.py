"""A network that looks at all vertices alike, and so at all edges and all tiles.

A trunk is shown the whole table. What lies at a place is weighed by weights that all places of its
kind share, together with what the trunk makes of the table and with what lies around the place.
So what a network learns about one vertex it knows about all. The same lines serve NumPy's arrays
and torch's tensors; places come first in every shape, so that a layer is one product of matrices.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_env.game import geometry
from catan_env.game.observation import NUM_ACTIONS
from catan_env.policies.network import features
from catan_env.policies.network.features import (
    RESOURCES,
    SEATS,
    SHOWN_SIZE,
    TILES,
    VERTICES,
    Join,
    field,
)

EDGES = len(geometry.EDGE_VERTICES)
HARBOURS = features.FIELDS["harbour_kind"].shape[1]

VERTEX_FACTS = RESOURCES + 1 + HARBOURS + 2 * SEATS + 1
EDGE_FACTS = SEATS
TILE_FACTS = RESOURCES + 1 + SEATS

SETTLEMENTS, CITIES, ROADS, ROBBER = (
    slice(52, 106), slice(106, 160), slice(160, 232), slice(232, 308)
)  # fmt: skip
"""The actions at a place, by kind of place."""


def shapes(hidden: int, local: int) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights: `hidden` wide in the trunk, `local` at a place."""
    return {
        "trunk": (SHOWN_SIZE, hidden), "trunk_bias": (hidden,),
        "vertex": (VERTEX_FACTS, local), "vertex_table": (hidden, local), "vertex_bias": (local,),
        "vertex_self": (local, local), "vertex_near": (local, local), "vertex_again_bias": (local,),
        "edge": (EDGE_FACTS, local), "edge_ends": (local, local),
        "edge_table": (hidden, local), "edge_bias": (local,),
        "tile": (TILE_FACTS, local), "tile_corners": (local, local),
        "tile_table": (hidden, local), "tile_bias": (local,),
        "most": (local, hidden), "mean": (local, hidden),
        "body": (hidden, hidden), "body_bias": (hidden,),
        "settlement": (local, 1), "city": (local, 1), "road": (local, 1), "robber": (local, SEATS),
        "action": (hidden, NUM_ACTIONS), "action_bias": (NUM_ACTIONS,),
    }  # fmt: skip


def tables() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """The constants that `outputs` needs, by name."""
    ends = np.zeros((EDGES, VERTICES), np.float32)
    for edge, vertices in enumerate(geometry.EDGE_VERTICES):
        ends[edge, list(vertices)] = 1
    near = ends.T @ ends
    np.fill_diagonal(near, 0)
    numbers = np.arange(VERTICES, dtype=np.float32)
    return {**features.tables(), "ends": ends, "near": near, "numbers": numbers}


def outputs(
    weights: Mapping[str, Any], observations: Any, shown: Any, tables: Any, join: Join
) -> Any:
    """The outputs for (n, OBSERVATION_SIZE) float32 observations, unscaled: (n, NUM_ACTIONS).

    `shown`, (n, SHOWN_SIZE), is what `features.shown` makes of them.
    """
    w, ends, corners = weights, tables["ends"], tables["corners"]
    trunk = _relu(shown @ w["trunk"] + w["trunk_bias"])
    around = trunk @ w["vertex_table"] + w["vertex_bias"]
    vertex = _relu(_at_vertices(observations, tables, join) @ w["vertex"] + around)
    seen = vertex @ w["vertex_self"] + _sum(tables["near"], vertex @ w["vertex_near"])
    vertex = _relu(seen + w["vertex_again_bias"])
    around = trunk @ w["edge_table"] + w["edge_bias"]
    seen = _at_edges(observations) @ w["edge"] + _sum(ends, vertex @ w["edge_ends"])
    edge = _relu(seen + around)
    around = trunk @ w["tile_table"] + w["tile_bias"]
    seen = _at_tiles(observations, tables, join) @ w["tile"]
    tile = _relu(seen + _sum(corners.T, vertex @ w["tile_corners"]) + around)
    pooled = _most(vertex) @ w["most"] + vertex.mean(0) @ w["mean"]
    body = _relu(trunk @ w["body"] + pooled + w["body_bias"])
    result = body @ w["action"] + w["action_bias"]
    result[:, SETTLEMENTS] += (vertex @ w["settlement"])[:, :, 0].T
    result[:, CITIES] += (vertex @ w["city"])[:, :, 0].T
    result[:, ROADS] += (edge @ w["road"])[:, :, 0].T
    result[:, ROBBER] += (tile @ w["robber"]).swapaxes(0, 1).reshape(len(result), TILES * SEATS)
    return result


def _at_vertices(observations: Any, tables: Any, join: Join) -> Any:
    """Pips by resource, robber, harbour, buildings and roads by seat, whether none may settle."""
    corners, near = tables["corners"], tables["near"]
    harbours = field(observations, "harbour_vertices")[:, :, :, None]
    at_harbour = (1 - abs(harbours - tables["numbers"]).clip(0, 1)).sum(2).swapaxes(1, 2)
    buildings = _first(field(observations, "buildings")) / 2
    built = buildings.sum(2) * 2
    facts = [
        _sum(corners, features.tile_pips(observations).swapaxes(0, 1)) / 5,
        (corners @ field(observations, "robber").T)[:, :, None],
        (at_harbour @ field(observations, "harbour_kind")).swapaxes(0, 1),
        buildings,
        _sum(tables["ends"].T, _at_edges(observations)) / 3,
        (built + near @ built).clip(0, 1)[:, :, None],
    ]
    return join(facts, -1)


def _at_edges(observations: Any) -> Any:
    """Roads by seat."""
    return _first(field(observations, "roads"))


def _at_tiles(observations: Any, tables: Any, join: Join) -> Any:
    """Pips by resource, robber, buildings by seat."""
    facts = [
        features.tile_pips(observations).swapaxes(0, 1) / 5,
        field(observations, "robber").T[:, :, None],
        _sum(tables["corners"].T, _first(field(observations, "buildings"))) / 4,
    ]
    return join(facts, -1)


def _first(x: Any) -> Any:
    """(n, seats, places) as (places, n, seats)."""
    return x.swapaxes(0, 2).swapaxes(1, 2)


def _sum(table: Any, x: Any) -> Any:
    """For each row of (k, places) the sum over its places of (places, n, width): (k, n, width)."""
    places, n, width = x.shape
    return (table @ x.reshape(places, n * width)).reshape(len(table), n, width)


def _most(x: Any) -> Any:
    """The greatest over all places of (places, n, width): (n, width)."""
    return x.amax(0) if hasattr(x, "amax") else x.max(0)


def _relu(x: Any) -> Any:
    return x.relu() if hasattr(x, "relu") else x.clip(min=0)
