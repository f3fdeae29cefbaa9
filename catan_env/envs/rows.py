"""Which of many games an index asks about."""

from collections.abc import Iterable
from typing import Any

import numpy as np


def checked_rows(indices: Any, n: int) -> list[int]:
    """The numbers of the games that one index, several or None (all) ask about."""
    if indices is None:
        return list(range(n))
    several = indices if isinstance(indices, Iterable) else [indices]
    return [checked_row(i, n) for i in several]


def checked_row(i: Any, n: int) -> int:
    """The number of one of n games; IndexError when there is none such."""
    if isinstance(i, int | np.integer) and 0 <= i < n:
        return int(i)
    raise IndexError(f"there is no game {i!r}; allowed are 0..{n - 1}")
