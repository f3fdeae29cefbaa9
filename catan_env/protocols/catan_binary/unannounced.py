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
    """What a seat may take for sure: `view`, exact until the first movement that it must assume.

    From then on the view holds the least of the hands that the seat may hold, so that what is
    legal by it is legal.
    """

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self._doubt: Doubt | None = None

    def copy(self) -> "Belief":
        """The same belief, with a future of its own."""
        belief = Belief(self.view.copy())
        belief._doubt = deepcopy(self._doubt)
        return belief

    def apply(self, event: Event) -> None:
        """Follow an event that was announced, or that everybody computes."""
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
        """A theft as the view can follow it, whose hands may be smaller or larger than the true.

        What it then holds of its own is counted anew from the doubt.
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
        """By the rule, where hands are known; else by a guess."""
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
        """What another seat chose is not announced."""
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
        """What this seat's own monopoly took, by seat; in doubt where hands are not known."""
        view = self.view
        hands = hands_of_others(view, view.viewer)
        if None in hands:
            self._be_in_doubt()
        others: list[Any] = [hand or likely_hand(view, o) for o, hand in enumerate(hands)]
        return tuple(0 if o == view.viewer else hand[resource] for o, hand in enumerate(others))

    def may_have_chosen(self, action: Action) -> None:
        """This seat's card is played; whether it got what it chose nobody said."""
        losses = None
        self._be_in_doubt()
        if action.kind == ActionKind.PLAY_MONOPOLY:
            losses = self.likely_losses(action.args[0])
        self._may_have_done(Event(self.view.viewer, action, losses))

    def may_have_traded(self, action: Action) -> None:
        """Whether the bank took this seat's cards nobody said."""
        self._be_in_doubt()
        self._may_have_done(Event(self.view.viewer, action))

    def may_have_been_accepted(self) -> None:
        """Nobody said whether another seat accepted this seat's offer."""
        self._be_in_doubt()
        assert self._doubt is not None
        without = set(self._doubt.hands)
        self._doubt.follow(self.view, Event(self.view.seat, Action.accept()))
        self._doubt.hands |= without
        self.view.apply(Event(self.view.seat, Action.reject()))
        self.view.recount(self._doubt.hand, self._doubt.bank)

    def _may_have_done(self, event: Event) -> None:
        """The hands with and without what the event brings."""
        assert self._doubt is not None
        without = set(self._doubt.hands)
        self._doubt.follow(self.view, event)
        self.view.apply(event)
        self._doubt.hands |= without
        self.view.recount(self._doubt.hand, self._doubt.bank)

    def _be_in_doubt(self) -> None:
        """From now on only the least of what may be is sure."""
        if self._doubt is None:
            view = self.view
            self._doubt = Doubt(view.viewer, view.hand(view.viewer), view.bank)

    def _discard_in_doubt(self) -> None:
        """The possible hands lose what a seven takes of them."""
        if self._doubt is not None:
            self._doubt.discard_at_seven()
            self.view.recount(self._doubt.hand, self._doubt.bank)
