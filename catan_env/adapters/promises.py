"""Checks of what a game's own methods return; the error names the method."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from catan_env.kernel.shown import shown

Array = np.ndarray[Any, Any]


class PromiseError(ValueError):
    """A game breaks a promise of the contract: its own code has a fault."""


def checked_totals(totals: Any, seats: int) -> list[float]:
    """The totals of a game; PromiseError unless they are a finite number for each seat."""
    try:
        numbers = [float(total) for total in totals]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != seats or not all(map(isfinite, numbers)):
        raise PromiseError(
            f"totals returned {shown(totals)}; expected {seats} finite numbers, one for each seat"
        )
    return numbers


def checked_totals_of_all(found: Sequence[Any], seats: int) -> Array:
    """The totals of n games, (n, seats) float64, with the same check."""
    try:
        totals = np.array(found, np.float64)
    except (TypeError, ValueError):
        totals = np.zeros(0)
    if totals.shape != (len(found), seats) or not np.isfinite(totals).all():
        return np.array([checked_totals(one, seats) for one in found])
    return totals
