"""A network with a trunk that makes queries, and vertices that score how well they match.

From the whole table, the trunk computes the value, one output per action, and several queries: a
description of a good vertex for a settlement now, for a city, at the end of a road, beyond one,
and next to the robber. Every vertex computes a key from its own features, by weights that all
vertices share; key times query is added to the outputs of the actions there. Whatever is learned
about one vertex thus applies to all, at a quarter more than the cost of a flat network.

The same code works on NumPy arrays and torch tensors.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_env.core.actions import OFFER_START, SETTLEMENT_START
from catan_env.game import geometry
from catan_env.policies.network import features
from catan_env.policies.network.features import RESOURCES, SEATS, SHOWN_SIZE, VERTICES, Join, field

EDGES = len(geometry.EDGE_VERTICES)
HARBOUR_KINDS = features.FIELDS["harbour_kind"].shape[1]
VERTEX_INPUTS = RESOURCES + 1 + HARBOUR_KINDS + 2 * SEATS + 1
QUERIES = 5
"""Settlement, city, end of a road, beyond a road, robber."""
AT_PLACES = SETTLEMENT_START
"""The first action at a place: settlements, cities, roads and the robber, up to the first offer."""
PLAIN_ACTIONS = OFFER_START
"""All actions except offers, for seats that do not trade."""
OFFER_PARTS = SEATS - 1 + 2 * 3 * RESOURCES + RESOURCES * RESOURCES
"""The seat to ask, the resource and number given and received, and the pair of resources."""


TRUNK_INPUTS = SHOWN_SIZE + VERTICES
"""The trunk's inputs: `features.counts`, and the pips of each vertex that allows a settlement."""
NUM_INPUTS = TRUNK_INPUTS + VERTICES * VERTEX_INPUTS


