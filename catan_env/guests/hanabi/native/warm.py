"""Calls every door once, which fills the cache of compiled code."""

from pathlib import Path

import numpy as np

from catan_env.guests.hanabi.native import doors
from catan_env.guests.hanabi.native.memory import GAME
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.rules import OFFICIAL
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.memory import doorway, new_blocks


def ready() -> None:
    """Compile the doors unless this machine has done so."""
    ensure_compiled("hanabi", open_doors, Path(__file__).parent)


def open_doors() -> None:
    """Call each door once, on its own game."""
    sheet = doorway(sheet_of(OFFICIAL, 2))
    games, blank = doorway(new_blocks(1, GAME)), doorway(new_blocks(1, GAME))
    done, results = np.zeros(1, np.int8), np.zeros(1, doors.RESULT)
    actions, seats = np.zeros(1, np.int64), np.zeros(1, np.int8)
    shown = np.zeros((1, observation_size(OFFICIAL, 2)), np.int8)
    masks = np.zeros((1, 20), np.int8)
    seeds = np.zeros(1, np.uint64)
    doors.deal_games(games, sheet, 0, 1)
    doors.reset_games(games, blank, sheet, seeds, done, results, 0, 1)
    doors.sample_legal(games, 1, 1, actions, 0, 1)
    doors.step_games(games, blank, sheet, actions, True, done, results, shown, masks, 0, 1)
    doors.play_others(games, blank, sheet, seats, True, done, results, 0, 1)
    doors.pick_others(games, seats, seats.astype(np.int64), actions, 0, 1)
    doors.reset_finished(games, blank, sheet, done, 0, 1)
    doors.observe_games(games, sheet, shown, 0, 1)
    doors.observe_seats(games, sheet, seats, shown, 0, 1)
    doors.expand_masks(games, sheet, masks, 0, 1)
    doors.play_out(games, blank, sheet, 1, np.zeros(1, np.int8), np.zeros(1, np.int32), 0, 1)
