"""The weights of the value function: `duel.toml` and `four.toml`, which say where they are from."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from policies.search.native.names import NAMES

HERE = Path(__file__).parent


def load(path: str | Path) -> np.ndarray[Any, Any]:
    """The weights in a file, in the order of their names: (n,) float64; KeyError if one lacks."""
    numbers = tomllib.loads(Path(path).read_text())
    return np.array([numbers[name] for name in NAMES], np.float64)


def save(path: str | Path, weights: np.ndarray[Any, Any], command: str) -> None:
    """Write weights, and the command that found them."""
    lines = [f"{name} = {weight:.4g}" for name, weight in zip(NAMES, weights, strict=True)]
    Path(path).write_text("\n".join([f"# {command}", *lines, ""]))


@cache
def weights_for(seats: int) -> np.ndarray[Any, Any]:
    """The weights for a duel, or those of three or four seats; not to be written to."""
    return load(HERE / ("duel.toml" if seats == 2 else "four.toml"))
