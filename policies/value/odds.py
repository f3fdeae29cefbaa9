"""The networks of `outlook`, learned by `training.outlook`: one for each number of seats."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.policies.value.facts import OF_SEAT, OF_TABLE
from catan_env.policies.value.scratch import row

Array = np.ndarray[Any, Any]
HERE = Path(__file__).parent


class Odds:
    """The network for a number of seats, and memory to compute in: one a thread."""

    def __init__(self, seats: int) -> None:
        net = net_for(seats)
        arrays = net, np.zeros(num_facts(seats)), np.zeros(net.shape[1])
        self.memory: tuple[Any, ...] = tuple(map(row, arrays))
        """The arguments in the order of the doors."""


def num_facts(seats: int) -> int:
    """How many numbers the network is told."""
    return seats * OF_SEAT + OF_TABLE


@cache
def net_for(seats: int) -> Array:
    """(facts + 2, units) float64; not to be written to."""
    net: Array = np.load(file_for(seats)).astype(np.float64)
    return net


def file_for(seats: int) -> Path:
    """Where the network for so many seats lies."""
    return HERE / f"outlook_{seats}.npy"
