"""The weights of the value function, from `duel.toml` and `four.toml`, which name their origin.

The files also contain the log odds of winning by number of seats, as `offset + slope * value`.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.policies.value.names import NAMES
from catan_env.policies.value.win_probability import MOST_LOG_ODDS

HERE = Path(__file__).parent


def load(path: str | Path) -> np.ndarray[Any, Any]:
    """The weights in a file, in the order of their names: (n,) float64; KeyError without one."""
    numbers = tomllib.loads(Path(path).read_text())
    return np.array([numbers[name] for name in NAMES], np.float64)


def rounded(weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Weights rounded to four digits, as in the files."""
    return np.array([float(f"{weight:.4g}") for weight in weights])


def save(
    path: str | Path,
    weights: np.ndarray[Any, Any],
    calibrations: Mapping[int, tuple[float, float]],
    command: str,
) -> None:
    """Write weights, calibrations (slope and offset by seats), and the command that found them."""
    lines = [f"{name} = {weight:.4g}" for name, weight in zip(NAMES, rounded(weights), strict=True)]
    lines.append("[odds]")
    lines += [
        f"{seats} = [{slope:.4g}, {offset:.4g}]" for seats, (slope, offset) in calibrations.items()
    ]
    Path(path).write_text("\n".join([f"# {command}", *lines, ""]))


@cache
def calibration_for(seats: int) -> tuple[float, float]:
    """The slope and offset of the log odds of winning as a function of value."""
    slope, offset = tomllib.loads(_file(seats).read_text())["odds"][str(seats)]
    return float(slope), float(offset)


def log_odds_of(values: np.ndarray[Any, Any], seats: int) -> np.ndarray[Any, Any]:
    """The log odds of winning by values, limited to the range that a probability resolves.

    The shape is that of `values`.
    """
    slope, offset = calibration_for(seats)
    return np.clip(offset + slope * values, -MOST_LOG_ODDS, MOST_LOG_ODDS)


@cache
def weights_for(seats: int) -> np.ndarray[Any, Any]:
    """The weights for a duel, or for three or four seats; shared: do not write to it."""
    return load(_file(seats))


def _file(seats: int) -> Path:
    return HERE / ("duel.toml" if seats == 2 else "four.toml")