def shapes(hidden: int, local: int, trade: bool) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights: width `hidden` in the trunk, `local` at a vertex."""
    outputs = PLAIN_ACTIONS + OFFER_PARTS * trade
    return {
        "trunk": (TRUNK_INPUTS, hidden), "trunk_bias": (hidden,),
        "body": (hidden, hidden), "body_bias": (hidden,),
        "vertex": (VERTEX_INPUTS, local), "vertex_bias": (local,),
        "query": (hidden, QUERIES * local), "query_bias": (QUERIES * local,),
        "action": (hidden, outputs), "action_bias": (outputs,),
        "value": (hidden, 1), "value_bias": (1,),
    }  # fmt: skip


def tables() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """The constants that `outputs` needs, by name."""
    ends = np.zeros((VERTICES, EDGES), np.float32)
    for edge, vertices in enumerate(geometry.EDGE_VERTICES):
        ends[list(vertices), edge] = 1
    near = ends @ ends.T
    np.fill_diagonal(near, 0)
    beyond = (near @ ends > 0) * (1 - ends)
    return {
        **features.tables(),
        "ends": ends,
        "near": near,
        "beyond": beyond.astype(np.float32),
        "input_scale": input_scale(),
        "robbed": features.corners().repeat(SEATS, axis=1),
        "vertex_at": np.eye(VERTICES, dtype=np.float32),
        "offer_parts": offer_parts(),
    }


def offer_parts() -> np.ndarray[Any, np.dtype[np.float32]]:
    """The parts of each offer: (OFFER_PARTS, 540) float32, in the order of the actions."""
    table = np.zeros((OFFER_PARTS, SEATS - 1, 3, RESOURCES, RESOURCES - 1, 3), np.float32)
    for to, n, give, slot, m in np.ndindex(*table.shape[1:]):
        get = slot + (slot >= give)
        giving = SEATS - 1 + n * RESOURCES + give
        getting = SEATS - 1 + 3 * RESOURCES + m * RESOURCES + get
        both = SEATS - 1 + 6 * RESOURCES + give * RESOURCES + get
        table[[to, giving, getting, both], to, n, give, slot, m] = 1
    return table.reshape(OFFER_PARTS, -1)


def inputs(observations: Any, tables: Any, join: Join) -> Any:
    """The network's inputs, as integers below 128: (n, NUM_INPUTS).

    They depend only on the (n, OBSERVATION_SIZE) observations, so a learner computes them once.
    """
    at_vertices = vertex_inputs(observations, tables, join)
    may_settle = 1 - at_vertices[:, :, -1]
    pips = at_vertices[:, :, :RESOURCES].sum(2) * may_settle
    table = features.counts(observations, tables, join)
    return join([table, pips, at_vertices.reshape(len(table), VERTICES * VERTEX_INPUTS)], -1)


def outputs(weights: Mapping[str, Any], inputs: Any, tables: Any, join: Join) -> Any:
    """The outputs of (n, NUM_INPUTS) inputs, (n, 308 or 848), and the value in the first column."""
    w = weights
    scaled = inputs * tables["input_scale"]
    at_vertices = scaled[:, TRUNK_INPUTS:].reshape(len(inputs), VERTICES, VERTEX_INPUTS)
    vertex = _relu(at_vertices @ w["vertex"] + w["vertex_bias"])
    trunk = _relu(scaled[:, :TRUNK_INPUTS] @ w["trunk"] + w["trunk_bias"])
    body = _relu(trunk @ w["body"] + w["body_bias"])
    plain = body @ w["action"] + w["action_bias"]
    query = (body @ w["query"] + w["query_bias"]).reshape(len(body), QUERIES, -1)
    fit = (vertex @ query.swapaxes(1, 2)).swapaxes(1, 2)
    road = fit[:, 2] @ tables["ends"] + fit[:, 3] @ tables["beyond"]
    at_places = [fit[:, 0], fit[:, 1], road, fit[:, 4] @ tables["robbed"]]
    parts = [
        plain[:, :AT_PLACES],
        plain[:, AT_PLACES:PLAIN_ACTIONS] + join(at_places, -1),
    ]
    if plain.shape[1] > PLAIN_ACTIONS:
        parts.append(plain[:, PLAIN_ACTIONS:] @ tables["offer_parts"])
    return join(parts, -1), body @ w["value"] + w["value_bias"]


def vertex_inputs(observations: Any, tables: Any, join: Join) -> Any:
    """The pips by resource, robber, harbour, buildings, roads and blocked state of each vertex.

    (n, 54, VERTEX_INPUTS).
    """
    corners = tables["corners"]
    buildings = field(observations, "buildings")
    built = buildings.sum(1).clip(0, 1)
    parts = [
        (features.tile_pips(observations).swapaxes(1, 2) @ corners.T).swapaxes(1, 2),
        (field(observations, "robber") @ corners.T)[:, :, None],
        _harbours(observations, tables),
        buildings.swapaxes(1, 2),
        (field(observations, "roads") @ tables["ends"].T).swapaxes(1, 2),
        (built + built @ tables["near"]).clip(0, 1)[:, :, None],
    ]
    return join(parts, -1)


def input_scale() -> np.ndarray[Any, np.dtype[np.float32]]:
    """The factors that scale the inputs to about 0..1: (NUM_INPUTS,) float32."""
    at_vertex = np.repeat([5, 1, 1, 2, 3, 1], [RESOURCES, 1, HARBOUR_KINDS, SEATS, SEATS, 1])
    most = np.concatenate([np.full(VERTICES, 10), np.tile(at_vertex, VERTICES)])
    return np.concatenate([features.shown_scale(), 1 / most]).astype(np.float32)


def _harbours(observations: Any, tables: Any) -> Any:
    """The kind of the harbour at each vertex, one-hot: (n, 54, 6)."""
    ends = _whole(field(observations, "harbour_vertices"))
    at = tables["vertex_at"][ends[:, :, 0]] + tables["vertex_at"][ends[:, :, 1]]
    return at.swapaxes(1, 2) @ field(observations, "harbour_kind")


def _whole(x: Any) -> Any:
    return x.long() if hasattr(x, "long") else x.astype(np.int64)


def _relu(x: Any) -> Any:
    return x.relu() if hasattr(x, "relu") else np.maximum(x, 0)
