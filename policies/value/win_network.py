"""The win-probability networks, trained by `training.value_function`: one per number of seats."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.policies.value.features import OF_SEAT, OF_TABLE
from catan_env.policies.value.scratch import row

Array = np.ndarray[Any, Any]
HERE = Path(__file__).parent


class WinNetwork:
    """The network for a number of seats, and memory to compute in: one object per thread."""

    def __init__(self, seats: int) -> None:
        net = net_for(seats)
        arrays = net, np.zeros(num_features(seats)), np.zeros(net.shape[1])
        self.memory: tuple[Any, ...] = tuple(map(row, arrays))
        """The arguments in the order that doors take."""


def num_features(seats: int) -> int:
    """The number of the network's inputs."""
    return seats * OF_SEAT + OF_TABLE


@cache
def net_for(seats: int) -> Array:
    """(features + 2, units) float64, read-only."""
    net: Array = np.load(file_for(seats)).astype(np.float64)
    return net


def file_for(seats: int) -> Path:
    """The file of the network for a number of seats."""
    return HERE / f"win_probability_{seats}.npy"
