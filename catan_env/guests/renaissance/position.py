"""The properties shared by a game and a seat's view."""

from typing import Any, Self

import numpy as np

from catan_env.guests.renaissance.action import Action
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.cards import GOODS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import ACTIVE, GAME, NOBODY, OVER
from catan_env.guests.renaissance.picture import picture
from catan_env.kernel.memory import doorway
from catan_env.kernel.numbers import whole

Array = np.ndarray[Any, Any]
PHASES = ("keep", "main", "white", "place", "pay", "gain", "produce", "over")


class Position:
    """A block of memory and its values; `state` is its record, by the names of `native.state`."""

    def __init__(self, states: Array) -> None:
        self._array = states
        self._states = doorway(states)

    @property
    def state(self) -> Any:
        """The record itself, for reading; writing to it changes the game."""
        return self._array[0]

    @property
    def seats(self) -> int:
        """The number of players."""
        return int(self._array["seats"][0])

    @property
    def seat(self) -> int:
        """The seat to decide, or -1."""
        return int(self._array["seat"][0])

    @property
    def turn_seat(self) -> int:
        """The seat whose turn it is."""
        return int(self._array["turn_seat"][0])

    @property
    def phase(self) -> str:
        """The kind of decision: one of PHASES."""
        return PHASES[self._array["phase"][0]]

    @property
    def round(self) -> int:
        """Rounds begun, from 1; 0 in the set-up."""
        return int(self._array["round"][0])

    @property
    def is_playing(self) -> bool:
        """True if the set-up is complete."""
        return bool(self._array["is_playing"][0])

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return bool(self._array["phase"][0] == OVER)

    @property
    def winner(self) -> int:
        """The seat that has won, LORENZO, or -1."""
        return int(self._array["winner"][0])

    @property
    def action_mask(self) -> Array:
        """1 for each legal action: (96,) int8, a fresh array."""
        mask: Array = self._array["mask"][0].copy()
        return mask

    @property
    def legal_actions(self) -> list[Action]:
        """The legal actions of the seat to decide."""
        return [Action.from_index(int(k)) for k in np.flatnonzero(self._array["mask"][0])]

    def points(self, seat: int) -> int:
        """Points of a seat without those for goods (R084)."""
        return int(doors.points_of(self._states, 0, self._checked(seat)))

    def scores(self) -> list[int]:
        """Final scores by seat, goods counted; zeros before the end."""
        return [int(n) for n in self._array["score"][0][: self.seats]]

    def goods(self, seat: int) -> list[int]:
        """Pieces of each good in all containers of a seat."""
        self._checked(seat)
        return [int(doors.count_of(self._states, 0, seat, good)) for good in range(GOODS)]

    def active_leaders(self, seat: int) -> list[int]:
        """Ids of a seat's active leaders."""
        at, seat = self.state, self._checked(seat)
        kept = zip(at["leader"][seat], at["leader_state"][seat], strict=True)
        return [int(leader) for leader, state in kept if state == ACTIVE]

    def observe(self, seat: int) -> Array:
        """A seat's observation: (886,) uint8, a fresh array; see docs/renaissance.md."""
        out = np.zeros((1, OBSERVATION_SIZE), np.uint8)
        doors.observe_game(self._states, 0, self._checked(seat), out)
        return out[0]

    def copy(self) -> Self:
        """A copy of the position in separate memory."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Position):
            return NotImplemented
        return bool(self._array.tobytes() == other._array.tobytes())

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return picture(self)

    def _checked(self, seat: int) -> int:
        return whole("seat", seat, 0, self.seats - 1)


__all__ = ["GAME", "NOBODY", "PHASES", "Position"]
