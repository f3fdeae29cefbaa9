"""A seat's view of a game, followed from the server's messages.

Rule 1. The view changes when the server announces an action, never when this seat requests it.
Rule 2. Sizes, pieces and awards are announced although the view computes them: where they differ,
        the server's values win, and are counted (`TrackedView.differences`).
Rule 3. Hidden information leaves no trace except a guess of the bank.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import dice_of
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.cards import Cards
from catan_env.protocols.jsettlers.corrected_view import CorrectedView
from catan_env.protocols.jsettlers.discards import Discards
from catan_env.protocols.jsettlers.places import UNKNOWN
from catan_env.protocols.jsettlers.robbery import Robbery
from catan_env.protocols.jsettlers.speech import SETTLEMENT, to_actions
from catan_env.protocols.jsettlers.trade import Trades
from catan_env.protocols.jsettlers.vacancies import Vacancies

KNIGHTS, CARD_PLAYED = 15, 19
AWARDS = {5: "largest_army", 6: "longest_road"}
"""Topics of `GameElements` (1096)."""


class LostError(RemoteProtocolError):
    """The game reached a state that our rules cannot follow."""


class Follower:
    """Updates the `tracked` view in step with the server; raises RemoteProtocolError."""

    def __init__(self, view: SeatView, state: int, empty: Iterable[int] = ()) -> None:
        self.tracked = CorrectedView(view, state)
        self.vacancies = Vacancies(self.tracked, empty)
        self.cards = Cards(self.tracked)
        self.discards = Discards(self.tracked)
        self.robbery = Robbery(self.tracked)
        self.trades = Trades(self.tracked)
        self.is_over = False
        self.winner: int | None = None
        self._is_amid_turns = False
        self._before_settlement: tuple[SeatView, int] | None = None
        """The view before the last settlement of the set-up, and the number of events by then."""

    @property
    def view(self) -> SeatView:
        """The seat's knowledge of the game."""
        return self.tracked.view

    @property
    def state(self) -> int:
        """The last state announced."""
        return self.tracked.state

    @property
    def turn_seat(self) -> int:
        """The seat on turn, or placing."""
        return self.tracked.turn_seat

    def hear(self, message: Any) -> None:
        """Follow a message; those that do not concern the game's state are ignored."""
        heard = _HEARD.get(type(message))
        if heard is None or self.is_over:
            return
        try:
            self.vacancies.settle()
            heard(self, message)
        except IllegalActionError as error:
            raise LostError(f"{type(message).__name__}: {error}") from None
        except (ValueError, IndexError, OverflowError) as error:
            raise RemoteProtocolError(f"{type(message).__name__}: {error}") from None

    def _turn(self, message: m.Turn) -> None:
        seat = self.tracked.checked(message.seat)
        self.vacancies.sit(seat)
        self._settle(message.state)
        if message.state in states.SET_UP:
            self._place(seat, message.state)
        elif message.state in (states.ROLL, states.OVER):
            self._begin_turn(seat)
        self.tracked.state, self.tracked.turn_seat = message.state, seat
        if message.state == states.OVER:
            self._end(seat)

    def _place(self, seat: int, state: int) -> None:
        """Follow the server's placement order: it skips seats that it does not wait for."""
        if correction.place_next(self.view, seat, state in states.SECOND_ROUND):
            self.tracked.differ("order of placing")

    def _begin_turn(self, seat: int) -> None:
        """Begin the first turn after the last road; seats that the server skips do nothing."""
        if self.view.turn == 0:
            self.tracked.differ("order of placing")
            correction.begin_turns(self.view, seat)
        elif self._is_amid_turns:
            self._end_turn()
        self._is_amid_turns = True
        for _ in range(self.view.seats):
            if self.view.is_over or self.view.turn_seat == seat:
                return
            self.tracked.act(self.view.turn_seat, Action.time_out())

    def _end_turn(self) -> None:
        """End a turn; a forced end looks the same in the view."""
        ends = self.view.phase == Phase.MAIN and self.view.turn_seat == self.turn_seat
        action = Action.end_turn() if ends else Action.time_out()
        self.tracked.act(self.view.turn_seat, action)

    def _state(self, message: m.GameState) -> None:
        self._settle(message.state)
        if message.state in (states.MAIN, states.ROLL) and self.view.phase == Phase.FREE_ROAD:
            self.tracked.differ("free roads")
            correction.lay_no_more_roads(self.view)
        self.tracked.state = message.state
        if message.state == states.OVER:
            self._end(self.turn_seat)

    def _settle(self, state: int) -> None:
        """Do what has to precede that state of the game."""
        self.robbery.settle(state)
        self.discards.settle(state)
        self.cards.settle(state)

    def _end(self, seat: int) -> None:
        self.is_over, self.winner = True, seat
        if self.view.winner != seat:
            correction.declare_winner(self.view, seat)
        happened = self.tracked.happened
        if happened:
            happened[-1] = replace(happened[-1], winner=seat)

    def _result(self, message: m.GameStats) -> None:
        """End the game, if its state has not ended it; the message has another form on joining."""
        seats = self.view.seats
        points = [value.lstrip("-").isdigit() for value in message.values[:seats]]
        if len(message.values) >= 2 * seats and all(points):
            self._end(self.turn_seat)

    def _dice(self, message: m.DiceResult) -> None:
        if message.total < 0:
            return
        if not 2 <= message.total <= 12:
            raise RemoteProtocolError(f"a roll of {message.total}; allowed are 2..12")
        self.tracked.act(self.turn_seat, Action.roll(), dice_of(message.total))

    def _production(self, message: m.Production) -> None:
        for seat, size, _ in message.gains():
            self.tracked.believe_size(self.tracked.checked(seat), size)

    def _piece(self, message: m.PutPiece) -> None:
        if self.state in states.SET_UP and message.piece == SETTLEMENT:
            self._before_settlement = self.view.copy(), len(self.tracked.happened)
        (action,) = to_actions(self.view, [message])
        self.tracked.act(self.tracked.checked(message.seat), action)

    def _cancel(self, message: m.CancelBuild) -> None:
        """Take the last settlement of the set-up off the board again."""
        before = self._before_settlement
        is_settlement = message.piece == SETTLEMENT and self.view.phase == Phase.PLACE_ROAD
        if before is not None and is_settlement and self.state in states.SET_UP:
            self.tracked.undo(*before)
            self._before_settlement = None

    def _size(self, message: m.HandSize) -> None:
        seat = self.tracked.checked(message.seat)
        if self.cards.is_monopoly and seat != self.turn_seat:
            self.cards.lose(seat, message.count)
        elif self.state not in states.PAID:
            self.tracked.believe_size(seat, message.count)

    def _elements(self, message: m.Elements) -> None:
        pairs = list(zip(message.pairs[::2], message.pairs[1::2], strict=False))
        self._count(self.tracked.checked(message.seat), message.action, pairs)

    def _element(self, message: m.Element) -> None:
        if message.what == CARD_PLAYED:  # for all seats together, by -1
            return
        seat = self.tracked.checked(message.seat)
        if message.what == KNIGHTS and message.action == m.SET:
            self.tracked.believe_knights(seat, self.tracked.counted(message.count))
        elif self.cards.is_monopoly:
            if message.action == m.LOSE:  # version 1.1; otherwise the sizes tell the losses
                self.cards.pay(seat, self.tracked.counted(message.count))
        else:
            self._count(seat, message.action, [(message.what, message.count)])

    def _count(self, seat: int, action: int, pairs: Sequence[tuple[int, int]]) -> None:
        cards = [(what, n) for what, n in pairs if 1 <= what <= UNKNOWN]
        if not cards:
            return
        if action == m.LOSE and self.state == states.DISCARDS:  # the server chose after a time-out
            self.discards.lose(seat, cards)
        elif action == m.SET and seat == self.tracked.seat:
            self.tracked.believe_own_hand(dict(cards))

    def _awards(self, message: m.GameElements) -> None:
        for what, value in zip(message.pairs[::2], message.pairs[1::2], strict=False):
            if what in AWARDS:
                seat = None if value < 0 else self.tracked.checked(value)
                self.tracked.believe_award(AWARDS[what], seat)


_HEARD: dict[type, Callable[[Follower, Any], None]] = {
    m.Turn: Follower._turn,
    m.GameState: Follower._state,
    m.GameStats: Follower._result,
    m.DiceResult: Follower._dice,
    m.Production: Follower._production,
    m.PutPiece: Follower._piece,
    m.CancelBuild: Follower._cancel,
    m.CardAction: lambda follower, message: follower.cards.hear(message),
    m.PickCards: lambda follower, message: follower.cards.choose_plenty(message),
    m.SimpleAction: lambda follower, message: follower.cards.take(message),
    m.HandSize: Follower._size,
    m.MoveRobber: lambda follower, message: follower.robbery.move(message),
    m.Robbery: lambda follower, message: follower.robbery.rob(message),
    m.Discarded: lambda follower, message: follower.discards.hear(message),
    m.BankTraded: lambda follower, message: follower.trades.trade_with_bank(message),
    m.MakeOffer: lambda follower, message: follower.trades.offer(message),
    m.AcceptOffer: lambda follower, message: follower.trades.accept(message),
    m.ClearOffer: lambda follower, message: follower.trades.clear(message),
    m.Elements: Follower._elements,
    m.Element: Follower._element,
    m.GameElements: Follower._awards,
}
