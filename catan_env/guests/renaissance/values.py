"""`greedy`'s values of actions and positions.

Each call has its own scratch memory: several threads may call at the same time.
"""

import numpy as np

from catan_env.guests.renaissance.native import lookahead
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.state import SEATS, new_states
from catan_env.guests.renaissance.position import Array
from catan_env.kernel.memory import doorway


def action_values(states: Array) -> Array:
    """The value of each legal action of each game, NEVER for the others: (n, 96)."""
    values = np.zeros((len(states), NUM_ACTIONS))
    scratch, tried = new_states(lookahead.SCRATCH), np.zeros(lookahead.SCRATCH, np.int64)
    lookahead.action_values(doorway(states), doorway(scratch), tried, values)
    return values


def prospects(states: Array) -> Array:
    """The value of each seat's position a turn ahead, 0 for missing seats: (n, 4) float32."""
    values = np.zeros((len(states), SEATS), np.float32)
    lookahead.prospects(doorway(states), doorway(new_states(lookahead.SCRATCH)), values)
    return values
