"""The outputs of the network of `pointer.py`, one position at a time, without a matrix library.

Most inputs are zero: their rows of weights are skipped.
"""
# mypy: ignore-errors

import numpy as np

from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import EDGES, HARBOURS, RESOURCES, SEATS, TILES, VERTICES
from catan_env.game import geometry
from catan_env.kernel.jit import compiled, door, inline, table
from catan_env.policies.network import pointer
from catan_env.policies.network.features import FIELDS, MOST_ASKED
from catan_env.policies.network.pointer import (
    AT_PLACES,
    HARBOUR_KINDS,
    NUM_INPUTS,
    PLAIN_ACTIONS,
    QUERIES,
    TRUNK_INPUTS,
    VERTEX_INPUTS,
)

OBSERVED = sum(places.size for places in FIELDS.values())
TERRAIN, PIPS, ROBBER, HARBOUR_KIND, HARBOUR_VERTICES, BUILDINGS, ROADS, HAND = (
    int(FIELDS[name].flat[0])
    for name in (
        "terrain", "pips", "robber", "harbour_kind", "harbour_vertices", "buildings", "roads",
        "hand",
    )
)  # fmt: skip
TERRAINS = FIELDS["terrain"].shape[1]
OFFERS = pointer.offer_parts().shape[1]
"""The number of actions that are offers."""

TILE_VERTICES = table(geometry.TILE_VERTICES)
EDGE_VERTICES = table(geometry.EDGE_VERTICES)
BEYOND = table([
    [v for v in range(VERTICES) if far[v]] + [-1] * (4 - int(far.sum()))
    for far in pointer.tables()["beyond"].T.astype(bool)
])  # fmt: skip
"""The vertices one edge beyond the ends of each edge: (72, 4), -1 where there are fewer."""
PARTS = table(np.nonzero(pointer.offer_parts().T)[1].reshape(OFFERS, -1))
"""The parts of each offer: (540, 4)."""

# The parts of the inputs after the observation.
TILE_PIPS = OBSERVED
STANDING = TILE_PIPS + TILES * RESOURCES
INCOME = STANDING + SEATS * TILES
ASKED = INCOME + SEATS * RESOURCES
SPOTS = ASKED + RESOURCES * MOST_ASKED
# The parts of a vertex's inputs.
AT_ROBBER = RESOURCES
AT_HARBOUR = AT_ROBBER + 1
AT_BUILDING = AT_HARBOUR + HARBOUR_KINDS
AT_ROAD = AT_BUILDING + SEATS
AT_BLOCKED = AT_ROAD + SEATS

SETTLE, CITY, END, FAR, ROB = range(QUERIES)
"""The queries, in their order."""
PLAIN, FIT, FOUND = range(3)
"""The rows of `scores`: outputs of the trunk, how well vertices fit queries, outputs of actions."""
MOST_LOCAL = NUM_ACTIONS // QUERIES
"""The most numbers that a vertex's key may have: all queries fit into a row of `scores`."""


@compiled
def write_inputs(observations, i, x):
    """Write the inputs of observation `i`, unscaled: row 0 of `x`, (k, NUM_INPUTS) float32."""
    for k in range(OBSERVED):
        x[0, k] = observations[i, k]
    for k in range(OBSERVED, NUM_INPUTS):
        x[0, k] = 0
    for tile in range(TILES):
        pips = observations[i, PIPS + tile]
        for corner in range(6):
            vertex = TILE_VERTICES[tile, corner]
            at = TRUNK_INPUTS + vertex * VERTEX_INPUTS
            x[0, at + AT_ROBBER] += observations[i, ROBBER + tile]
            for r in range(RESOURCES):
                x[0, at + r] += observations[i, TERRAIN + tile * TERRAINS + r] * pips
            for seat in range(SEATS):
                building = observations[i, BUILDINGS + seat * VERTICES + vertex]
                x[0, STANDING + seat * TILES + tile] += building
        for r in range(RESOURCES):
            produced = observations[i, TERRAIN + tile * TERRAINS + r] * pips
            x[0, TILE_PIPS + tile * RESOURCES + r] = produced
            for seat in range(SEATS):
                standing = x[0, STANDING + seat * TILES + tile]
                x[0, INCOME + seat * RESOURCES + r] += standing * produced
    for k in range(SEATS * RESOURCES):
        x[0, INCOME + k] = min(x[0, INCOME + k], np.float32(127))
    for r in range(RESOURCES):
        for n in range(MOST_ASKED):
            x[0, ASKED + r * MOST_ASKED + n] = observations[i, HAND + r] > n
    write_pieces(observations, i, x)


@compiled
def write_pieces(observations, i, x):
    """Write the inputs at the vertices that depend on harbours, buildings and roads."""
    for harbour in range(HARBOURS):
        for end in range(2):
            vertex = min(
                max(observations[i, HARBOUR_VERTICES + 2 * harbour + end], 0), VERTICES - 1
            )
            at = TRUNK_INPUTS + vertex * VERTEX_INPUTS + AT_HARBOUR
            for kind in range(HARBOUR_KINDS):
                x[0, at + kind] += observations[i, HARBOUR_KIND + harbour * HARBOUR_KINDS + kind]
    for vertex in range(VERTICES):
        at = TRUNK_INPUTS + vertex * VERTEX_INPUTS
        for seat in range(SEATS):
            building = observations[i, BUILDINGS + seat * VERTICES + vertex]
            x[0, at + AT_BUILDING + seat] = building
            if building > 0:
                x[0, at + AT_BLOCKED] = 1
    for edge in range(EDGES):
        for end in range(2):
            vertex, other = EDGE_VERTICES[edge, end], EDGE_VERTICES[edge, 1 - end]
            at = TRUNK_INPUTS + vertex * VERTEX_INPUTS
            for seat in range(SEATS):
                x[0, at + AT_ROAD + seat] += observations[i, ROADS + seat * EDGES + edge]
                if observations[i, BUILDINGS + seat * VERTICES + other] > 0:
                    x[0, at + AT_BLOCKED] = 1
    for vertex in range(VERTICES):
        at = TRUNK_INPUTS + vertex * VERTEX_INPUTS
        if x[0, at + AT_BLOCKED] == 0:
            for r in range(RESOURCES):
                x[0, SPOTS + vertex] += x[0, at + r]


