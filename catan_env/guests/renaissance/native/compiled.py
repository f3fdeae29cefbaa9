"""Compiles the rules of this game by calling each of their doors once."""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.guests.renaissance.native import batch, doors, lookahead
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import SEATS, fill_box, new_states
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.memory import doorway


def ensure_ready() -> None:
    """Compile the rules unless this machine has done so."""
    ensure_compiled("renaissance", open_doors, Path(__file__).parent)


def open_doors() -> None:
    """Call each door once, with the types of arguments that Python passes."""
    states, tried = new_states(1), new_states(1)
    fill_box(states)
    states["seats"] = 2
    games, out = doorway(states), np.zeros((1, OBSERVATION_SIZE), np.uint8)
    doors.begin(games, 0)
    tried[:] = states
    open_single_doors(doorway(tried), out)
    scratch = new_states(lookahead.SCRATCH)
    scratch[0] = states[0]
    open_lookahead_doors(games, doorway(scratch))
    open_batch_doors(out)


def open_single_doors(games: Any, out: Any) -> None:
    """Call each further door of one game once; they leave it in no particular state."""
    doors.step(games, 0, 0)
    for of_seat in (doors.ask, doors.ask_for_goods, doors.go_away, doors.come_back):
        of_seat(games, 0, 0)
    doors.exchange(games, 0, 0, 1)
    for of_game in (doors.hold_reports, doors.renew_mask):
        of_game(games, 0)
    doors.points_of(games, 0, 0)
    doors.count_of(games, 0, 0, 0)
    doors.cost_of(games, 0, 0, 0, 0)
    doors.meets_needs(games, 0, 0, 0)
    doors.exchange_fits(games, 0, 0, 0, 1)
    doors.observe_game(games, 0, 0, out)
    doors.redact(games, 0, 0)
    doors.redact_all(games)
    doors.ask_viewer(games, 0, 0)


def open_lookahead_doors(games: Any, scratch: Any) -> None:
    """Call each door of the lookahead once."""
    tried = np.zeros(lookahead.SCRATCH, np.int64)
    lookahead.best_action(scratch, tried)
    lookahead.action_values(games, scratch, tried, np.zeros((1, NUM_ACTIONS)))
    lookahead.prospects(games, scratch, np.zeros((1, SEATS), np.float32))


def open_batch_doors(out: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    """Call each door of the batch once."""
    template, states = new_states(1), new_states(1)
    fill_box(template)
    template["seats"] = 2
    games, first = doorway(states), doorway(template)
    seeds, masks = np.ones(1, np.uint64), np.zeros((1, NUM_ACTIONS), np.int8)
    done, winners = np.zeros(1, np.int8), np.zeros(1, np.int8)
    rewards, rounds = np.zeros((1, SEATS), np.float32), np.zeros(1, np.int32)
    actions, seats = np.full(1, batch.BEGIN), np.zeros(1, np.int8)
    results = done, rewards, winners, rounds, out, masks
    batch.step_games(games, first, actions, seeds, 200, True, *results, 0, 1)
    batch.sample_legal(games, 1, 1, actions, 0, 1)
    batch.pick_others(games, seats, actions.copy(), actions, 0, 1)
    batch.observe_seats(games, seats, out, 0, 1)
