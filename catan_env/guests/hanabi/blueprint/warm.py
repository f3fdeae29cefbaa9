"""Calls every door once, which fills the cache of compiled code."""

from pathlib import Path

import numpy as np

from catan_env.guests.hanabi.blueprint import doors
from catan_env.guests.hanabi.blueprint.memory import PICTURE
from catan_env.guests.hanabi.native.memory import GAME, MOST_CARDS, PLACES
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.rules import OFFICIAL
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.memory import doorway, new_blocks


def ready() -> None:
    """Compile the doors unless this machine has done so."""
    ensure_compiled("hanabi blueprint", open_doors, Path(__file__).parent)


def open_doors() -> None:
    """Call each door once, on its own game."""
    sheet = doorway(sheet_of(OFFICIAL, 2))
    games, blank = doorway(new_blocks(1, GAME)), doorway(new_blocks(1, GAME))
    pictures = doorway(new_blocks(2, PICTURE))
    actions, scores = np.zeros(1, np.int64), np.zeros(1, np.int8)
    doors.play_games(games, blank, pictures, sheet, np.ones(1, np.uint64), scores, 0, 1)
    doors.clear_pictures(pictures, sheet, 0, 0)
    doors.choose(games, pictures, sheet, actions, 0, 0)
    doors.play_actions(games, pictures, sheet, actions, 0, 0)
    masks, left = np.zeros(PLACES, np.int64), np.zeros(MOST_CARDS, np.int64)
    worlds = np.zeros((1, MOST_CARDS), np.int64)
    hands = np.zeros((0, PLACES), np.int64)
    none = np.zeros(0, np.int64)
    doors.draw_worlds(
        games, pictures, blank, sheet, masks, masks, left, blank, pictures, hands, none, 1,
        worlds, 0, 0,
    )  # fmt: skip
    doors.enter_worlds(games, sheet, worlds, 0, 0)
    totals = np.zeros((1, 1), np.int8)
    doors.try_actions(games, pictures, blank, pictures, sheet, worlds, actions, totals, 0, 0)
