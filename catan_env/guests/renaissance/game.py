"""A game of Masters of Renaissance: play it, copy it, and view it from a seat."""

import secrets
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from catan_env.adapters.records import check_fields
from catan_env.guests.renaissance.action import Action
from catan_env.guests.renaissance.command import Command, Swap, command_of
from catan_env.guests.renaissance.errors import GameOverError, IllegalActionError
from catan_env.guests.renaissance.market_line import Line
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import LINE_AT, NUM_ACTIONS
from catan_env.guests.renaissance.native.cards import DECKS
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.native.state import (
    LORENZO,
    NOBODY,
    NONE,
    PLACES_OF_GOODS,
    SEATS,
    fill_box,
    new_states,
)
from catan_env.guests.renaissance.position import Array, Position
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import copy_of
from catan_env.kernel.numbers import action_index, whole, whole_seed
from catan_env.kernel.shown import shown

AWAY_AT, BACK_AT, ASK_AT, ASK_GOODS_AT = 96, 100, 104, 108  # a record's marks, by seat
EXCHANGE_AT = 112  # and by both places
END_OF_MARKS = EXCHANGE_AT + PLACES_OF_GOODS**2
FIELDS = {"version": int, "seats": int, "seed": int, "cards": str, "marks": list}


class Event(NamedTuple):
    """A seat's command, and the token that Lorenzo drew after it."""

    seat: int
    command: Command
    token: int | None = None


