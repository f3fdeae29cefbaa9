"""Access to observation fields by name."""

from typing import Any

import numpy as np

from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.observation import LAYOUT, OBSERVATION_SIZE, OBSERVATION_VERSION, OFFSETS

__all__ = ["NUM_ACTIONS", "OBSERVATION_SIZE", "OBSERVATION_VERSION", "named_observation"]


def named_observation(vector: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Return the fields of an observation, (..., OBSERVATION_SIZE), as views with their shapes.

    >>> import numpy as np
    >>> named_observation(np.zeros((8, OBSERVATION_SIZE), np.int8))["hand_size"].shape
    (8, 4)
    """
    if vector.shape[-1:] != (OBSERVATION_SIZE,):
        raise ValueError(
            f"shape {vector.shape}; the last axis of an observation is {OBSERVATION_SIZE}"
        )
    named = {}
    for name, shape, _ in LAYOUT:
        start = OFFSETS[name]
        size = int(np.prod(shape))
        named[name] = vector[..., start : start + size].reshape(*vector.shape[:-1], *shape)
    return named
