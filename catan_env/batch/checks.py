"""Checks of the numbers and arrays passed to many games."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from catan_env.core.actions import NUM_ACTIONS
from catan_env.game.numbers import whole

NO_LIMIT = 2**31 - 1
INT64 = np.dtype(np.int64)

Array = np.ndarray[Any, Any]


def turn_limit(max_turns: int | None) -> int:
    """`max_turns` as doors take it; None, or more than a game can count, means unlimited."""
    if max_turns is None:
        return NO_LIMIT
    return min(whole("max_turns", max_turns, 0), NO_LIMIT)


def integers(name: str, given: ArrayLike, n: int) -> Array:
    """`given` as (n,) integers of any width; ValueError if it is anything else."""
    array = np.asarray(given)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} of shape {array.shape} and dtype {array.dtype}; allowed are ({n},) integers"
        )
    return array


def checked_actions(given: ArrayLike, n: int) -> Array:
    """Actions as doors take them: `given` itself if contiguous (n,) int64, otherwise a copy."""
    if (
        isinstance(given, np.ndarray)
        and given.dtype == INT64
        and given.shape == (n,)
        and given.flags.carray
    ):
        return given
    array = integers("actions", given, n)
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(NUM_ACTIONS))  # no value becomes negative
    return np.require(array, np.int64, ["C", "A", "W"])


def checked_seats(given: ArrayLike, n: int, least: int, most: int) -> Array:
    """Seats as doors take them: (n,) int8, each in `least`..`most`."""
    array = integers("seats", given, n)
    if array.min() < least or array.max() > most:
        i = int(np.flatnonzero((array < least) | (array > most))[0])
        raise ValueError(f"seats[{i}] is {array[i]}; allowed are {least}..{most}")
    return np.require(array, np.int8, ["C", "A", "W"])


def checked_out(name: str, given: Any, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """An array that doors may write to; never copied, since the caller reads it."""
    allowed = f"allowed is a contiguous, writeable {shape} of {np.dtype(dtype)}"
    if not isinstance(given, np.ndarray):
        raise TypeError(f"{name} is {given!r}; {allowed}")
    if given.shape != shape or given.dtype != dtype or not given.flags.carray:
        raise ValueError(f"{name} of shape {given.shape} and dtype {given.dtype}; {allowed}")
    return given


def buffer(name: str, wanted: bool | Array, shape: tuple[int, int]) -> Array | None:
    """An int8 array for rows of output: a new one, the given one, or None if not wanted."""
    if isinstance(wanted, bool | np.bool_ | None):
        return np.zeros(shape, np.int8) if wanted else None
    return checked_out(name, wanted, shape, np.int8)
