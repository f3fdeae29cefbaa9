"""A seat's view, and how far it follows a server with other rules than ours.

At a server that keeps our rules, what it says of a player is what the view has already. Of another
the own numbers are believed, and the sizes of others' hands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game import correction
from catan_env.game.action import Action, Counts
from catan_env.game.board import Board
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.ledger import Move
from catan_env.protocols.catan_german.messages import Player
from catan_env.protocols.catan_german.words import number_of, to_counts


class Belief:
    """`view` is None until the own seat is known; what is done before is kept for it."""

    def __init__(self) -> None:
        self.view: SeatView | None = None
        self.is_in_doubt = False
        """Whether the server follows other rules than ours, or hides more."""
        self._early: list[Event] = []
        self._are_swapped = False
        """True while Statusupdates have Monopol and Erfindung in each other's place."""

    def begin(self, board: Board, robber: int, viewer: int, seats: int, rules: Rules) -> None:
        """The own seat is known."""
        self.view = SeatView.begin(board, viewer, seats, rules, robber=robber)
        for event in self._early:
            self.apply(event)

    def apply(self, event: Event) -> list[int]:
        """Follow an event; how many cards more each seat has then."""
        view = self.view
        if view is None:
            self._early.append(event)
            return []
        before = _sizes(view)
        try:
            view.apply(event)
        except IllegalActionError:
            self.is_in_doubt = True
            correction.force(view, event)
        if self.is_in_doubt:
            correction.count_bank(view)
        return [now - size for now, size in zip(_sizes(view), before, strict=True)]

    def pass_to(self, seat: int) -> None:
        """Turns end until it is this seat's; nothing owed is done."""
        view = self.view
        assert view is not None
        for _ in range(view.seats):
            if view.phase == Phase.MAIN and view.turn_seat != seat:
                self.apply(Event(view.turn_seat, Action.end_turn()))
            elif view.turn > 0 and not view.is_over:
                view.apply(Event(view.turn_seat, Action.time_out()))
            if view.turn_seat == seat:
                return

    def is_waiting_for(self, phase: Phase) -> bool:
        """Whether the own seat decides in that phase."""
        view = self.view
        if view is None or view.phase != phase or view.seat != view.viewer:
            return False
        return bool(view.action_mask.any())

    def ask(self, phase: Phase) -> None:
        """The server asks the own seat for what the view does not wait for."""
        assert self.view is not None
        self.is_in_doubt = True
        correction.ask(self.view, phase)

    def owe_half(self) -> None:
        """The server asks for half of the own hand, whatever the hand was thought to be."""
        view = self.view
        assert view is not None
        if view.owes(view.viewer) != view.hand_size(view.viewer) // 2:
            self.is_in_doubt = True
            correction.owe(view, view.hand_size(view.viewer) // 2)

    def award(self, name: str, seat: int | None) -> None:
        """`longest_road` or `largest_army` is said to be a seat's, or nobody's."""
        if self.view is not None:
            correction.award(self.view, name, seat)

    def compare(self, seat: int, said: Player) -> None:
        """The server's numbers win: the own hand, and how many cards others have."""
        view = self.view
        assert view is not None
        was_wrong = [
            self._compare_hand(view, seat, said),
            self._compare_cards(view, seat, said),
            self._compare_knights(view, seat, said),
        ]
        self.is_in_doubt |= any(was_wrong)
        if self.is_in_doubt:
            self._compare_awards(seat, said)

    def _compare_hand(self, view: SeatView, seat: int, said: Player) -> bool:
        if said.cards is None:
            return False
        is_shown = seat == view.viewer and not said.cards.unknown
        size, hand = number_of(said.cards), to_counts(said.cards) if is_shown else None
        if size == view.hand_size(seat) and (hand is None or hand == view.hand(seat)):
            return False
        correction.believe_hand(view, seat, size, hand)
        return True

    def _compare_cards(self, view: SeatView, seat: int, said: Player) -> bool:
        held = said.development_cards
        if held is None:
            return False
        number, cards = sum(held.values()), self._own_cards(held) if seat == view.viewer else None
        if number == view.card_count(seat) and (cards is None or cards == view.cards(seat)):
            return False
        correction.believe_cards(view, seat, number, cards)
        return True

    def _own_cards(self, held: Mapping[str, int]) -> Counts | None:
        """The own cards of a Statusupdate; their kinds were named when they were bought."""
        assert self.view is not None
        cards, swapped = words.cards_of(held), words.cards_of(words.with_cards_swapped(held))
        if cards is None or swapped is None:
            return None
        known = _swappable(self.view.cards(self.view.viewer))
        if cards != swapped and known in (_swappable(cards), _swappable(swapped)):
            self._are_swapped = known == _swappable(swapped)
        return swapped if self._are_swapped else cards

    def _compare_knights(self, view: SeatView, seat: int, said: Player) -> bool:
        if said.knights is None or said.knights == view.knights(seat):
            return False
        correction.believe_knights(view, seat, said.knights)
        return True

    def _compare_awards(self, seat: int, said: Player) -> None:
        road = said.longest_road or said.longest_road_as_well
        for name, has in (("longest_road", road), ("largest_army", said.largest_army)):
            if has:
                self.award(name, seat)

    def forget(self, seat: int, count: int) -> None:
        """Which cards have gone from a hand is not said."""
        assert self.view is not None
        self.is_in_doubt = True
        correction.forget(self.view, seat, count)

    def name_hand(self, hand: Counts) -> None:
        """The kinds of the own cards, where the view had their number alone."""
        assert self.view is not None
        correction.believe_hand(self.view, self.view.viewer, sum(hand), hand)

    def move(self, move: Move) -> None:
        """Cards come or go, and nothing at the table explains it."""
        view, seat = self.view, move.seat
        assert view is not None
        self.is_in_doubt = True
        size = max(0, view.hand_size(seat) + move.sign * move.total)
        is_shown = seat == view.viewer and sum(move.counts) == move.total
        hand = _moved(view.hand(seat), move) if is_shown else None
        correction.believe_hand(view, seat, size, hand)


def _sizes(view: SeatView) -> list[int]:
    return [view.hand_size(seat) for seat in range(view.seats)]


def _swappable(cards: Sequence[int]) -> tuple[int, int]:
    """How many there are of the two kinds that a server may swap."""
    return cards[DevelopmentCard.MONOPOLY], cards[DevelopmentCard.YEAR_OF_PLENTY]


def _moved(hand: Sequence[int], move: Move) -> Counts:
    counts: Any = (max(0, n + move.sign * m) for n, m in zip(hand, move.counts, strict=True))
    a, b, c, d, e = counts
    return a, b, c, d, e
