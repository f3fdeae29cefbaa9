"""Whole games of `best` with itself, played natively."""

from typing import Any

import numpy as np

from catan_env.guests.hanabi.blueprint import doors, warm
from catan_env.guests.hanabi.blueprint.memory import PICTURE
from catan_env.guests.hanabi.native.memory import GAME
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.rules import Rules
from catan_env.kernel.memory import doorway, new_blocks
from catan_env.kernel.numbers import whole_seed


def scores_of_best(players: int, games: int, seed: int, rules: Rules) -> "np.ndarray[Any, Any]":
    """The scores of games with the seeds from `seed` on: (games,) int8."""
    warm.ready()
    scores = np.zeros(games, np.int8)
    game, blank = doorway(new_blocks(1, GAME)), doorway(new_blocks(1, GAME))
    pictures, sheet = doorway(new_blocks(2, PICTURE)), doorway(sheet_of(rules, players))
    seeds = np.array([whole_seed(seed + i) for i in range(games)], np.uint64)
    doors.play_games(game, blank, pictures, sheet, seeds, scores, 0, games)
    return scores
