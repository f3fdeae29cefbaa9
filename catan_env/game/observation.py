"""Observations of one seat, and their fields by name."""

from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.core import doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.observation import OBSERVATION_SIZE, OBSERVATION_VERSION
from catan_env.core.rules_shown import LAYOUTS, SIZES

__all__ = [
    "NUM_ACTIONS",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "SIZES",
    "checked_version",
    "named_observation",
    "observation_of",
]

VERSION_OF = {size: version for version, size in SIZES.items()}


def checked_version(version: int) -> int:
    """Return a version of the observation; ValueError if it is unknown."""
    if isinstance(version, bool) or version not in list(SIZES):
        allowed = " and ".join(map(str, SIZES))
        raise ValueError(f"observation_version is {version!r}; allowed are {allowed}")
    return int(version)


def observation_of(
    states: Any, i: int, seat: int, version: int
) -> np.ndarray[Any, np.dtype[np.int8]]:
    """The observation of a seat of game `i` in a known version: (SIZES[version],), a new array."""
    out = np.empty(SIZES[version], np.int8)
    row = out.reshape(1, -1)
    if version == 1:
        doors.observe_game(states, i, seat, row)
    else:
        doors.observe_game(states, i, seat, row[:, :OBSERVATION_SIZE])
        doors.observe_table(states, i, row[:, OBSERVATION_SIZE:])
    return out


def named_observation(given: ArrayLike) -> dict[str, np.ndarray[Any, Any]]:
    """Return the fields of an observation, (..., OBSERVATION_SIZE), as views with their shapes.

    Its size tells the version.

    >>> import numpy as np
    >>> named_observation(np.zeros((8, OBSERVATION_SIZE), np.int8))["hand_size"].shape
    (8, 4)
    """
    vector = np.asarray(given)
    if vector.ndim == 0 or vector.shape[-1] not in VERSION_OF:
        allowed = f"{OBSERVATION_SIZE}, or {SIZES[2]} in version 2"
        raise ValueError(f"shape {vector.shape}; the last axis of an observation is {allowed}")
    layout = LAYOUTS[VERSION_OF[vector.shape[-1]]]
    ends = accumulate(prod(shape) for _, shape, _ in layout)
    return {
        name: vector[..., end - prod(shape) : end].reshape(*vector.shape[:-1], *shape)
        for (name, shape, _), end in zip(layout, ends, strict=True)
    }
