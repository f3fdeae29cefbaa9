"""A game as seen from one seat."""

from typing import Any

from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.position import Array, Position
from catan_env.kernel.memory import copy_of, doorway


def views_of(states: Array) -> Array:
    """The views of the seats to decide, of an ended game that of seat 0, in separate memory."""
    views = copy_of(states)
    doors.redact_all(doorway(views))
    return views


class SeatView(Position):
    """A game as one seat sees it: the same memory with everything hidden removed.

    The action mask is zero unless the seat has to decide.

    >>> from catan_env.guests.renaissance import Game
    >>> game = Game(seats=3, seed=1)
    >>> view = game.view(1)
    >>> view.viewer, int(view.action_mask.sum()), view.observation.shape
    (1, 0, (886,))
    """

    @classmethod
    def of(cls, states: Array, viewer: int) -> "SeatView":
        """A seat's view, made from the full state in place."""
        view = cls(states)
        doors.redact(view._states, 0, viewer)
        return view

    @property
    def viewer(self) -> int:
        """The seat whose view this is."""
        return int(self._array["viewer"][0])

    @property
    def observation(self) -> Array:
        """The seat's observation: (886,) uint8, a fresh array; see docs/renaissance.md."""
        return self.observe(self.viewer)

    def copy(self) -> "SeatView":
        """A copy of the view in separate memory."""
        return SeatView(copy_of(self._array))

    def __reduce__(self) -> Any:
        return SeatView, (copy_of(self._array),)

    def __repr__(self) -> str:
        return f"<SeatView of seat {self.viewer} of {self.seats}, round {self.round}>"
