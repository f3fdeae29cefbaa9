"""The networks: one per kind of table, of the form of `policies.value.win_network`."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.policies.value.scratch import row
from catan_env.policies.value.win_network import num_features

Array = np.ndarray[Any, Any]
WEIGHTS = Path(__file__).resolve().parents[1] / "weights"
FILES = {
    (2, False): "set_up_duel",
    (2, True): "set_up_duel",
    (3, False): "set_up_three",
    (3, True): "set_up_three",
    (4, True): "set_up_four",
}
"""The weights file for a number of seats that do not trade with each other, or do."""


class SetUpNetwork:
    """A network from a file: (num_features(seats) + 2, units) float32.

    A row of weights for each feature, the biases, and the units' output weights. ValueError if the
    file is not of that form.
    """

    def __init__(self, path: str | Path, seats: int) -> None:
        weights: Array = np.load(path, allow_pickle=False)
        rows = num_features(seats) + 2
        if weights.ndim != 2 or len(weights) != rows or not np.isfinite(weights).all():
            wanted = f"finite weights of shape ({rows}, units)"
            raise ValueError(f"{path}: {wanted} are needed for {seats} seats, not {weights.shape}")
        self.seats, self.weights = seats, np.ascontiguousarray(weights, np.float64)

    def memory(self) -> tuple[Any, ...]:
        """The network and new memory to compute in, in the order that doors take: for a thread."""
        features, hidden = np.zeros(num_features(self.seats)), np.zeros(self.weights.shape[1])
        return tuple(map(row, (self.weights, features, hidden)))


@cache
def network_for(seats: int, player_trade: bool) -> SetUpNetwork | None:
    """The shipped network for such a table; None if there is none."""
    name = FILES.get((seats, player_trade))
    return None if name is None else SetUpNetwork(WEIGHTS / f"{name}.npy", seats)
