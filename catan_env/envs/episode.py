"""One game as an environment plays it: by flat index, without describing every event."""

from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import BIT_OF, NUM_ACTIONS, WORD_OF
from catan_env.core.constants import DRAW, OVER, SEATS, VICTORY_POINT, Placement
from catan_env.core.state import doorway
from catan_env.envs.rewards import ArrayReward, EventReward, paid_by
from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event, from_code
from catan_env.game.game import Game
from catan_env.game.observation import observation_of
from catan_env.game.position import Position, States
from catan_env.game.view import SeatView
from catan_env.kernel.memory import copy_of

Vector = np.ndarray[Any, np.dtype[np.int8]]

LEFT = -1  # instead of an index: the seat left the table
_BITS = tuple((int(word), int(bit)) for word, bit in zip(WORD_OF, BIT_OF, strict=True))


class Episode:
    """A game from its first decision to its end.

    >>> episode = Episode(Game(seats=2, seed=1))
    >>> episode.is_legal(52), episode.is_legal(0)
    (True, False)
    >>> episode.play(52)
    >>> print(episode.game().events[-1])
    seat 0: build a settlement at vertex 0
    """

    def __init__(
        self,
        game: Game,
        reward: ArrayReward | EventReward | None = None,
        observation_version: int = 1,
    ) -> None:
        self._reward, self._version = reward, observation_version
        self.earned = [0.0] * SEATS
        """The total that `reward` has paid to each seat."""
        self._array = copy_of(game._array)
        self._begun = game
        self._moves: list[tuple[int, int, int]] = []
        self._events = list(game.events)
        rules = game.rules
        self._table_decides = rules.placement != Placement.SEATS or not rules.chosen_discards
        self._open()

    def __getstate__(self) -> tuple[Any, ...]:
        moves, events = self._moves.copy(), self._events.copy()
        earned = self.earned.copy()
        return (
            (self._array, self._begun, moves, events, self._table_decides),
            (self._reward, earned, self._version),
        )

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        played, (self._reward, self.earned, *version) = state
        self._version = version[0] if version else 1
        array, self._begun, self._moves, self._events, self._table_decides = played
        self._array = copy_of(array)
        self._open()

    def _open(self) -> None:
        """Refer to parts of the game's memory."""
        self._states = doorway(self._array)
        self._seat, self._turn_seat, self._turn, self._phase, self._winner = (
            memoryview(self._array[name])  # type: ignore[arg-type]
            for name in ("seat", "turn_seat", "turn", "phase", "winner")
        )
        self._points = memoryview(self._array["points"][0])
        self._cards = memoryview(self._array["cards"][0])
        self._mask = memoryview(self._array["mask"][0])

    @property
    def seat(self) -> int:
        """The acting seat."""
        return self._seat[0]

    @property
    def turn(self) -> int:
        """Turns begun; 0 in the set-up."""
        return self._turn[0]

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._phase[0] == OVER

    @property
    def winner(self) -> int:
        """The seat that has won, or -1."""
        return self._winner[0]

    def points(self, seat: int) -> int:
        """A seat's victory points, hidden cards included."""
        return self._points[seat] + self._cards[seat, VICTORY_POINT]

    def is_legal(self, index: int) -> bool:
        """True if the acting seat may play this index, which may be any integer."""
        if not 0 <= index < NUM_ACTIONS:
            return False
        word, bit = _BITS[index]
        return self._mask[word] >> bit & 1 == 1

    def play(self, index: int) -> None:
        """Play an index that is known to be legal; it is not checked."""
        before = None if self._reward is None else copy_of(self._array)
        self._first = len(self._moves)
        self._apply(index)
        if self._table_decides:
            while (decided := doors.next_table_action(self._states, 0)) >= 0:
                self._apply(decided)
        if before is not None:
            self._pay(before, index)

    def play_for_absent(self) -> None:
        """Decide for a seat that was removed: on its own turn it leaves the game.

        At other times it does only what it must, by the last legal index: it
        rejects an offer, discards, and places in the set-up.
        """
        seat = self.seat
        if self.turn == 0 or seat != self._turn_seat[0]:
            self.play(int(np.flatnonzero(self.action_mask())[-1]))
            return
        before = copy_of(self._array)
        self._first = len(self._moves)
        doors.leave_table(self._states, 0, seat)
        self._moves.append((seat, LEFT, 0))
        if self._reward is not None:
            self._pay(before, LEFT)

    def observation(self, seat: int) -> Vector:
        """The observation of `seat`: (913,) int8, a fresh array; version 2 has 933."""
        return observation_of(self._states, 0, seat, self._version)

    def action_mask(self) -> Vector:
        """1 at each legal index of the acting seat: (848,) int8, a fresh array."""
        out = np.empty(NUM_ACTIONS, np.int8)
        doors.write_mask_bytes(self._states, 0, out.reshape(1, NUM_ACTIONS))
        return out

    def view(self, seat: int) -> SeatView:
        """The view of `seat`, for a policy."""
        return SeatView(copy_of(self._array), self._begun.rules, self._begun.board, seat)

    def game(self) -> Game:
        """A copy of the current game, with its events."""
        self._tell_events()
        return Game._from_states(copy_of(self._array), self._begun.rules, self._events.copy())

    def refusal(self, index: int) -> str:
        """The reason why an illegal index is refused."""
        try:
            self.game().play(index)
        except IllegalActionError as error:
            return str(error)
        raise AssertionError(f"the index {index} is legal")

    def _apply(self, index: int) -> None:
        seat = self._seat[0]
        self._moves.append((seat, index, doors.play(self._states, 0, index, DRAW)))

    def _tell_events(self) -> None:
        """Turn the moves made since the last call into events."""
        self._events += [self._event(*move) for move in self._moves]
        if self._moves and self.winner >= 0:
            self._events[-1] = replace(self._events[-1], winner=self.winner)
        self._moves.clear()

    def _event(self, seat: int, index: int, code: int) -> Event:
        """The event of a move."""
        action = Action.leave() if index == LEFT else Action.from_index(index)
        outcome = None if index == LEFT else from_code(action.kind, code, self._begun.seats)
        return Event(seat, action, outcome)

    def _pay(self, before: States, index: int) -> None:
        """Pay every seat for the decision that led from `before` to here."""
        after = copy_of(self._array)
        if isinstance(self._reward, ArrayReward):
            paid = self._reward.checked(before, np.array([index]), after)[0].tolist()
        else:
            assert self._reward is not None
            paid = self._paid_by_event(self._reward, before, after)
        self.earned = [total + more for total, more in zip(self.earned, paid, strict=True)]

    def _paid_by_event(self, reward: EventReward, before: States, after: States) -> list[float]:
        """The payment to each seat by a function of the event."""
        rules, board = self._begun.rules, self._begun.board
        event = self._event(*self._moves[self._first])
        if self.winner != before["winner"][0]:
            event = replace(event, winner=self.winner)
        positions = Position(before, rules, board), event, Position(after, rules, board)
        paid = [paid_by(reward, *positions, seat) for seat in range(self._begun.seats)]
        return paid + [0.0] * (SEATS - len(paid))