@inline
def multiply(source, row, start, weights, out, to):
    """Write a row of `source`, from `start` on, times the weights plus their last row."""
    rows, columns = weights.shape[0] - 1, weights.shape[1]
    for j in range(columns):
        out[to, j] = weights[rows, j]
    for k in range(rows):
        value = source[row, start + k]
        if value != 0:
            for j in range(columns):
                out[to, j] += value * weights[k, j]


@inline
def rectify(out, row):
    """Replace what is negative by 0."""
    for j in range(out.shape[1]):
        out[row, j] = max(out[row, j], np.float32(0))


@compiled
def run(x, trunk, body, vertex, query, action, hidden, keys, scores):
    """Compute the outputs for the scaled inputs in row 1 of `x`: row FOUND of `scores`."""
    multiply(x, 1, 0, trunk, hidden, 0)
    rectify(hidden, 0)
    multiply(hidden, 0, 0, body, hidden, 1)
    rectify(hidden, 1)
    for v in range(VERTICES):
        multiply(x, 1, TRUNK_INPUTS + v * VERTEX_INPUTS, vertex, keys, v)
        rectify(keys, v)
    local = keys.shape[1]
    multiply(hidden, 1, 0, query, scores, FIT)
    for q in range(QUERIES):
        for j in range(local):
            keys[VERTICES + q, j] = scores[FIT, q * local + j]
    for q in range(QUERIES):
        for v in range(VERTICES):
            total = np.float32(0)
            for j in range(local):
                total += keys[v, j] * keys[VERTICES + q, j]
            scores[FIT, q * VERTICES + v] = total
    multiply(hidden, 1, 0, action, scores, PLAIN)
    write_actions(scores, action.shape[1])


@compiled
def write_actions(scores, outputs):
    """Write the output of each action: that of the trunk, and how well its place fits."""
    for k in range(PLAIN_ACTIONS):
        scores[FOUND, k] = scores[PLAIN, k]
    place = AT_PLACES
    for k in range(2 * VERTICES):  # settlements, then cities
        scores[FOUND, place + k] += scores[FIT, SETTLE * VERTICES + k]
    place += 2 * VERTICES
    for edge in range(EDGES):
        total = np.float32(0)
        for end in range(2):
            total += scores[FIT, END * VERTICES + EDGE_VERTICES[edge, end]]
        for k in range(4):
            if BEYOND[edge, k] >= 0:
                total += scores[FIT, FAR * VERTICES + BEYOND[edge, k]]
        scores[FOUND, place + edge] += total
    place += EDGES
    for tile in range(TILES):
        total = np.float32(0)
        for corner in range(6):
            total += scores[FIT, ROB * VERTICES + TILE_VERTICES[tile, corner]]
        for seat in range(SEATS):
            scores[FOUND, place + tile * SEATS + seat] += total
    if outputs > PLAIN_ACTIONS:
        for k in range(OFFERS):
            total = np.float32(0)
            for part in range(4):
                total += scores[PLAIN, PLAIN_ACTIONS + PARTS[k, part]]
            scores[FOUND, PLAIN_ACTIONS + k] = total


@door
def write_outputs(
    observations,
    trunk,
    body,
    vertex,
    query,
    action,
    scale,
    actions,
    views,
    moved,
    images,
    inputs,
    hidden,
    keys,
    scores,
    out,
    start,
    stop,
):
    """Write the network's outputs for observations `start <= i < stop`: rows of `out`.

    `out` is (n, 848) float32; those from number `actions` on get -inf. The weights of a layer are
    (inputs + 1, outputs) float32, the last row its bias; `scale`, (NUM_INPUTS,) float32, multiplies
    the inputs. The outputs are the mean over `views` of the board: `moved` has for each view the
    input at each place, (views * NUM_INPUTS,) int64, and `images` the output of each action,
    (views * 848,) int64. Scratch memory, float32: `inputs` (2, NUM_INPUTS), `hidden` (2, width of
    the trunk), `keys` (59, width of a key), `scores` (3, 848).
    """
    for i in range(start, stop):
        for k in range(NUM_ACTIONS):
            out[i, k] = np.float32(0) if k < actions else -np.float32(np.inf)
        write_inputs(observations, i, inputs)
        for view in range(views):
            for k in range(NUM_INPUTS):
                inputs[1, k] = inputs[0, moved[view * NUM_INPUTS + k]] * scale[k]
            run(inputs, trunk, body, vertex, query, action, hidden, keys, scores)
            for k in range(actions):
                out[i, k] += scores[FOUND, images[view * NUM_ACTIONS + k]]
        for k in range(actions):
            out[i, k] /= np.float32(views)
