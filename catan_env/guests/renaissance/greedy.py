"""`greedy`: one turn of lookahead with hand-set weights."""

from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.values import action_values
from catan_env.guests.renaissance.view import SeatView


class Greedy:
    """The action with the best value of the seat's next turn; see native/lookahead.py."""

    def __init__(self, seed: int = 0) -> None:
        ensure_ready()

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`, which may lack refused actions."""
        return int(self.values(view).argmax())

    def values(self, view: SeatView) -> Array:
        """The value of each legal action, lower than all of these for the others: (96,)."""
        result: Array = action_values(view._array)[0]
        return result
