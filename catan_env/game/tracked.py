"""A seat's view of a game elsewhere, where more may be hidden, or other rules apply."""

from collections import Counter
from collections.abc import Sequence
from copy import copy, deepcopy
from typing import Self

import numpy as np

from catan_env.core.constants import CARDS_PER_RESOURCE, DECK, HAND_LIMIT, KNIGHT, Phase, Resource
from catan_env.game import correction
from catan_env.game.action import ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.hand_bounds import SEVEN, HandBounds, LikelyHand, with_more
from catan_env.game.hand_limits import HandLimits
from catan_env.game.view import SeatView

REFUSED = "refused:"
LARGEST_HAND = CARDS_PER_RESOURCE * len(Resource)
"""The largest hand in a view: all cards of our bank. A table without a limit may have more; a
view's memory holds 127, so that there is room for what a hand gets before its next correction."""


class TrackedView:
    """A `view` that events advance, and that the table's own counts correct.

    While `is_exact`, the view is byte for byte the environment's. Once cards may have moved that no
    seat announced (`bound_hand`), the view contains the smallest of the hands that the seat may
    hold, so that every action that is legal by the view is legal.

    >>> from catan_env import Action, Game
    >>> game = Game(seats=2, seed=1)
    >>> tracked = TrackedView(SeatView.begin(game.board, viewer=1, seats=2))
    >>> tracked.apply(game.play(Action.settlement(10)))
    >>> tracked.view == game.view(1), tracked.is_exact
    (True, True)
    >>> tracked.believe_hand(0, size=2)
    >>> tracked.is_exact, dict(tracked.differences)
    (False, {'hand size': 1})
    """

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.exact_until: int | None = None
        """The turn in which the view stopped being byte for byte the environment's."""
        self.differences: Counter[str] = Counter()
        """Counts of corrections, by topic."""
        self.bounds: HandBounds | None = None
        """The hands that this seat may hold; None while its cards are known."""
        self.likely: LikelyHand | None = None
        """The likely one of them."""
        self.discards_by_rule = True
        """True if a seven takes the most numerous cards; False if it may take any."""

    def copy(self) -> Self:
        """Return an independent copy."""
        tracked = copy(self)
        tracked.view, tracked.differences = self.view.copy(), self.differences.copy()
        tracked.bounds, tracked.likely = deepcopy(self.bounds), deepcopy(self.likely)
        return tracked

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.view.viewer

    @property
    def is_exact(self) -> bool:
        """True if the view is byte for byte the environment's."""
        return self.exact_until is None

    def be_in_doubt(self) -> None:
        """Note that from here on the view is not byte for byte the environment's."""
        if self.exact_until is None:
            self.exact_until = self.view.turn

    def differ(self, about: str) -> None:
        """Count a difference from the computed view, which is to be corrected."""
        self.differences[about] += 1
        self.be_in_doubt()

    def bound_hand(self) -> HandBounds:
        """Note that from here on only the smallest possible hand is certain."""
        self.be_in_doubt()
        if self.bounds is None:
            view = self.view
            hand, limits = view.hand(self.seat), HandLimits.of(view, self.seat)
            self.bounds = HandBounds(self.seat, hand, view.bank, limits)
            self.likely = LikelyHand(self.seat, hand, view.bank, deepcopy(limits))
        return self.bounds

    def rely_on_likely_hand(self) -> None:
        """From here on be sure of most of the likely hand, and of a bank that is half full.

        For a seat that cannot play, since it is sure of too few of more cards than a seven allows
        it; an action may turn out to be illegal.
        """
        if self.bounds is None or self.likely is None or self.bounds.is_sure:
            return
        likely, sure = self.likely.hand, self.bounds.hand
        if sum(likely) > HAND_LIMIT:
            hand = [max(m, n - 1 - n // 4) for n, m in zip(likely, sure, strict=True)]
            bank = [(CARDS_PER_RESOURCE - n) // 2 for n in likely]
            self.bounds = HandBounds(self.seat, hand, bank, deepcopy(self.likely.limits))
            self.bounds.may_hold_more = True
            self._recount()

    def apply(self, event: Event) -> None:
        """Apply an event as this seat sees it; raises IllegalActionError if our rules reject it."""
        if self.bounds is None:
            self.view.apply(event)
            return
        self._bounds_follow(event)
        self.view.apply(self._as_far_as_known(event))
        if self.view.phase == Phase.DISCARD:
            return
        self._recount()
        if event.action.kind == ActionKind.ROLL and sum(event.outcome) == SEVEN:
            self.discard_at_seven()

    def may_have_happened(self, event: Event, otherwise: Event | None = None) -> None:
        """Allow for the event and for its absence; the view follows it, or `otherwise`."""
        bounds = self.bound_hand()
        without = deepcopy(bounds)
        self._bounds_follow(event)
        self.view.apply(event if otherwise is None else otherwise)
        bounds.also_may(without)
        self._recount()

    def discard_at_seven(self) -> None:
        """Remove from the possible hands what a seven takes of them."""
        if self.bounds is not None and self.likely is not None:
            self.bounds.discard_at_seven(self.discards_by_rule)
            self.likely.discard_at_seven(by_rule=True)
            self._recount()

    def _bounds_follow(self, event: Event) -> None:
        assert self.bounds is not None and self.likely is not None
        self.bounds.follow(self.view, event)
        self.likely.follow(self.view, event)

    def _recount(self) -> None:
        assert self.bounds is not None
        self.view.recount(self.bounds.hand, self.bounds.bank)

    def _as_far_as_known(self, event: Event) -> Event:
        """Follow a theft; the hands in the view may be smaller or larger than the true ones.

        The seat's own hand is then recomputed from the bounds.
        """
        card, view = event.outcome, self.view
        if event.action.kind != ActionKind.MOVE_ROBBER or card is HIDDEN:
            return event
        victim = event.victim(view.seats)
        if card is None:
            if victim is None or view.hand_size(victim) <= 0:
                return event
            held = view.hand(victim) if victim == view.viewer else ()
            any_card = next((r for r, n in zip(Resource, held, strict=False) if n), Resource.BRICK)
            return Event(event.seat, event.action, any_card)
        if victim == view.viewer and not view.hand(victim)[card]:
            view.recount(with_more(view.hand(victim), card, 1), view.bank)
        elif victim is not None and view.hand_size(victim) <= 0:
            return Event(event.seat, event.action)
        return event

    def begin_turn(self, seat: int) -> None:
        """Let `seat` roll next where the table's order of turns is not ascending."""
        self.differ("turn")
        correction.begin_turn(self.view, seat)

    def follow(self, event: Event) -> None:
        """Apply an event; one that our rules reject is followed as far as possible."""
        try:
            self.apply(event)
        except IllegalActionError:
            self.differ(f"{REFUSED} {event.action.kind.name.lower()}")
            correction.force(self.view, event)

    def believe_hand(self, seat: int, size: int, hand: Sequence[int] | None = None) -> None:
        """Set a hand's size; `hand` are the viewer's own cards, None where their kinds are hidden.

        Known cards of another seat are reduced only as far as the new size requires. A hand of more
        than LARGEST_HAND is shown with as many at most.
        """
        view, state = self.view, self.view._array[0]
        if hand is not None and sum(hand) > LARGEST_HAND:
            hand = cut(hand, LARGEST_HAND)
            size = sum(hand)
        size = min(size, LARGEST_HAND)
        gone = view.hand_size(seat) - size
        if not gone and (hand is None or tuple(hand) == view.hand(seat)):
            return
        self.differ("own hand" if seat == self.seat else "hand size")
        state["hand_size"][seat] = size
        if hand is not None:
            state["hand"][seat] = hand
            state["known"][seat] = np.minimum(state["known"][seat], state["hand"][seat])
        else:
            state["known"][seat] = np.maximum(state["known"][seat] - max(0, gone), 0)
        if state["known"][seat].sum() > size:
            state["known"][seat] = 0
        correction.count_bank(view)

    def limit_hands(self) -> None:
        """Cut the hands that events have made too large."""
        for seat in range(self.view.seats):
            if self.view.hand_size(seat) > LARGEST_HAND:
                hand = self.view.hand(seat) if seat == self.seat else None
                self.believe_hand(seat, LARGEST_HAND, hand)

    def believe_cards(self, seat: int, number: int, cards: Sequence[int] | None = None) -> None:
        """Set a seat's number of development cards; `cards` are the viewer's own, by kind.

        More than the deck has are shown as that many at most.
        """
        view, state = self.view, self.view._array[0]
        number = min(number, sum(DECK))
        cards = None if cards is None else cut(cards, sum(DECK))
        if number == view.card_count(seat) and (cards is None or tuple(cards) == view.cards(seat)):
            return
        self.differ("development cards")
        state["card_count"][seat] = number
        if cards is not None:
            state["cards"][seat] = cards
            if state["turn_seat"] == seat:
                state["new_cards"] = np.minimum(state["new_cards"], state["cards"][seat])
        drawn = int(state["card_count"].sum()) + int(state["played"].sum())
        if view.rules.development_cards:
            state["deck_size"] = max(0, sum(DECK) - drawn)
        correction.refresh(view)

    def believe_knights(self, seat: int, knights: int) -> None:
        """Set the number of knights that a seat has played, at most the number of all cards."""
        knights = min(knights, sum(DECK))
        if knights != self.view.knights(seat):
            self.differ("knights")
            self.view._array[0]["played"][seat, KNIGHT] = knights
            correction.refresh(self.view)

    def believe_award(self, name: str, seat: int | None) -> None:
        """Set the owner of `longest_road` or `largest_army`."""
        if seat != getattr(self.view, f"{name}_seat"):
            self.differ(name)
            correction.award(self.view, name, seat)


def cut(cards: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the counts with the largest cut to one height, so that their sum is at most `most`.

    >>> cut((5000, 0, 0, 0, 2), 95), cut((300, 200, 1, 0, 0), 95), cut((1, 2, 0, 0, 0), 95)
    ((93, 0, 0, 0, 2), (47, 47, 1, 0, 0), (1, 2, 0, 0, 0))
    """
    if sum(cards) <= most:
        return tuple(cards)
    heights = range(most, -1, -1)
    height = next(height for height in heights if sum(min(n, height) for n in cards) <= most)
    return tuple(min(n, height) for n in cards)
