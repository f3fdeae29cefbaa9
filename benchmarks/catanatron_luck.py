"""The luck of a game in catanatron's engine, measured in a replay under our rules."""

import json
from typing import Any

import msgspec
import numpy as np
from catanatron.json import GameEncoder  # type: ignore[import-not-found]

from catan_env import Action, Phase
from catan_env.foreign import ForeignError
from catan_env.foreign.catanatron_json import Reading
from catan_env.foreign.catanatron_messages import Record
from catan_env.policy import load_luck


def luck_of(game: Any) -> np.ndarray[Any, Any]:
    """The luck of each seat in a finished game: (seats,) float64.

    From the first step that our rules do not allow, none is counted. Whether a step is the last one
    must not depend on its own chance: a roll is counted even if catanatron pays it otherwise.
    """
    text = json.dumps(game, cls=GameEncoder)
    reading = Reading(msgspec.json.decode(text, type=Record), game.vps_to_win)
    begun = reading.game.copy()
    try:
        reading.play()
    except ForeignError as error:
        entry = reading.entry(error.step or 1)
        if entry.kind == "ROLL" and reading.game.phase == Phase.ROLL:
            reading.game.play(Action.roll(), tuple(entry.result))
    luck: np.ndarray[Any, Any] = load_luck()(begun, reading.game.events)
    return luck
