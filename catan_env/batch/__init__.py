"""Many games in lockstep, and whole games in one call."""

from catan_env.batch import forks  # noqa: F401 - registers the hook for forked children
from catan_env.batch.batch import Batch
from catan_env.batch.pair import DoubleBatch
from catan_env.batch.play_out import PlayOut, play_out
from catan_env.batch.start import game_seeds
from catan_env.core.batch import WON
from catan_env.core.constants import NOBODY
from catan_env.kernel.lockstep import CUT_OFF, GOES_ON, REFUSED, STAY

__all__ = [
    "CUT_OFF",
    "GOES_ON",
    "NOBODY",
    "REFUSED",
    "STAY",
    "WON",
    "Batch",
    "DoubleBatch",
    "PlayOut",
    "game_seeds",
    "play_out",
]
