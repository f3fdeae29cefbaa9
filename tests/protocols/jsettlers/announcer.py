"""A server's announcements of a game: its state, and its events.

The true state is a `Game`; the agent at `line` receives messages only, each of which crosses as
bytes.
"""

from collections.abc import Callable
from typing import Any

from catan_env import Game, Resource
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places, speech
from tests.protocols.jsettlers.line import Line

SEATS = 4
NOBODY = -1
COSTS = {
    ActionKind.ROAD: (1, 0, 1, 0, 0),
    ActionKind.SETTLEMENT: (1, 1, 1, 0, 1),
    ActionKind.CITY: (0, 2, 0, 3, 0),
    ActionKind.BUY_DEVELOPMENT_CARD: (0, 1, 0, 1, 1),
}


class Announcer:
    """Announces `game` to the agent, which has `seat`; its answers are queued."""

    def __init__(self, line: Line, name: str, game: Game, seat: int) -> None:
        self.line = line
        self.name = name
        self.game = game
        self.seat = seat
        self.state = 5
        self.is_over = False
        self._queue: list[Any] = []

    def say(self, *messages: Any) -> None:
        """Send messages to the agent; its answers are handled later."""
        self._queue += self.line.say(*messages)

    def go_to(self, state: int) -> None:
        self.state = state
        self.say(m.GameState(self.name, state))
        if state == 50:
            if owed := self.game.owes(self.seat):
                self.say(m.DiscardRequest(self.name, owed))
        if state == 15:
            self.say(m.RollPrompt(self.name, self.game.turn_seat))

    def go_on(self) -> None:
        """Announce the state in which the game continues."""
        if self.end_if_over():
            return
        phase = self.game.phase
        free = 40 if self.game.free_roads == 2 else 41
        self.go_to({Phase.MAIN: 20, Phase.ROLL: 15, Phase.FREE_ROAD: free, Phase.ROBBER: 33}[phase])

    def end_if_over(self) -> bool:
        if self.game.is_over:
            self.end()
        return self.game.is_over

    def end(self) -> None:
        winner = self.game.winner
        assert winner is not None
        self.is_over = True
        self.say(m.GameElements(self.name, (4, winner)), m.GameState(self.name, 1000))
        for seat in range(SEATS):
            if points := self.game.cards(seat)[DevelopmentCard.VICTORY_POINT]:
                self.say(m.CardAction(self.name, seat, 3, (4, 5, 6, 7, 8)[:points]))
        self.tell_points()

    def tell_points(self) -> None:
        points = [str(self.game.points(seat)) for seat in range(SEATS)]
        self.say(m.GameStats(self.name, (*points, "true", "false", "true", "true")))

    def standing(self) -> Any:
        game = self.game
        return (
            [game.known(s) for s in range(SEATS)],
            [game.hand(s) for s in range(SEATS)],
            game.longest_road_seat,
            game.largest_army_seat,
        )

    def tell(self, event: Event, before: Any) -> None:
        """Announce an event; `standing` was taken before it."""
        _TELL[event.action.kind](self, event, before)

    def pay(self, seat: int, kind: ActionKind) -> None:
        pairs = [(places.to_code(r), n) for r, n in zip(Resource, COSTS[kind], strict=True) if n]
        self.say(m.Elements(self.name, seat, 102, tuple(x for pair in pairs for x in pair)))

    def _tell_piece(self, event: Event, before: Any) -> None:
        game, piece = self.game, {ActionKind.ROAD: 0, ActionKind.SETTLEMENT: 1, ActionKind.CITY: 2}
        (message,) = speech.to_messages(_Seat(event.seat), self.name, event.action)  # type: ignore[arg-type]
        assert message.piece == piece[event.action.kind]
        in_set_up = self.state in (5, 6, 10, 11)
        if self.state == 20:
            self.pay(event.seat, event.action.kind)
        self.say(message)
        if in_set_up:
            self._go_on_placing(event)
            return
        if game.longest_road_seat != before[2]:
            self.say(m.GameElements(self.name, (6, self._or_nobody(game.longest_road_seat))))
        self.go_on()

    def _go_on_placing(self, event: Event) -> None:
        game = self.game
        if event.action.kind == ActionKind.SETTLEMENT:
            self.go_to(self.state + 1)
        elif game.phase == Phase.ROLL:
            self.begin_turn()
        else:
            placed = sum(len(game.settlements(seat)) for seat in range(SEATS))
            self.state = 5 if placed < SEATS else 10
            self.say(m.Turn(self.name, game.seat, self.state))

    def _or_nobody(self, seat: int | None) -> int:
        return NOBODY if seat is None else seat

    def begin_turn(self) -> None:
        seat = self.game.turn_seat
        if self.game.is_over:
            self.is_over = True
            self.say(m.Turn(self.name, seat, 1000))
            self.tell_points()
            return
        self.state = 15
        self.say(m.Turn(self.name, seat, 15), m.RollPrompt(self.name, seat))

    def _tell_end(self, event: Event, before: Any) -> None:
        self.say(m.ClearOffer(self.name, -1))
        self.begin_turn()

    def _tell_roll(self, event: Event, before: Any) -> None:
        total = sum(event.outcome)
        self.say(m.DiceResult(self.name, total))
        if total == 7:
            self.go_to(50 if self.game.phase == Phase.DISCARD else 33)
            return
        self._tell_production(before)
        self.go_on()

    def _tell_production(self, before: Any) -> None:
        numbers: list[int] = []
        for seat in range(SEATS):
            gained = [b - a for a, b in zip(before[1][seat], self.game.hand(seat), strict=True)]
            if any(gained):
                cards = [x for r in Resource if gained[r] for x in (gained[r], places.to_code(r))]
                numbers += [0] * bool(numbers) + [seat, self.game.hand_size(seat), *cards]
        if numbers:
            count = sum(
                a != b for a, b in zip(before[1], map(self.game.hand, range(4)), strict=True)
            )
            self.say(m.Production(self.name, (count, *numbers)))
            self.tell_hand()

    def tell_hand(self) -> None:
        hand = self.game.hand(self.seat)
        pairs = tuple(x for r in Resource for x in (places.to_code(r), hand[r]))
        self.say(m.Elements(self.name, self.seat, 100, pairs))

    def _tell_purchase(self, event: Event, before: Any) -> None:
        self.pay(event.seat, event.action.kind)
        card = speech.CARD_CODES[event.outcome] if event.seat == self.seat else 0
        self.say(
            m.CardAction(self.name, event.seat, 0, (card,)),
            m.SimpleAction(self.name, event.seat, 1, (self.game.deck_size, 0)),
        )
        self.go_on()

    def _tell_knight(self, event: Event, before: Any) -> None:
        game = self.game
        self.say(m.Element(self.name, event.seat, 100, 15, game.knights(event.seat)))
        if game.largest_army_seat != before[3]:
            self.say(m.GameElements(self.name, (5, self._or_nobody(game.largest_army_seat))))
        self.go_to(33)

    def _tell_plenty(self, event: Event, before: Any) -> None:
        taken = [event.action.args.count(r) for r in Resource]
        self.say(m.PickCards(self.name, (*places.to_counts(taken), event.seat, 2)))
        self.go_on()

    def _tell_monopoly(self, event: Event, before: Any) -> None:
        kind = places.to_code(event.action.args[0])
        for seat, n in enumerate(event.outcome):
            if n:
                self.say(
                    m.Element(self.name, seat, 100, kind, 0),
                    m.HandSize(self.name, seat, self.game.hand_size(seat)),
                )
        total = sum(event.outcome)
        self.say(
            m.Element(self.name, event.seat, 101, kind, total),
            m.SimpleAction(self.name, event.seat, 3, (total, kind)),
        )
        self.go_on()

    def _tell_road_building(self, event: Event, before: Any) -> None:
        self.go_on()


class _Seat:
    """The part of a table that a message about a piece needs: its seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


_TELL: dict[ActionKind, Callable[[Announcer, Event, Any], None]] = {
    ActionKind.ROLL: Announcer._tell_roll,
    ActionKind.END_TURN: Announcer._tell_end,
    ActionKind.BUY_DEVELOPMENT_CARD: Announcer._tell_purchase,
    ActionKind.PLAY_KNIGHT: Announcer._tell_knight,
    ActionKind.PLAY_ROAD_BUILDING: Announcer._tell_road_building,
    ActionKind.PLAY_YEAR_OF_PLENTY: Announcer._tell_plenty,
    ActionKind.PLAY_MONOPOLY: Announcer._tell_monopoly,
    ActionKind.SETTLEMENT: Announcer._tell_piece,
    ActionKind.CITY: Announcer._tell_piece,
    ActionKind.ROAD: Announcer._tell_piece,
}
