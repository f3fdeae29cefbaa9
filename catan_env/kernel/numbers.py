"""Checks of numbers and switches in arguments."""

import operator
from typing import Any

import numpy as np

from catan_env.kernel.shown import shown

MOST_SEED = 2**64 - 1


def index_of(given: Any) -> int:
    """Return `given` as an int; TypeError for a bool or anything but a whole number."""
    if isinstance(given, bool):
        raise TypeError(f"{given} is not a number")
    return operator.index(given)


def action_index(given: Any) -> int:
    """Return an action's index as an int; TypeError if `given` is not a whole number."""
    try:
        return index_of(given)
    except TypeError:
        raise TypeError(f"expected an Action or its index, got {shown(given)}") from None


def whole(name: str, given: Any, least: int, most: int | None = None) -> int:
    """Return `given` as an int; TypeError or ValueError unless it is in `least`..`most`.

    >>> whole("roll", 7, 2, 12)
    7
    >>> whole("roll", 6.5, 2, 12)
    Traceback (most recent call last):
    TypeError: roll is 6.5; allowed are whole numbers
    """
    try:
        number = index_of(given)
    except TypeError:
        raise TypeError(f"{name} is {shown(given)}; allowed are whole numbers") from None
    if number < least or (most is not None and number > most):
        allowed = f"{least} or more" if most is None else f"{least}..{most}"
        raise ValueError(f"{name} is {shown(number)}; allowed are {allowed}")
    return number


def whole_seed(given: Any) -> int:
    """Return a seed as an int; TypeError or ValueError unless it is a number of 64 bits.

    >>> whole_seed(-1)
    Traceback (most recent call last):
    ValueError: seed is -1; allowed are 0..2**64 - 1
    """
    try:
        return whole("seed", given, 0, MOST_SEED)
    except ValueError:
        raise ValueError(f"seed is {shown(index_of(given))}; allowed are 0..2**64 - 1") from None


def wrapped_seed(number: int) -> int:
    """Return the seed that a number of any size gives: its last 64 bits.

    >>> wrapped_seed(2**64 + 5)
    5
    """
    return number % (MOST_SEED + 1)


def flag(name: str, given: Any) -> bool:
    """Return `given` as a bool; TypeError for anything but True and False.

    >>> flag("awards", "no")
    Traceback (most recent call last):
    TypeError: awards is 'no'; allowed are True and False
    """
    if not isinstance(given, bool | np.bool_):
        raise TypeError(f"{name} is {shown(given)}; allowed are True and False")
    return bool(given)
