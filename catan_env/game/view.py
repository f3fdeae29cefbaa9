"""A seat's knowledge of a game, updated by the events that it sees."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.constants import DRAW, NOTHING, Placement
from catan_env.game.action import Action, ActionKind
from catan_env.game.apply import apply_action
from catan_env.game.board import Board
from catan_env.game.errors import GameOverError, IllegalActionError
from catan_env.game.event import HIDDEN, Event, to_code
from catan_env.game.position import Position, States
from catan_env.game.rules import Rules
from catan_env.game.sight import refusal_in_sight
from catan_env.game.start import fresh_states
from catan_env.kernel.memory import copy_of
from catan_env.kernel.numbers import whole


class SeatView(Position):
    """A game as one seat sees it: the same memory without hidden information.

    The action mask is zero unless the seat has to decide.

    Made by `Game.view(seat)`, or by `SeatView.begin(...)` and then advanced by redacted events
    alone; both ways give the same bytes.

    >>> from catan_env import Game
    >>> game = Game(seats=2, seed=1)
    >>> view = SeatView.begin(game.board, viewer=1, seats=2)
    >>> event = game.play(Action.settlement(10))
    >>> view.apply(event.redacted(1, seats=2))
    >>> view == game.view(1)
    True
    """

    def __init__(self, states: States, rules: Rules, board: Board | None, viewer: int) -> None:
        super().__init__(states, rules, board)
        doors.redact(self._states, 0, viewer)

    @classmethod
    def begin(
        cls,
        board: Board,
        viewer: int,
        seats: int = 4,
        rules: Rules | None = None,
        first_seat: int = 0,
        robber: int | None = None,
    ) -> "SeatView":
        """Return what `viewer` knows before the first settlement is placed on `board`.

        The robber starts on the first desert, or on the tile `robber`.
        """
        rules = Rules.base() if rules is None else rules
        states = fresh_states(seats, rules, first_seat, board)
        viewer = whole("viewer", viewer, 0, seats - 1)
        view = cls(states, rules, board, viewer)
        doors.begin_game(view._states, 0)
        if robber is not None:
            states["robber"] = board.robber_at(robber)
        return view

    @property
    def viewer(self) -> int:
        """The seat that this view belongs to."""
        return self._read.viewer

    @property
    def observation(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The viewer's observation: (OBSERVATION_SIZE,) int8, a new array (docs/observation.md)."""
        return self.observe(self.viewer)

    def refusal(self, action: Action | int) -> str | None:
        """Return why an action of this seat, or a flat index, is refused now; None if legal."""
        if self.seat != self.viewer and not self.is_over:
            return f"seat {self.seat} decides now, not seat {self.viewer}"
        return super().refusal(action)

    def _is_legal(self, action: Action) -> bool:
        return self.seat == self.viewer and super()._is_legal(action)

    def apply(self, event: Event) -> None:
        """Apply an event as this seat sees it (`Event.redacted`), in place.

        Raises IllegalActionError, and leaves the view unchanged, if the event cannot follow: it
        is another seat's decision, or an action of this seat that the rules refuse.
        """
        code = self._checked(event)
        if event.winner is not None:
            self._array["winner"] = event.winner
        apply_action(self, event.action, code, event.seat)
        if event.winner is not None:
            doors.declare_winner(self._states, 0, event.winner)
        doors.redact(self._states, 0, self.viewer)

    def recount(self, hand: Sequence[int], bank: Sequence[int]) -> None:
        """Set the seat's own hand and the bank, in place.

        For a seat that has missed events: the cards that it can be sure of.
        """
        state, me = self._array[0], self.viewer
        state["hand"][me] = hand
        state["hand_size"][me] = sum(hand)
        state["known"][me] = np.minimum(state["known"][me], state["hand"][me])
        np.maximum(state["hand_size"], 0, out=state["hand_size"])
        state["bank"] = bank
        doors.renew_mask(self._states, 0)
        doors.redact(self._states, 0, self.viewer)

    def copy(self) -> "SeatView":
        """Return a view with the same past."""
        return SeatView(copy_of(self._array), self._rules, self._board, self.viewer)

    def __reduce__(self) -> Any:
        return SeatView, (copy_of(self._array), self._rules, self.board, self.viewer)

    def __repr__(self) -> str:
        return f"<SeatView of seat {self.viewer} of {self.seats}, turn {self.turn}>"

    def _check_known(self, seat: int) -> None:
        if self._checked_seat(seat) != self.viewer:
            raise ValueError(f"seat {self.viewer} does not know the cards of seat {seat}")

    def _checked(self, event: Event) -> int:
        """Return the engine's code for the event's outcome."""
        if not isinstance(event, Event):
            raise TypeError(f"expected an Event, got {event!r}")
        if event.winner is not None:
            whole("winner", event.winner, 0, self.seats - 1)
        if self.is_over:
            raise GameOverError(f"the game is over: '{event}' cannot follow")
        if event.action.kind in (ActionKind.TIME_OUT, ActionKind.LEAVE):
            self._check_seat_goes(event)
            return NOTHING
        if event.seat != self.seat:
            raise IllegalActionError(f"seat {self.seat} decides now: '{event}' cannot follow")
        refusal = self._refusal_of(event)
        if refusal is not None:
            raise IllegalActionError(f"'{event}' cannot follow: {refusal}")
        if event.outcome is None:
            return self._code_without_outcome(event)
        self._check_theft(event)
        self._check_discard(event)
        return to_code(event.action, event.outcome, self.seats)

    def _refusal_of(self, event: Event) -> str | None:
        """Check this seat's own actions by the rules, other seats' by public information."""
        if event.seat == self.viewer and not self._is_placed_by_table():
            return self.refusal(event.action)
        return refusal_in_sight(self, event)

    def _check_seat_goes(self, event: Event) -> None:
        """Check that a seat out of time has the turn and that a leaving seat is at the table."""
        if self.turn == 0:
            raise IllegalActionError(f"the set-up has no turn: '{event}' cannot follow")
        if event.action.kind == ActionKind.LEAVE and not self.is_playing(event.seat):
            raise IllegalActionError(f"seat {event.seat} has left: '{event}' cannot follow")
        if event.action.kind == ActionKind.TIME_OUT and event.seat != self.turn_seat:
            raise IllegalActionError(f"seat {self.turn_seat} has the turn: '{event}' cannot follow")

    def _check_theft(self, event: Event) -> None:
        """Check that the victim had the stolen card, as far as this seat knows."""
        if event.action.kind != ActionKind.MOVE_ROBBER:
            return
        victim, card = event.victim(self.seats), event.outcome
        if victim is None or self.hand_size(victim) <= 0:
            raise IllegalActionError(f"no seat has a card to steal: '{event}' cannot follow")
        if victim == self.viewer and card is not HIDDEN and not self.hand(victim)[card]:
            raise IllegalActionError(f"seat {victim} has no such card: '{event}' cannot follow")

    def _check_discard(self, event: Event) -> None:
        """Check that a seat sees its own discards, and that no empty hand discards."""
        if event.action.kind == ActionKind.DISCARD:
            if event.seat == self.viewer or self.hand_size(event.seat) <= 0:
                raise IllegalActionError(f"'{event}' cannot follow: this card is public")

    def _is_placed_by_table(self) -> bool:
        return self.rules.placement != Placement.SEATS and self.turn == 0

    def _code_without_outcome(self, event: Event) -> int:
        if event.action.kind in (ActionKind.ROLL, ActionKind.PLAY_MONOPOLY):
            raise ValueError(f"'{event}' lacks its outcome")
        if event.action.kind == ActionKind.BUY_DEVELOPMENT_CARD:
            return to_code(event.action, HIDDEN, self.seats)
        if event.action.kind == ActionKind.MOVE_ROBBER:
            victim = event.victim(self.seats)
            if victim is not None and self.hand_size(victim) > 0:
                raise IllegalActionError(f"'{event}': the stolen card is missing")
        return DRAW


Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""
