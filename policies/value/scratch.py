"""Scratch memory of the value function: one object per thread."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.core.constants import VERTICES
from catan_env.core.state import doorway, new_states
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.value.choice import MOST, PLACES


class Scratch:
    """Games to try actions on, and lists to rank them in."""

    def __init__(self) -> None:
        self.tries = doorway(new_states(PLACES))
        self.vertex_scores = row(np.zeros(VERTICES))
        self.moves = row(np.zeros(MOST, np.int64))
        self.scores = row(np.zeros(MOST))

    def __reduce__(self) -> Any:
        return Scratch, ()  # none of it outlives a decision

    @property
    def memory(self) -> tuple[Any, ...]:
        """The arguments in the order that doors take."""
        return self.tries, self.vertex_scores, self.moves, self.scores


def row(array: np.ndarray[Any, Any]) -> Any:
    """An array as doors take it: itself if compiled, else a memoryview, which indexes faster."""
    return array if MACHINE_CODE else memoryview(array)  # type: ignore[arg-type]


def rows(arrays: Sequence[np.ndarray[Any, Any]]) -> Any:
    """Several arrays of equal length as doors take them, by index."""
    return np.stack(arrays) if MACHINE_CODE else [row(array) for array in arrays]
