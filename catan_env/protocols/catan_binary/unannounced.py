"""A view, and the doubt about it once a server moved cards without announcing them."""

from copy import deepcopy
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.likely import likely_hand, most_numerous
from catan_env.game.view import SeatView
from catan_env.protocols.catan_binary.choices import as_pair, most_held, scarcest
from catan_env.protocols.catan_binary.pending import Choice
from catan_env.protocols.doubt import (
    SEVEN,
    Doubt,
    hands_of_others,
    with_more,
)


class Belief:
    """The certain knowledge of a seat: `view`, exact until the first movement it has to assume.

    From then on the view contains the smallest of the hands that the seat may hold, so that every
    action that is legal by the view is legal.
    """

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self._doubt: Doubt | None = None

    def copy(self) -> "Belief":
        """Return an independent copy of the belief."""
        belief = Belief(self.view.copy())
        belief._doubt = deepcopy(self._doubt)
        return belief

    def apply(self, event: Event) -> None:
        """Follow an event that was announced, or that every seat computes."""
        if self._doubt is None:
            self.view.apply(event)
            return
        self._doubt.follow(self.view, event)
        self.view.apply(self._as_far_as_known(event))
        if self.view.phase == Phase.DISCARD:
            return
        self.view.recount(self._doubt.hand, self._doubt.bank)
        if event.action.kind == ActionKind.ROLL and sum(event.outcome) == SEVEN:
            self._discard_in_doubt()

    def _as_far_as_known(self, event: Event) -> Event:
        """Follow a theft; the hands in the view may be smaller or larger than the true ones.

        The seat's own hand is then recomputed from the doubt.
        """
        card, view = event.outcome, self.view
        if event.action.kind != ActionKind.MOVE_ROBBER or card is HIDDEN:
            return event
        victim = event.victim(view.seats)
        if card is None:
            robbed = victim is not None and view.hand_size(victim) > 0
            return Event(event.seat, event.action, Resource.BRICK) if robbed else event
        if victim == view.viewer and not view.hand(victim)[card]:
            view.recount(with_more(view.hand(victim), card, 1), view.bank)
        elif victim is not None and view.hand_size(victim) <= 0:
            return Event(event.seat, event.action)
        return event

    def assume_discards(self) -> None:
        """Discard by the rule if hands are known; otherwise by a guess."""
        view = self.view
        in_order = [(view.turn_seat + step) % view.seats for step in range(view.seats)]
        owing = [seat for seat in in_order if view.owes(seat)]
        hands: list[Any] = hands_of_others(view, view.viewer)
        if any(hands[seat] is None for seat in owing):
            self._be_in_doubt()
        for seat in owing:
            hand = list(hands[seat] or likely_hand(view, seat))
            for _ in range(view.owes(seat)):
                resource = most_numerous(hand)
                hand[resource] -= 1
                view.apply(Event(seat, Action.discard(resource)))
        self._discard_in_doubt()

    def assume_choice(self, choice: Choice) -> None:
        """Follow another seat's unannounced choice."""
        view, seat = self.view, self.view.turn_seat
        self._be_in_doubt()
        if choice.card == DevelopmentCard.YEAR_OF_PLENTY:
            taken = scarcest(view, likely_hand(view, seat), choice.taken)
            if taken:
                self.apply(Event(seat, Action.play_year_of_plenty(*as_pair(taken))))
        else:
            hands = [likely_hand(view, other) for other in range(view.seats)]
            named = most_held(hands, seat)
            lost = tuple(0 if o == seat else hand[named] for o, hand in enumerate(hands))
            self.apply(Event(seat, Action.play_monopoly(named), lost))

    def likely_losses(self, resource: Resource) -> tuple[int, ...]:
        """Follow this seat's own monopoly, by victim; in doubt if hands are not known."""
        view = self.view
        hands = hands_of_others(view, view.viewer)
        if None in hands:
            self._be_in_doubt()
        others: list[Any] = [hand or likely_hand(view, o) for o, hand in enumerate(hands)]
        return tuple(0 if o == view.viewer else hand[resource] for o, hand in enumerate(others))

    def may_have_chosen(self, action: Action) -> None:
        """Follow this seat's card; whether the bank granted the choice is unknown."""
        losses = None
        self._be_in_doubt()
        if action.kind == ActionKind.PLAY_MONOPOLY:
            losses = self.likely_losses(action.args[0])
        self._may_have_done(Event(self.view.viewer, action, losses))

    def may_have_traded(self, action: Action) -> None:
        """Allow for both outcomes of this seat's trade with the bank, which was not announced."""
        self._be_in_doubt()
        self._may_have_done(Event(self.view.viewer, action))

    def may_have_been_accepted(self) -> None:
        """Allow for both answers to this seat's offer, which were not announced."""
        self._be_in_doubt()
        assert self._doubt is not None
        without = set(self._doubt.hands)
        self._doubt.follow(self.view, Event(self.view.seat, Action.accept()))
        self._doubt.hands |= without
        self.view.apply(Event(self.view.seat, Action.reject()))
        self.view.recount(self._doubt.hand, self._doubt.bank)

    def _may_have_done(self, event: Event) -> None:
        """Return the hands with and without the changes of the event."""
        assert self._doubt is not None
        without = set(self._doubt.hands)
        self._doubt.follow(self.view, event)
        self.view.apply(event)
        self._doubt.hands |= without
        self.view.recount(self._doubt.hand, self._doubt.bank)

    def _be_in_doubt(self) -> None:
        """From now on, only the smallest possible hand is certain."""
        if self._doubt is None:
            view = self.view
            self._doubt = Doubt(view.viewer, view.hand(view.viewer), view.bank)

    def _discard_in_doubt(self) -> None:
        """Remove from the possible hands what a seven takes of them."""
        if self._doubt is not None:
            self._doubt.discard_at_seven()
            self.view.recount(self._doubt.hand, self._doubt.bank)
