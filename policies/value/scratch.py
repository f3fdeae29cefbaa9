"""Memory that the value function works in: one a thread."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.core.constants import VERTICES
from catan_env.core.state import doorway, new_states
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.value.choice import MOST, PLACES


class Scratch:
    """Games to try actions on, and the lists that they are ranked in."""

    def __init__(self) -> None:
        self.tries = doorway(new_states(PLACES))
        self.worth = row(np.zeros(VERTICES))
        self.moves = row(np.zeros(MOST, np.int64))
        self.scores = row(np.zeros(MOST))

    def __reduce__(self) -> Any:
        return Scratch, ()  # nothing in it is kept from one decision to the next

    @property
    def memory(self) -> tuple[Any, ...]:
        """The arguments in the order of the doors."""
        return self.tries, self.worth, self.moves, self.scores


def row(array: np.ndarray[Any, Any]) -> Any:
    """An array as doors take it: itself when compiled, a memoryview, quick to index, when not."""
    return array if MACHINE_CODE else memoryview(array)  # type: ignore[arg-type]


def rows(arrays: Sequence[np.ndarray[Any, Any]]) -> Any:
    """Several arrays of a length as doors take them, by their number."""
    return np.stack(arrays) if MACHINE_CODE else [row(array) for array in arrays]
