"""Memory that the native functions work in: one a thread."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.core.constants import VERTICES, Layout
from catan_env.core.jit import COMPILED, ensure_compiled
from catan_env.core.state import doorway, fill_box, new_states
from catan_env.policies.search.native.choice import MOST, PLACES
from catan_env.policies.search.weights import weights_for


class Bench:
    """Games to try actions on, and the lists that they are ranked in."""

    def __init__(self) -> None:
        self.tries = doorway(new_states(PLACES))
        self.worth = row(np.zeros(VERTICES))
        self.moves = row(np.zeros(MOST, np.int64))
        self.scores = row(np.zeros(MOST))

    @property
    def memory(self) -> tuple[Any, ...]:
        """The arguments in the order of the doors."""
        return self.tries, self.worth, self.moves, self.scores


def row(array: np.ndarray[Any, Any]) -> Any:
    """An array in the form that is quick to index: itself compiled, a memoryview interpreted."""
    return array if COMPILED else memoryview(array)  # type: ignore[arg-type]


def rows(arrays: Sequence[np.ndarray[Any, Any]]) -> Any:
    """Several arrays of a length, one above the other, in such a form."""
    return np.stack(arrays) if COMPILED else [row(array) for array in arrays]


def open_value() -> None:
    """Compile the doors of the value function, each called once on a game of its own."""
    from catan_env import Game
    from catan_env.policies.search.native import doors

    states = doorway(Game(seats=2, seed=1)._array)
    told = np.zeros((1, 1), np.int64), np.zeros((1, 1))
    doors.rank_actions(states, row(weights_for(2)), *Bench().memory, *told, 0, 1)


def open_play_out() -> None:
    """Compile the door of whole games, called once on a game of its own."""
    from catan_env.policies.search.native import doors

    template = new_states(1)
    fill_box(template)
    template["seats"], template["layout"] = 2, Layout.SPIRAL
    doors.play_out(
        doorway(new_states(1)),
        doorway(template),
        1,
        np.zeros(1, np.int8),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        rows([weights_for(2)] * 2),
        *Bench().memory,
        0,
        1,
    )


def ensure_value() -> None:
    """Compile the value function unless this machine has done so."""
    ensure_compiled("value", open_value, Path(__file__).parent / "native")


def ensure_play_out() -> None:
    """Compile whole games by the value function unless this machine has done so."""
    ensure_compiled("play-out", open_play_out, Path(__file__).parent / "native")
