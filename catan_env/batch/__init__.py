"""Many games in lockstep, and whole games in one call."""

import warnings
from typing import Any

from catan_env.batch import forks  # noqa: F401 - registers the hook for forked children
from catan_env.batch.batch import Batch
from catan_env.batch.pair import DoubleBatch
from catan_env.batch.play_out import PlayOut, play_out
from catan_env.batch.start import game_seeds
from catan_env.core.constants import NOBODY
from catan_env.kernel.lockstep import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY

__all__ = [
    "CUT_OFF",
    "ENDED",
    "GOES_ON",
    "NOBODY",
    "REFUSED",
    "STAY",
    "Batch",
    "DoubleBatch",
    "PlayOut",
    "game_seeds",
    "play_out",
]


def __getattr__(name: str) -> Any:
    """A constant by its old name, with a warning."""
    if name != "WON":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{__name__}.WON is now {__name__}.ENDED", DeprecationWarning, stacklevel=2)
    return ENDED
