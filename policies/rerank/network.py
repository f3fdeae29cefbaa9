"""The network as an array file.

A weights file is an `.npz` with these arrays:

- `kind`: "rerank"
- `seats`: the number of seats at its tables
- `player_trade`: true if seats trade there
- `units`: (FEATURES + 1, n), a row of weights for each feature, then the biases
- `shares`: (n + 1,), the weights of the rectified units, then a constant
- `margin`: the margin in win probability by which another move must exceed the most valuable one
"""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import errors_of, read
from catan_env.policies.rerank.features import FEATURES
from catan_env.policies.value.scratch import row
from catan_env.policies.value.weights import calibration_for

Array = np.ndarray[Any, Any]
KIND = "rerank"


class RerankNetwork:
    """A network from a weights file; ValueError if the file is invalid."""

    def __init__(self, path: str | Path) -> None:
        arrays = read(path)
        with errors_of(path):
            self._take(arrays)

    def _take(self, arrays: Any) -> None:
        if str(arrays["kind"]) != KIND:
            raise ValueError(f"its kind is {str(arrays['kind'])!r}, not {KIND!r}")
        self.seats, self.player_trade = int(arrays["seats"]), bool(arrays["player_trade"])
        units = np.ascontiguousarray(arrays["units"], np.float64)
        shares = np.ascontiguousarray(arrays["shares"], np.float64)
        if units.ndim != 2 or len(units) != FEATURES + 1 or shares.shape != (units.shape[1] + 1,):
            found = f"{units.shape} and {shares.shape}"
            raise ValueError(f"arrays of shapes {found}, not ({FEATURES + 1}, n) and (n + 1,)")
        margin = float(arrays["margin"])
        _check_finite(units, shares, margin)
        self.units, self.shares, self.margin = units, shares, margin

    @property
    def line(self) -> Array:
        """The slope and offset of log odds by value, and the margin: (3,) float64."""
        return np.array([*calibration_for(self.seats), self.margin])

    def memory(self) -> tuple[Any, ...]:
        """The network and new memory to compute in, in the order that doors take: for a thread."""
        sums, seen, features = np.zeros(self.units.shape[1]), np.zeros(FEATURES), np.zeros(FEATURES)
        return tuple(map(row, (self.line, self.units, self.shares, sums, seen, features)))

    def check(self, seats: int, player_trade: bool) -> None:
        """ValueError if it was trained for another kind of table."""
        if (seats, player_trade) != (self.seats, self.player_trade):
            wanted, given = _table(self.seats, self.player_trade), _table(seats, player_trade)
            raise ValueError(f"the network is for {wanted}, not for {given}")


def _table(seats: int, player_trade: bool) -> str:
    return f"{seats} seats {'that trade' if player_trade else 'without trade between them'}"


def _check_finite(*weights: Array | float) -> None:
    if not all(np.isfinite(array).all() for array in weights):
        raise ValueError("a weight is not finite")


def save(
    path: str | Path, units: Array, shares: Array, margin: float, seats: int, player_trade: bool
) -> None:
    """Write a weights file, with weights as float32; ValueError if one is not finite."""
    with np.errstate(over="ignore"):  # what overflows is refused below
        units, shares = units.astype(np.float32), shares.astype(np.float32)
    _check_finite(units, shares, margin)
    np.savez_compressed(
        path,
        kind=np.array(KIND),
        seats=np.array(seats),
        player_trade=np.array(player_trade),
        units=units,
        shares=shares,
        margin=np.array(margin),
    )
