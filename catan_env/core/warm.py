"""Opening every door once: what fills the cache of compiled code."""

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import DRAW, RESOURCES, Layout
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.state import doorway, fill_box, new_states


def open_every_door() -> None:
    """Call each door once on a game of its own."""
    array = new_states(1)
    fill_box(array)
    array["seats"], array["layout"] = 2, Layout.SPIRAL
    states = doorway(array)
    none = np.zeros(RESOURCES, np.int8)
    doors.begin_game(states, 0)
    doors.next_table_action(states, 0)
    doors.write_mask_bytes(states, 0, np.zeros((1, NUM_ACTIONS), np.int8))
    doors.play(states, 0, 52, DRAW)
    doors.observe_game(states, 0, 0, np.zeros((1, OBSERVATION_SIZE), np.int8))
    doors.play_offer(states, 0, 1, none, none)
    doors.play_bank_trade(states, 0, 0, 1, 4)
    doors.end_turn_unasked(states, 0)
    doors.leave_table(states, 0, 0)
    doors.derive(states, 0)
    doors.find_winner(states, 0)
    doors.redact(states, 0, 0)
    doors.declare_winner(states, 0, 0)
