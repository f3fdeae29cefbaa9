"""`greedy`: one turn of lookahead with hand-set weights."""

import numpy as np

from catan_env.guests.renaissance.native import lookahead
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.native.state import new_states
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import doorway


class Greedy:
    """The action with the best value of the seat's next turn; see native/lookahead.py."""

    def __init__(self, seed: int = 0) -> None:
        ensure_ready()
        self._scratch = doorway(new_states(lookahead.SCRATCH))
        self._tried = np.zeros(lookahead.SCRATCH, np.int64)
        self._values = np.zeros((1, NUM_ACTIONS))

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`, which may lack refused actions."""
        return int(self.values(view).argmax())

    def values(self, view: SeatView) -> Array:
        """The value of each legal action, less than any of these for the others: (96,)."""
        lookahead.action_values(doorway(view._array), self._scratch, self._tried, self._values)
        return self._values[0]
