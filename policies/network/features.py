"""What a network is shown besides the observation itself: what tiles and buildings yield.

The yield of a building is a product (pips times what stands there), which a small network learns
slowly and NumPy multiplies at once. The same lines serve NumPy's arrays and torch's tensors.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from catan_env.game import geometry
from catan_env.game.observation import OBSERVATION_SIZE, named_observation

Join = Callable[[list[Any], int], Any]
"""np.concatenate, torch.cat."""

FIELDS = named_observation(np.arange(OBSERVATION_SIZE))
"""The places of every number of an observation, by field and with its shape."""
SEATS, VERTICES = FIELDS["buildings"].shape
TILES, RESOURCES = len(FIELDS["terrain"]), len(FIELDS["hand"])

MOST_ASKED = 4
"""Cards of a resource beyond which one more makes no difference to what can be bought."""
SHOWN_SIZE = OBSERVATION_SIZE + TILES * RESOURCES + SEATS * (TILES + RESOURCES)
SHOWN_SIZE += RESOURCES * MOST_ASKED
"""The numbers that `counts` makes: 1,124."""

MOST = {
    "token": 12, "pips": 5, "harbour_rate": 4, "harbour_vertices": 53, "buildings": 2, "bank": 19,
    "hand": 8, "known": 8, "hand_size": 10, "rates": 4, "cards": 3, "new_cards": 3,
    "card_count": 5, "played": 4, "deck_size": 25, "points": 10, "own_points": 10, "pieces": 15,
    "road_length": 15, "phase": 1, "turn": 127, "roll": 12, "placed": 8, "offers_left": 3,
    "owed": 8, "offer_give": 3, "offer_get": 3,
}  # fmt: skip
"""About the most that a field of the observation holds in a common game; 1 where none is named."""


def tables() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """The constants that `counts` needs, by name."""
    asked = np.arange(1, MOST_ASKED + 1, dtype=np.float32)
    return {"corners": corners(), "asked": asked}


def corners() -> np.ndarray[Any, np.dtype[np.float32]]:
    """1 where a vertex is a corner of a tile: (54, 19) float32."""
    table = np.zeros((VERTICES, TILES), np.float32)
    for tile, vertices in enumerate(geometry.TILE_VERTICES):
        table[list(vertices), tile] = 1
    return table


def scale() -> np.ndarray[Any, np.dtype[np.float32]]:
    """What brings every number of an observation to about 0..1: (OBSERVATION_SIZE,) float32."""
    result = np.ones(OBSERVATION_SIZE, np.float32)
    for name, most in MOST.items():
        result[FIELDS[name]] = 1 / most
    return result


def counts(observations: Any, tables: Mapping[str, Any], join: Join) -> Any:
    """An observation and what it yields, as whole numbers below 128: (n, SHOWN_SIZE).

    `tables` are those of `tables()` as arrays or tensors like `observations`, and `join` is
    np.concatenate or torch.cat. Gives the observation (913), the pips of each tile by resource
    (95), the buildings of each relative seat at each tile (76), the pips of each relative seat by
    resource, the robber looked away from (20), and whether the hand holds 1, 2, 3 and 4 of each
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
    """What brings every number of `counts` to about 0..1: (SHOWN_SIZE,) float32."""
    sizes = TILES * RESOURCES, SEATS * TILES, SEATS * RESOURCES, RESOURCES * MOST_ASKED
    most = np.repeat([5, 4, 16, 1], sizes)
    return np.concatenate([scale(), 1 / most]).astype(np.float32)


def tile_pips(observations: Any) -> Any:
    """The pips of each tile at the place of its resource: (n, 19, 5)."""
    terrain = field(observations, "terrain")[:, :, :RESOURCES]
    return terrain * field(observations, "pips").reshape(len(observations), TILES, 1)


def field(observations: Any, name: str) -> Any:
    """A field of each observation, in its shape."""
    places = FIELDS[name]
    start = places.flat[0]
    return observations[:, start : start + places.size].reshape(len(observations), *places.shape)
