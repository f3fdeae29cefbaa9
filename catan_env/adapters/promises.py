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


def check_observation(seen: Any, space: Any, game: int | None = None) -> None:
    """PromiseError unless an observation is an array of the space's shape and dtype.

    `space` may be an array of the same shape and dtype.
    """
    if getattr(seen, "shape", None) != space.shape or seen.dtype != space.dtype:
        raise PromiseError(
            f"observe returned {_described(seen)}{_in(game)}; "
            f"vector_space has shape {space.shape} and dtype {space.dtype}"
        )


def check_mask(mask: Any, num_actions: int, game: int | None = None) -> None:
    """PromiseError unless a mask is an array with one entry for each action."""
    if getattr(mask, "shape", None) != (num_actions,):
        expected = f"shape ({num_actions},), one entry for each action"
        raise PromiseError(f"action_mask is {_described(mask)}{_in(game)}; expected {expected}")


def check_any_legal(mask: Any, place: str) -> None:
    """PromiseError if a mask is empty at a place that has a seat to act."""
    if not np.any(mask):
        raise PromiseError(f"action_mask {place} has no legal action")


def _in(game: int | None) -> str:
    return "" if game is None else f" in game {game}"


def _described(found: Any) -> str:
    if isinstance(found, np.ndarray):
        return f"an array of shape {found.shape} and dtype {found.dtype}"
    return shown(found)
