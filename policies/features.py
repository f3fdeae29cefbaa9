"""What a network is shown besides the observation itself: what tiles and buildings yield.

The yield of a building is a product (pips times what stands there), which a small network learns
slowly and NumPy multiplies at once. The same lines serve NumPy's arrays and torch's tensors.
"""

from typing import Any

import numpy as np

from catan_env import geometry
from catan_env.observation import OBSERVATION_SIZE, named_observation

FIELDS = named_observation(np.arange(OBSERVATION_SIZE))
"""The places of every number of an observation, by field and with its shape."""
SEATS, VERTICES = FIELDS["buildings"].shape
TILES, RESOURCES = len(FIELDS["terrain"]), len(FIELDS["hand"])

YIELDS_SIZE = TILES * RESOURCES + SEATS * TILES + SEATS * RESOURCES
"""The numbers that `yields` adds: 191."""

MOST = {
    "token": 12, "pips": 5, "harbour_rate": 4, "harbour_vertices": 53, "buildings": 2, "bank": 19,
    "hand": 8, "known": 8, "hand_size": 10, "rates": 4, "cards": 3, "new_cards": 3,
    "card_count": 5, "played": 4, "deck_size": 25, "points": 10, "own_points": 10, "pieces": 15,
    "road_length": 15, "phase": 1, "turn": 127, "roll": 12, "placed": 8, "offers_left": 3,
    "owed": 8, "offer_give": 3, "offer_get": 3,
}  # fmt: skip
"""About the most that a field of the observation holds in a common game; 1 where none is named."""


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


def yields(observations: Any, table: Any) -> tuple[Any, Any, Any]:
    """What lies and stands on the tiles, of (n, OBSERVATION_SIZE) float32, unscaled.

    `table` is `corners()` as an array or tensor like `observations`. Returns, each to about 0..1:
    the pips of each tile by resource (n, 95), the buildings of each relative seat at each tile
    (n, 76), and the pips of each relative seat by resource, the robber looked away from (n, 20).
    """
    terrain = _field(observations, "terrain")[:, :, :RESOURCES]
    tiles = terrain * _field(observations, "pips").reshape(-1, TILES, 1)
    standing = _field(observations, "buildings") @ table
    income = standing @ tiles
    return (
        tiles.reshape(-1, TILES * RESOURCES) / 5,
        standing.reshape(-1, SEATS * TILES) / 4,
        income.reshape(-1, SEATS * RESOURCES) / 16,
    )


def _field(observations: Any, name: str) -> Any:
    places = FIELDS[name]
    start = places.flat[0]
    return observations[:, start : start + places.size].reshape(-1, *places.shape)
