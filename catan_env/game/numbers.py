"""What is asked of numbers before they are used."""

import operator
from typing import Any


def index_of(given: Any) -> int:
    """`given` as an int; TypeError where it is no whole number, or a bool."""
    if isinstance(given, bool):
        raise TypeError(f"{given} is no number")
    return operator.index(given)


def whole(name: str, given: Any, least: int, most: int | None = None) -> int:
    """`given` as an int; TypeError or ValueError where it is not one of `least`..`most`.

    >>> whole("roll", 7, 2, 12)
    7
    >>> whole("roll", 6.5, 2, 12)
    Traceback (most recent call last):
    TypeError: roll is 6.5; allowed are whole numbers
    """
    try:
        number = index_of(given)
    except TypeError:
        raise TypeError(f"{name} is {given!r}; allowed are whole numbers") from None
    if number < least or (most is not None and number > most):
        allowed = f"{least} and more" if most is None else f"{least}..{most}"
        raise ValueError(f"{name} is {number}; allowed are {allowed}")
    return number