class Game(Position):
    """A game in progress, including everything hidden.

    `cards` is "printed" or "am49" (that server's data). Without a `seed` a random one is used; the
    same seed and actions always give the same game.

    >>> game = Game(seats=2, seed=7)
    >>> game.seat, game.phase, len(game.legal_actions)
    (0, 'keep', 6)
    >>> game.play(0)
    >>> game.seat, game.events[0].seat
    (1, 0)
    """

    def __init__(self, seats: int = 4, seed: int | None = None, cards: str = "printed") -> None:
        seats = whole("seats", seats, 1, SEATS)
        if cards not in DECKS:
            raise ValueError(f"cards {shown(cards)}; allowed are {', '.join(map(repr, DECKS))}")
        seed = secrets.randbits(63) if seed is None else whole_seed(seed)
        ensure_ready()
        states = new_states(1)
        fill_box(states, cards)
        states["seats"], states["seed"] = seats, seed
        super().__init__(states)
        self.cards = cards
        self._marks: list[int] = []
        self._events: list[Event] = []
        self._sequence: list[int] = []
        self._line: Line | None = None
        doors.begin(self._states, 0)

    @classmethod
    def _from_parts(
        cls,
        states: Array,
        cards: str,
        marks: list[int],
        events: list[Event],
        sequence: list[int],
        line: Line | None,
    ) -> "Game":
        game = cls.__new__(cls)
        Position.__init__(game, states)
        game.cards, game._marks, game._events = cards, marks, events
        game._sequence, game._line = sequence, line
        return game

    @property
    def seed(self) -> int:
        """The seed of all chance in this game."""
        return int(self._array["seed"][0])

    @property
    def events(self) -> tuple[Event, ...]:
        """The completed commands, first to last."""
        return tuple(self._events)

    @property
    def sequence(self) -> tuple[int, ...]:
        """The small decisions of an incomplete command."""
        return tuple(self._sequence)

    def play(self, action: Action | int) -> None:
        """Play a small decision; forced steps after it are taken automatically.

        Raises IllegalActionError and leaves the game unchanged if the decision is illegal.
        """
        step = self._legal(action)
        while step >= 0:
            step = self._take(step)

    def play_command(self, command: Command) -> Event:
        """Play a whole command for the seat to decide; none of it is played if it is illegal."""
        if self._sequence:
            raise IllegalActionError("a sequence of decisions is under way")
        before = copy_of(self._array)
        try:
            for step in command.steps():
                self._take(self._legal(step))
            if self._sequence:
                raise IllegalActionError(f"{command} is not complete")
        except IllegalActionError:
            self._array[:] = before
            del self._marks[len(self._marks) - len(self._sequence) :]
            self._sequence.clear()
            raise
        return self._events[-1]

    def exchange(self, a: int, b: int) -> None:
        """Exchange two places of the current seat, any number of times (R015, R036).

        The action mask allows four per turn, and only those that change something. An exchange
        that does not change the state, the number that the mask still allows included, is not
        recorded.
        """
        before = self._array.tobytes()
        self._exchange(a, b)
        if self._array.tobytes() == before:
            del self._marks[-1], self._events[-1]

    def _exchange(self, a: int, b: int) -> None:
        if self.phase != "main" or self.seat == NOBODY or not self._fits(a, b):
            raise IllegalActionError(f"seat {self.seat} cannot exchange places {a} and {b}")
        self._marks.append(EXCHANGE_AT + PLACES_OF_GOODS * a + b)
        doors.exchange(self._states, 0, a, b)
        self._events.append(Event(self.seat, Swap(a, b)))

    def _fits(self, a: int, b: int) -> bool:
        """True if both are places of the current seat, and can be exchanged."""
        places = range(PLACES_OF_GOODS)
        if a not in places or b not in places:
            return False
        return a == b or bool(doors.exchange_fits(self._states, 0, self.seat, a, b))

    def ask(self, seat: int, for_goods: bool = False) -> None:
        """Let `seat` choose now, during the set-up: first its leaders, then its goods (R012)."""
        state = self.state
        done = state["has_goods" if for_goods else "has_kept"][self._checked(seat)]
        if self.is_playing or self._sequence or (done and (for_goods or state["has_goods"][seat])):
            raise IllegalActionError(f"seat {seat} has nothing to choose now")
        if self.seat != seat or (for_goods and self.phase != "gain"):
            self._marks.append((ASK_GOODS_AT if for_goods else ASK_AT) + seat)
            ask = doors.ask_for_goods if for_goods else doors.ask
            ask(self._states, 0, seat)

    def go_away(self, seat: int) -> None:
        """Mark a seat as away: its turns are skipped until it returns (R111-R114)."""
        if self.state["away"][self._checked(seat)]:
            raise IllegalActionError(f"seat {seat} is away already")
        if self.seat == seat:
            del self._marks[len(self._marks) - len(self._sequence) :]
            self._sequence.clear()
        self._marks.append(AWAY_AT + seat)
        doors.go_away(self._states, 0, seat)

    def come_back(self, seat: int) -> None:
        """Mark a seat as present again."""
        if not self.state["away"][self._checked(seat)]:
            raise IllegalActionError(f"seat {seat} is not away")
        self._marks.append(BACK_AT + seat)
        doors.come_back(self._states, 0, seat)

    def view(self, seat: int) -> SeatView:
        """The view of `seat`."""
        return SeatView.of(copy_of(self._array), self._checked(seat))

    def position(self) -> Position:
        """A copy of the state, without the commands before it."""
        return Position(copy_of(self._array))

    def marks_from(self, first: int) -> list[int]:
        """The marks of its record from number `first` on."""
        return self._marks[first:]

    def record(self) -> dict[str, Any]:
        """The game as data from which `Game.from_record` restores it byte for byte.

        >>> game = Game(seats=1, seed=3)
        >>> game.play(2)
        >>> Game.from_record(game.record()) == game
        True
        """
        about = {"seats": self.seats, "seed": self.seed, "cards": self.cards}
        return {"game": "masters-of-renaissance", "version": 1, **about, "marks": self._marks[:]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Game":
        """The game of a record; ValueError names the fault."""
        check_fields(record, FIELDS)
        if record.get("game") != "masters-of-renaissance" or record["version"] != 1:
            raise ValueError("not a record of Masters of Renaissance, version 1")
        if not all(type(mark) is int and 0 <= mark < END_OF_MARKS for mark in record["marks"]):
            raise ValueError(f"'marks' are whole numbers in 0..{END_OF_MARKS - 1}")
        game = cls(record["seats"], record["seed"], record["cards"])
        game.replay(record["marks"])
        return game

    def replay(self, marks: Iterable[int]) -> None:
        """Play a record's marks: small decisions, and seats that left, returned or were asked."""
        for mark in marks:
            if mark < NUM_ACTIONS:
                self._take(self._legal(mark))
            elif mark < BACK_AT:
                self.go_away(mark - AWAY_AT)
            elif mark < ASK_AT:
                self.come_back(mark - BACK_AT)
            elif mark >= EXCHANGE_AT:
                self._exchange(*divmod(mark - EXCHANGE_AT, PLACES_OF_GOODS))
            else:
                self.ask((mark - ASK_AT) % SEATS, mark >= ASK_GOODS_AT)

    def copy(self) -> "Game":
        """A game with the same past and the same future."""
        return Game._from_parts(*self._parts())

    def _parts(self) -> tuple[Array, str, list[int], list[Event], list[int], Line | None]:
        lists = self._marks[:], self._events[:], self._sequence[:]
        return copy_of(self._array), self.cards, *lists, self._line

    def __reduce__(self) -> Any:
        return Game._from_parts, self._parts()

    def __repr__(self) -> str:
        return f"<Game of {self.seats} seats, seed {self.seed}, {len(self._events)} events>"

    def _legal(self, action: Action | int) -> int:
        if self.is_over:
            raise GameOverError("the game is over")
        index = action.index if isinstance(action, Action) else action_index(action)
        if not 0 <= index < NUM_ACTIONS or not self._array["mask"][0][index]:
            allowed = np.flatnonzero(self._array["mask"][0]).tolist()
            raise IllegalActionError(
                f"seat {self.seat} in phase {self.phase} cannot play {index}; allowed are {allowed}"
            )
        return index

    def _take(self, step: int) -> int:
        """Play a legal step; return the forced step that follows, or -1."""
        seat = self.seat
        if not self._sequence:
            self._line = Line.of(self.state, seat, step)
        self._marks.append(step)
        self._sequence.append(step)
        only = int(doors.step(self._states, 0, step))
        if self._is_complete(seat):
            self._note(seat)
        return only

    def _is_complete(self, seat: int) -> bool:
        state = self.state
        first = self._sequence[0]
        if first < LINE_AT or state["transaction"] == NONE:
            return True
        return not self.is_playing and bool(state["has_goods"][seat])

    def _note(self, seat: int) -> None:
        steps = self._sequence
        drawn = None if self._line is None else self._line.goods(steps)
        ends_solo_turn = self.seats == 1 and steps[0] == NUM_ACTIONS - 1
        token = int(self.state["last_token"]) if ends_solo_turn else None
        self._events.append(Event(seat, command_of(steps, drawn), token))
        self._sequence, self._line = [], None


__all__ = ["LORENZO", "NOBODY", "Event", "Game"]
