"""Checks of the arrays passed to many games, before doors read or write them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from catan_env.kernel.numbers import whole_seed
from catan_env.kernel.rng import word_at

INT64 = np.dtype(np.int64)
LARGEST = np.uint64(2**63 - 1)

Array = np.ndarray[Any, Any]


def integers(name: str, given: ArrayLike, n: int) -> Array:
    """`given` as (n,) integers of any width; ValueError if it is anything else."""
    array = np.asarray(given)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} of shape {array.shape} and dtype {array.dtype}; allowed are ({n},) integers"
        )
    return array


def checked_numbers(name: str, given: ArrayLike, n: int) -> Array:
    """Numbers as doors take them: `given` itself if contiguous (n,) int64, otherwise a copy."""
    if (
        isinstance(given, np.ndarray)
        and given.dtype == INT64
        and given.shape == (n,)
        and given.flags.carray
    ):
        return given
    array = integers(name, given, n)
    if array.dtype == np.uint64:
        array = np.minimum(array, LARGEST)  # no value becomes negative
    return np.require(array, np.int64, ["C", "A", "W"])


def checked_seats(given: ArrayLike, n: int, least: int, most: int) -> Array:
    """Seats as doors take them: (n,) int8, each in `least`..`most`."""
    array = integers("seats", given, n)
    if array.min() < least or array.max() > most:
        i = int(np.flatnonzero((array < least) | (array > most))[0])
        raise ValueError(f"seats[{i}] is {array[i]}; allowed are {least}..{most}")
    return np.require(array, np.int8, ["C", "A", "W"])


def seeds_of(given: int | ArrayLike, n: int) -> Array:
    """A seed for each of n games, (n,) uint64, a new array: mixed from one seed, or those given."""
    if np.ndim(given):
        return checked_seeds(given, n)
    seed = whole_seed(given)
    signed = (seed + (1 << 63)) % (1 << 64) - (1 << 63)  # all that a compiled call accepts
    return np.array([word_at(signed, i) for i in range(n)], dtype=np.uint64)


def next_seeds(seeds: Array) -> Array:
    """The seeds of the games that follow those with `seeds`, (n,) uint64 each, in the same place.

    They are those of the doors' `next_seed`.
    """
    signed = seeds.astype(np.int64)  # all that a compiled call accepts
    return np.array([word_at(seed, 1) for seed in signed.tolist()], dtype=np.uint64)


def checked_seeds(given: ArrayLike, n: int) -> Array:
    """Seeds as doors take them: (n,) uint64, a new array."""
    if not isinstance(given, np.ndarray):
        given = np.array([whole_seed(seed) for seed in given], np.uint64)  # type: ignore[union-attr]
    array = integers("seeds", given, n)
    if array.min() < 0:
        i = int(array.argmin())
        raise ValueError(f"seeds[{i}] is {array[i]}; allowed are 0..2**64 - 1")
    return np.array(array, np.uint64, order="C")


def checked_out(name: str, given: Any, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """An array that doors may write to; never copied, since the caller reads it."""
    allowed = f"allowed is a contiguous, writeable {shape} of {np.dtype(dtype)}"
    if not isinstance(given, np.ndarray):
        raise TypeError(f"{name} is {given!r}; {allowed}")
    if given.shape != shape or given.dtype != dtype or not given.flags.carray:
        raise ValueError(f"{name} of shape {given.shape} and dtype {given.dtype}; {allowed}")
    return given


def buffer(
    name: str, wanted: bool | Array, shape: tuple[int, int], dtype: DTypeLike = np.int8
) -> Array | None:
    """An array for rows of output: a new one, the given one, or None if not wanted."""
    if isinstance(wanted, bool | np.bool_ | None):
        return np.zeros(shape, dtype) if wanted else None
    return checked_out(name, wanted, shape, dtype)
