"""Inputs of a network in addition to the observation: the yields of tiles and buildings.

The yield of a building is a product (pips times building), which a small network learns slowly and
NumPy computes directly. The same code works on NumPy arrays and torch tensors.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from catan_env.game import geometry
from catan_env.game.observation import OBSERVATION_SIZE, named_observation

Join = Callable[[list[Any], int], Any]
"""np.concatenate or torch.cat."""

FIELDS = named_observation(np.arange(OBSERVATION_SIZE))
"""The index of every number of an observation, by field and in its shape."""
SEATS, VERTICES = FIELDS["buildings"].shape
TILES, RESOURCES = len(FIELDS["terrain"]), len(FIELDS["hand"])

MOST_ASKED = 4
"""The number of cards of a resource beyond which another makes no purchase possible."""
SHOWN_SIZE = OBSERVATION_SIZE + TILES * RESOURCES + SEATS * (TILES + RESOURCES)
SHOWN_SIZE += RESOURCES * MOST_ASKED
"""The number of inputs that `counts` returns: 1,124."""

MOST = {
    "token": 12, "pips": 5, "harbour_rate": 4, "harbour_vertices": 53, "buildings": 2, "bank": 19,
    "hand": 8, "known": 8, "hand_size": 10, "rates": 4, "cards": 3, "new_cards": 3,
    "card_count": 5, "played": 4, "deck_size": 25, "points": 10, "own_points": 10, "pieces": 15,
    "road_length": 15, "phase": 1, "turn": 127, "roll": 12, "placed": 8, "offers_left": 3,
    "owed": 8, "offer_give": 3, "offer_get": 3,
}  # fmt: skip
"""Approximate maxima of the observation's fields in common games; 1 for any other field."""


def tables() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """The constants that `counts` needs, by name."""
    asked = np.arange(1, MOST_ASKED + 1, dtype=np.float32)
    return {"corners": corners(), "asked": asked}


def corners() -> np.ndarray[Any, np.dtype[np.float32]]:
    """1 if a vertex is a corner of a tile: (54, 19) float32."""
    table = np.zeros((VERTICES, TILES), np.float32)
    for tile, vertices in enumerate(geometry.TILE_VERTICES):
        table[list(vertices), tile] = 1
    return table


def scale() -> np.ndarray[Any, np.dtype[np.float32]]:
    """The factors that scale an observation to about 0..1: (OBSERVATION_SIZE,) float32."""
    result = np.ones(OBSERVATION_SIZE, np.float32)
    for name, most in MOST.items():
        result[FIELDS[name]] = 1 / most
    return result


def counts(observations: Any, tables: Mapping[str, Any], join: Join) -> Any:
    """An observation and its yields, as integers below 128: (n, SHOWN_SIZE).

    `tables` are those of `tables()` as arrays or tensors like `observations`, and `join` is
    np.concatenate or torch.cat. Returns the observation (913), the pips of each tile by resource
    (95), the buildings of each relative seat at each tile (76), the pips of each relative seat by
    resource, ignoring the robber (20), and whether the hand contains 1, 2, 3 and 4 of each
    resource (20).
    """
    n, tiles = len(observations), tile_pips(observations)
    standing = field(observations, "buildings") @ tables["corners"]
    income = (standing @ tiles).clip(0, 127)
    hand = field(observations, "hand")[:, :, None] - tables["asked"]
    parts = [
        observations,
        tiles.reshape(n, TILES * RESOURCES),
        standing.reshape(n, SEATS * TILES),
        income.reshape(n, SEATS * RESOURCES),
        (hand + 1).clip(0, 1).reshape(n, RESOURCES * MOST_ASKED),
    ]
    return join(parts, -1)


def shown_scale() -> np.ndarray[Any, np.dtype[np.float32]]:
    """The factors that scale the numbers of `counts` to about 0..1: (SHOWN_SIZE,) float32."""
    sizes = TILES * RESOURCES, SEATS * TILES, SEATS * RESOURCES, RESOURCES * MOST_ASKED
    most = np.repeat([5, 4, 16, 1], sizes)
    return np.concatenate([scale(), 1 / most]).astype(np.float32)


def tile_pips(observations: Any) -> Any:
    """The pips of each tile at the index of its resource: (n, 19, 5)."""
    terrain = field(observations, "terrain")[:, :, :RESOURCES]
    return terrain * field(observations, "pips").reshape(len(observations), TILES, 1)


def field(observations: Any, name: str) -> Any:
    """A field of each observation, in its shape."""
    places = FIELDS[name]
    start = places.flat[0]
    return observations[:, start : start + places.size].reshape(len(observations), *places.shape)
