"""The masks of many games, emptied where a function is not to decide."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@contextmanager
def only(games: Any, rows: Array) -> Iterator[None]:
    """In this block the masks of all other games are 0, so that they cost no time.

    These are the packed ones, or `action_masks` of games without those.
    """
    masks = games.masks if hasattr(games, "masks") else games.action_masks
    others = np.ones(games.num_games, np.bool_)
    others[rows] = False
    hidden = np.flatnonzero(others)
    before = masks[hidden]
    masks[hidden] = 0
    try:
        yield
    finally:
        masks[hidden] = before
