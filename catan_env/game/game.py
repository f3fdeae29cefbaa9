"""A game of Catan: play it, copy it, and view it as a seat."""

from typing import Any

from catan_env.core import doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.compiled import ensure_rules
from catan_env.core.constants import DRAW, OVER, Layout, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.apply import apply_action
from catan_env.game.arranged import states_at
from catan_env.game.board import Board
from catan_env.game.chance import below_under, checked_secret, nth_card
from catan_env.game.errors import GameOverError, IllegalActionError, IllegalOutcomeError
from catan_env.game.event import HIDDEN, Event, from_code, to_code
from catan_env.game.position import Position, States
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, checked_seed, fresh_states, rules_of
from catan_env.game.view import SeatView
from catan_env.kernel.memory import copy_of
from catan_env.kernel.numbers import action_index


class Game(Position):
    """A game in progress, including all hidden information.

    `board` is "spiral" (random terrain, tokens along the spiral), "random_tokens", "beginner" or
    a Board. Without a `seed`, one is drawn; the same seed and actions always give the same game.
    With a `secret` of 16 to 64 bytes, dice, thefts and cards come from the secret and the seed
    determines only the board and what the table places at random: no program that sees the game
    can compute what comes next.

    >>> game = Game(seats=3, seed=7)
    >>> game.seat, game.phase.name, len(game.legal_actions)
    (0, 'PLACE_SETTLEMENT', 54)
    >>> print(game.play(Action.settlement(20)))
    seat 0: build a settlement at vertex 20
    """

    def __init__(
        self,
        seats: int = 4,
        seed: int | None = None,
        rules: Rules | str | None = None,
        board: Board | str = "spiral",
        first_seat: int = 0,
        *,
        secret: bytes | None = None,
    ) -> None:
        self._secret = None if secret is None else checked_secret(secret)
        agreed = rules_of(rules)
        given, layout = board_for(board, agreed)
        states = fresh_states(seats, agreed, first_seat, given)
        if layout is not None:
            states["layout"] = layout
        states["seed"] = checked_seed(seed)
        ensure_rules()
        super().__init__(states, agreed, given)
        self._events: list[Event] = []
        doors.begin_game(self._states, 0)
        self._let_table_decide()

    @classmethod
    def _from_states(
        cls,
        states: States,
        rules: Rules,
        events: list[Event],
        board: Board | None = None,
        secret: bytes | None = None,
    ) -> "Game":
        game = cls.__new__(cls)
        Position.__init__(game, states, rules, board)
        game._events = events
        game._secret = secret
        return game

    @classmethod
    def from_position(cls, **position: Any) -> "Game":
        """Return a game at the given position; see `catan_env.game.arranged.states_at`.

        What the rules leave to the table, it decides immediately, as in every game.

        >>> game = Game.from_position(
        ...     board=Board.beginner(), seats=2, settlements={0: [10], 1: [40]}, roads={0: [20]},
        ...     hands={0: {Resource.ORE: 3, Resource.GRAIN: 2}},
        ... )
        >>> game.points(0), str(next(a for a in game.legal_actions if a.kind.name == "CITY"))
        (1, 'build a city at vertex 10')
        """
        states, rules = states_at(**position)
        game = cls._from_states(states, rules, [], position["board"])
        game._let_table_decide()
        return game

    @property
    def seed(self) -> int:
        """The seed of the board and of random placement; without a secret, of all chance."""
        return int(self._array["seed"][0])

    @property
    def secret(self) -> bytes | None:
        """The source of dice, thefts and cards; None if they come from the seed."""
        return self._secret

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far, in order."""
        return tuple(self._events)

    @property
    def layout(self) -> Layout:
        """The layout of the board: from the seed, or given."""
        return Layout(int(self._array["layout"][0]))

    def deck(self) -> tuple[int, ...]:
        """The development cards left, by DevelopmentCard."""
        return tuple(self._read.deck)

    def play(self, action: Action | int, outcome: Any = None) -> Event:
        """Play an Action or a flat index for the acting seat; return the event.

        Chance is drawn from the game's generator unless `outcome` is given (see Event). An
        Action may be anything the rules allow; an index must be in the action mask. Raises
        IllegalActionError and leaves the game unchanged otherwise.
        """
        action = self._checked(action)
        code = self._checked_outcome(action, outcome)
        event = self._play(self._read.seat, action, code)
        self._let_table_decide()
        return event

    def time_out(self) -> Event:
        """End the turn of the seat on turn, at any point in it; pending obligations are dropped.

        Raises IllegalActionError before the first turn and after the end.
        """
        self._check_turn_runs(Action.time_out())
        return self._play(self._read.turn_seat, Action.time_out(), DRAW)

    def leave(self, seat: int) -> Event:
        """Take `seat` out of the game; the turn ends if the game waits for that seat.

        Its pieces and cards stay and produce; its turns are skipped. The last remaining seat wins.
        Raises IllegalActionError before the first turn, after the end, and if the seat has left.
        """
        self._check_turn_runs(Action.leave())
        if not self.is_playing(seat):
            raise IllegalActionError(f"seat {seat} has already left the table")
        return self._play(seat, Action.leave(), DRAW)

    def _check_turn_runs(self, action: Action) -> None:
        if self._read.phase == OVER:
            raise GameOverError(f"the game is over: no seat can {action}")
        if self._read.turn == 0:
            raise IllegalActionError(f"no seat can {action} in the set-up")

    def copy(self) -> "Game":
        """Return a game with the same past and the same future."""
        return Game._from_states(
            copy_of(self._array), self._rules, self._events.copy(), self._board, self._secret
        )

    def view(self, seat: int) -> SeatView:
        """Return what `seat` knows of this game now."""
        self._checked_seat(seat)
        return SeatView(copy_of(self._array), self._rules, self.board, seat)

    def to_sgn(self, **how: Any) -> list[dict[str, Any]]:
        """Return the game as messages of Settlers Game Notation; see `catan_env.notation.to_sgn`.

        >>> game = Game(seats=2, seed=1)
        >>> Game.from_sgn(game.to_sgn()) == game
        True
        """
        from catan_env.notation import to_sgn

        return to_sgn(self, **how)

    @classmethod
    def from_sgn(cls, record: Any) -> "Game":
        """Return the game in a record (text or messages), up to the record's end."""
        from catan_env.notation import loads

        return loads(record).game

    def _repr_svg_(self) -> str:
        """Return the position as an SVG picture, for notebooks."""
        from catan_env.render import board_svg

        return board_svg(self)

    def __reduce__(self) -> Any:
        made_of = (
            copy_of(self._array),
            self._rules,
            self._events.copy(),
            self._board,
            self._secret,
        )
        return Game._from_states, made_of

    def __repr__(self) -> str:
        return f"<Game of {self.seats} seats, seed {self.seed}, {len(self._events)} events>"

    def _checked(self, action: Action | int) -> Action:
        if self._read.phase == OVER:
            raise GameOverError(self._ending())
        refusal = self.refusal(action)
        if not isinstance(action, Action):
            index = action_index(action)
            if not 0 <= index < NUM_ACTIONS:
                raise IllegalActionError(
                    f"{self._where()} cannot play the index {index}: {refusal}"
                )
            action = Action.from_index(index)
        if refusal is not None:
            raise IllegalActionError(f"{self._where()} cannot {action}: {refusal}")
        return action

    def _where(self) -> str:
        return f"seat {self.seat} in phase {self.phase.name} of turn {self.turn}"

    def _checked_outcome(self, action: Action, outcome: Any) -> int:
        if outcome is None:
            return DRAW if self._secret is None else self._drawn(self._secret, action)
        try:
            code = to_code(action, outcome, self.seats)
        except ValueError as error:
            raise IllegalOutcomeError(str(error)) from None
        refusal = self._refusal_of_outcome(action, code)
        if refusal is not None:
            raise IllegalOutcomeError(
                f"{outcome!r} is not a possible outcome of '{action}': {refusal}"
            )
        return code

    def _drawn(self, secret: bytes, action: Action) -> int:
        """Return the outcome's code under the secret; DRAW if the action has no random outcome."""
        number = self._read.draws + 1
        if action.kind == ActionKind.ROLL:
            weights = self.roll_weights()
            return nth_card(weights, below_under(secret, number, sum(weights)))
        if action.kind == ActionKind.BUY_DEVELOPMENT_CARD:
            return nth_card(self.deck(), below_under(secret, number, self.deck_size))
        if action.kind == ActionKind.MOVE_ROBBER:
            victim = Event(self.seat, action).victim(self.seats)
            size = 0 if victim is None else self.hand_size(victim)
            if victim is not None and size:
                return nth_card(self.hand(victim), below_under(secret, number, size))
        return DRAW

    def _refusal_of_outcome(self, action: Action, code: int) -> str | None:
        outcome = from_code(action.kind, code, self.seats)
        if outcome is HIDDEN:
            return "the game itself knows every card"
        if action.kind == ActionKind.ROLL:
            return self.refusal_of_roll(code)
        if action.kind == ActionKind.MOVE_ROBBER:
            victim = Event(self.seat, action).victim(self.seats)
            if victim is None or not self.hand(victim)[outcome]:
                return (
                    f"seat {victim} holds no such card"
                    if victim is not None
                    else "no seat is robbed"
                )
        elif action.kind == ActionKind.BUY_DEVELOPMENT_CARD and not self.deck()[outcome]:
            return "no such card is left in the deck"
        elif action.kind == ActionKind.PLAY_MONOPOLY:
            taken = self._cards_of(action.args[0])
            if outcome != taken:
                return f"the other seats hold {taken}"
        return None

    def _cards_of(self, resource: Resource) -> tuple[int, ...]:
        """Return the cards that a monopoly would take from each seat."""
        return tuple(
            0 if seat == self.seat else self.hand(seat)[resource] for seat in range(self.seats)
        )

    def _play(self, seat: int, action: Action, code: int) -> Event:
        result = apply_action(self, action, code, seat)
        outcome = from_code(action.kind, result, self.seats)
        event = Event(seat, action, outcome, self.winner)
        self._events.append(event)
        return event

    def _let_table_decide(self) -> None:
        while (index := doors.next_table_action(self._states, 0)) >= 0:
            self._play(self._read.seat, Action.from_index(index), DRAW)
