"""A seat's view, corrected by the announcements of a server with other rules than ours.

At a server that follows our rules, a Statusupdate changes nothing in the view. At any other, the
server's counts win: this seat's hand, and the sizes of other hands.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind, Counts
from catan_env.game.board import Board
from catan_env.game.event import Event
from catan_env.game.rules import Rules
from catan_env.game.tracked import TrackedView
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.account import Account
from catan_env.protocols.catan_german.ledger import Move
from catan_env.protocols.catan_german.messages import HeldCards, Player
from catan_env.protocols.catan_german.words import number_of, to_counts

PLACED = (ActionKind.SETTLEMENT, ActionKind.ROAD)


class CorrectedView:
    """`view` is None until this seat is known; it begins with all that happened before."""

    def __init__(self) -> None:
        self._tracked: TrackedView | None = None
        self._is_in_doubt = False
        self._placed: list[Event] = []
        """The events of the set-up."""
        self._is_in_set_up = True
        """True while only settlements and roads have been built."""
        self._new_view: Callable[[], SeatView]
        """The view before the first settlement."""
        self._account = Account()
        self._are_swapped = False
        """True while Statusupdates have Monopol and Erfindung swapped."""

    @property
    def view(self) -> SeatView | None:
        """The seat's knowledge of the game."""
        return None if self._tracked is None else self._tracked.view

    @property
    def is_in_doubt(self) -> bool:
        """True if the server follows other rules than ours, or hides more."""
        return self._is_in_doubt or (self._tracked is not None and not self._tracked.is_exact)

    @property
    def _known(self) -> TrackedView:
        assert self._tracked is not None
        return self._tracked

    def is_to_begin(self, seats: int) -> bool:
        """True if there is no view of that number of seats, and it may still begin."""
        view = self.view
        return view is None or (self._is_in_set_up and view.seats != seats)

    def begin(self, board: Board, robber: int, viewer: int, seats: int, rules: Rules) -> None:
        """Begin the view of a seat; in the set-up also again, with another number of seats."""
        self._new_view = partial(SeatView.begin, board, viewer, seats, rules, robber=robber)
        before, placed, self._placed = self.view, self._placed, []
        self.continue_from(self._new_view())
        for event in placed:
            self.apply(event)
        if before is not None:
            self._take_hands(before)

    def end_set_up(self) -> None:
        """Follow a set-up in another order again in ours, which leads to the same pieces."""
        view, placed = self._known.view, self._placed if self._is_in_set_up else []
        in_order = in_our_order(placed, view.seats)
        self._is_in_set_up = False
        if in_order == placed:
            return
        self.continue_from(self._new_view())
        for event in in_order:
            self._known.follow(event)
        self._is_in_doubt = False
        self._take_hands(view)

    def _take_hands(self, before: SeatView) -> None:
        """Take over the hands of another view of this seat, as far as both have the seats."""
        for seat in range(min(before.seats, self._known.view.seats)):
            hand = before.hand(seat) if seat == before.viewer else None
            self._known.believe_hand(seat, before.hand_size(seat), hand)

    def continue_from(self, view: SeatView) -> None:
        """Continue from a view."""
        self._tracked = TrackedView(view)

    def be_in_doubt(self) -> None:
        """Note that the server follows other rules than ours, or hides more."""
        self._is_in_doubt = True

    def apply(self, event: Event) -> list[int]:
        """Follow an event; return how many more cards each seat has after it."""
        self._is_in_set_up &= event.action.kind in PLACED
        if self._is_in_set_up:
            self._placed.append(event)
        if self._tracked is None:
            return []
        view = self._tracked.view
        before = _sizes(view)
        self._tracked.follow(event)
        more = [now - size for now, size in zip(_sizes(view), before, strict=True)]
        if self.is_in_doubt:
            self._tracked.limit_hands()
            correction.count_bank(view)
        return more

    def build_up(self, events: Iterable[Event], seat: int) -> None:
        """Place pieces without a set-up; `seat` has the first turn."""
        self.be_in_doubt()
        view = self._known.view
        correction.begin_turns(view, seat)
        for event in events:
            correction.force(view, event)
        correction.begin_turn(view, seat)

    def pass_to(self, seat: int) -> None:
        """End turns until it is this seat's; pending obligations are dropped."""
        view = self._known.view
        for _ in range(view.seats):
            if view.phase == Phase.MAIN and view.turn_seat != seat:
                self.apply(Event(view.turn_seat, Action.end_turn()))
            elif view.turn > 0 and not view.is_over:
                view.apply(Event(view.turn_seat, Action.time_out()))
            if view.turn_seat == seat:
                return

    def is_waiting_for(self, phase: Phase) -> bool:
        """True if this seat decides in that phase."""
        view = self.view
        if view is None or view.phase != phase or view.seat != view.viewer:
            return False
        return bool(view.action_mask.any())

    def play_on(self) -> None:
        """Continue a game that seemed over."""
        self.be_in_doubt()
        correction.play_on(self._known.view)

    def ask(self, phase: Phase) -> None:
        """Follow a request to this seat that the view does not expect."""
        self.be_in_doubt()
        correction.ask(self._known.view, phase)

    def hear_of_cards(self, move: Move) -> None:
        """Count a Kosten or an Ertrag in this seat's account."""
        if move.seat == self._known.seat:
            self._account.move(move)

    def owe_half(self) -> None:
        """Owe half of this seat's hand, as the server asks, whatever its computed size.

        If the hand has nothing to give, it was shown without its cards.
        """
        view = self._known.view
        if view.hand_size(view.viewer) < 2 <= sum(self._account.hand):
            self._known.believe_hand(view.viewer, sum(self._account.hand), self._account.hand)
        if view.owes(view.viewer) != view.hand_size(view.viewer) // 2:
            self.be_in_doubt()
            correction.owe(view, view.hand_size(view.viewer) // 2)

    def award(self, name: str, seat: int | None) -> None:
        """Set the owner of `longest_road` or `largest_army`."""
        if self.view is not None:
            correction.award(self.view, name, seat)

    def compare(self, seat: int, said: Player) -> None:
        """Take over the server's counts: this seat's hand, and the sizes of others."""
        own, is_own = said.cards, seat == self._known.seat
        if own is not None:
            is_shown = is_own and not own.unknown
            self._known.believe_hand(seat, number_of(own), to_counts(own) if is_shown else None)
            if is_shown:
                self._account.show(to_counts(own))
        held = said.development_cards
        if held is not None:
            cards = self._own_cards(held) if is_own else None
            self._known.believe_cards(seat, words.number_of_cards(held), cards)
        if said.knights is not None:
            self._known.believe_knights(seat, said.knights)
        if self.is_in_doubt:
            self._compare_awards(seat, said)

    def _own_cards(self, held: HeldCards) -> Counts | None:
        """This seat's cards in a Statusupdate; their kinds were named when they were bought."""
        view = self._known.view
        cards, swapped = words.cards_of(held), words.cards_of(words.with_cards_swapped(held))
        if cards is None or swapped is None:
            return None
        known = _swappable(view.cards(view.viewer))
        if cards != swapped and known in (_swappable(cards), _swappable(swapped)):
            self._are_swapped = known == _swappable(swapped)
        return swapped if self._are_swapped else cards

    def _compare_awards(self, seat: int, said: Player) -> None:
        road = said.longest_road or said.longest_road_as_well
        for name, has in (("longest_road", road), ("largest_army", said.largest_army)):
            if has:
                self.award(name, seat)

    def forget(self, seat: int, count: int) -> None:
        """Note that cards of unknown kinds have left a hand."""
        self.be_in_doubt()
        correction.forget(self._known.view, seat, count)

    def name_hand(self, hand: Counts) -> None:
        """Set the kinds of this seat's cards, of which the view had only the number."""
        self._known.believe_hand(self._known.seat, sum(hand), hand)

    def move(self, move: Move) -> None:
        """Move cards without an event that explains them."""
        view, seat = self._known.view, move.seat
        self.be_in_doubt()
        size = max(0, view.hand_size(seat) + move.sign * move.total)
        is_shown = seat == view.viewer and sum(move.counts) == move.total
        self._known.believe_hand(seat, size, _moved(view.hand(seat), move) if is_shown else None)
        correction.count_bank(view)


def in_our_order(placed: list[Event], seats: int) -> list[Event]:
    """The events of a set-up in the order of seats, then backwards; unchanged unless complete."""
    of_seat = [[event for event in placed if event.seat == seat] for seat in range(seats)]
    kinds = [[event.action.kind for event in events] for events in of_seat]
    if any(own != [*PLACED, *PLACED] for own in kinds):
        return placed
    first = [event for events in of_seat for event in events[:2]]
    return first + [event for events in reversed(of_seat) for event in events[2:]]


def _sizes(view: SeatView) -> list[int]:
    return [view.hand_size(seat) for seat in range(view.seats)]


def _swappable(cards: Sequence[int]) -> tuple[int, int]:
    """The number of cards of the two kinds that a server may swap."""
    return cards[DevelopmentCard.MONOPOLY], cards[DevelopmentCard.YEAR_OF_PLENTY]


def _moved(hand: Sequence[int], move: Move) -> Counts:
    counts: Any = (max(0, n + move.sign * m) for n, m in zip(hand, move.counts, strict=True))
    a, b, c, d, e = counts
    return a, b, c, d, e
