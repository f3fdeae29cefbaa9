"""Many games in lockstep, and whole games at once."""

from catan_env.batch.batch import (
    CUT_OFF,
    GOES_ON,
    NOBODY,
    REFUSED,
    STAY,
    WON,
    Batch,
    DoubleBatch,
    PlayOut,
    game_seeds,
    play_out,
)

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
