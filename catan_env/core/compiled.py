"""Compiles Catan's rules, once per machine; `python -m catan_env.core.compiled` does it in advance.

Nothing in `core` imports this module.
"""

from pathlib import Path

import numpy as np

from catan_env.core import batch, doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import DRAW, RESOURCES, Layout
from catan_env.core.dice import OUTCOMES
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.rules_shown import ADDED_SIZE
from catan_env.core.state import doorway, fill_box, new_states
from catan_env.kernel.compiled import ensure_compiled

CORE = Path(__file__).parent


def open_rules() -> None:
    """Call each door of a single game once, on its own game."""
    array = new_states(1)
    fill_box(array)
    array["seats"], array["layout"] = 2, Layout.SPIRAL
    states = doorway(array)
    none = np.zeros(RESOURCES, np.int8)
    doors.begin_game(states, 0)
    doors.renew_mask(states, 0)
    doors.next_table_action(states, 0)
    doors.write_mask_bytes(states, 0, np.zeros((1, NUM_ACTIONS), np.int8))
    doors.play(states, 0, 52, DRAW)
    doors.observe_game(states, 0, 0, np.zeros((1, OBSERVATION_SIZE), np.int8))
    doors.observe_table(states, 0, np.zeros((1, ADDED_SIZE), np.int8))
    doors.write_dice_weights(states, 0, np.zeros(OUTCOMES, np.int64))
    doors.play_offer(states, 0, 1, none, none)
    doors.play_bank_trade(states, 0, 0, 1, 4)
    doors.end_turn_unasked(states, 0)
    doors.leave_table(states, 0, 0)
    doors.derive(states, 0)
    doors.find_winner(states, 0)
    doors.redact(states, 0, 0)
    doors.declare_winner(states, 0, 0)


def open_batch() -> None:
    """Call each door of a batch once, on its own game."""
    template = new_states(1)
    fill_box(template)
    template["seats"], template["layout"] = 2, Layout.SPIRAL
    games, box = doorway(new_states(1)), doorway(template)
    done, results = np.zeros(1, np.int8), np.zeros(1, batch.RESULT)
    actions, seats = np.zeros(1, np.int64), np.zeros(1, np.int8)
    observations = np.zeros((1, OBSERVATION_SIZE), np.int8)
    action_masks = np.zeros((1, NUM_ACTIONS), np.int8)
    batch.reset_games(games, box, np.zeros(1, np.uint64), done, results, 0, 1)
    batch.sample_legal(games, 1, 1, actions, 0, 1)
    batch.step_games(games, box, actions, 9, True, done, results, observations, action_masks, 0, 1)
    batch.play_others(games, box, seats, actions, 9, True, done, results, 0, 1)
    batch.pick_others(games, seats, actions.copy(), actions, 0, 1)
    batch.reset_finished(games, box, done, results, 0, 1)
    batch.observe_games(games, results, observations, 0, 1)
    batch.observe_seats(games, seats, observations, 0, 1)
    batch.observe_tables(games, np.zeros((1, ADDED_SIZE), np.int8), 0, 1)
    batch.expand_masks(games, action_masks, 0, 1)
    winners, turns, decisions = np.zeros(1, np.int8), np.zeros(1, np.int32), np.zeros(1, np.int32)
    batch.play_out(games, box, 1, winners, turns, decisions, 0, 1)


def ensure_rules() -> None:
    """Compile the rules of a single game unless this machine has done so."""
    ensure_compiled("rules", open_rules, CORE)


def ensure_batch() -> None:
    """Compile the rules of a single game and of a batch unless this machine has done so."""
    ensure_rules()
    ensure_compiled("batch", open_batch, CORE)


if __name__ == "__main__":
    ensure_batch()
