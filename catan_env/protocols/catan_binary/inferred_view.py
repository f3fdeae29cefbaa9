"""Conclusions about cards that a server moved without announcing them, or outside the rules."""

from collections.abc import Sequence
from typing import Any

from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.hand_bounds import hands_of_others, with_more
from catan_env.game.likely import likely_hand, most_numerous
from catan_env.game.tracked import TrackedView
from catan_env.protocols.catan_binary.choices import as_pair, most_held, scarcest
from catan_env.protocols.catan_binary.messages import Card, TradeSide
from catan_env.protocols.catan_binary.pending import Choice
from catan_env.protocols.catan_binary.places import to_resource

NO_CARDS = (0,) * len(Resource)


class InferredView(TrackedView):
    """The certain knowledge of a seat, with conclusions about movements that were not announced."""

    def assume_discards(self) -> None:
        """Discard by the rule if hands are known; otherwise by a guess."""
        view, by_rule, was_sure = self.view, self.discards_by_rule, self.bounds is None
        in_order = [(view.turn_seat + step) % view.seats for step in range(view.seats)]
        owing = [seat for seat in in_order if view.owes(seat)]
        hands: list[Any] = hands_of_others(view, view.viewer)
        if (owing and not by_rule) or any(hands[seat] is None for seat in owing):
            self.bound_hand()
        for seat in owing:
            outcome = None if by_rule or seat == view.viewer else HIDDEN
            hand = list(hands[seat] or likely_hand(view, seat))
            for _ in range(view.owes(seat)):
                resource = most_numerous(hand)
                hand[resource] -= 1
                view.apply(Event(seat, Action.discard(resource), outcome))
        kept = view.hand(view.viewer)
        self.discard_at_seven()
        if was_sure and self.bounds is not None and (by_rule or view.viewer not in owing):
            self._keep(kept)

    def _keep(self, hand: Sequence[int]) -> None:
        """Be sure of this hand after a seven, of whose discards some may have been announced."""
        for bounds in (self.bounds, self.likely):
            assert bounds is not None
            bounds.hands = {tuple(hand)}
            bounds.limits.sizes[self.seat] = {sum(hand)}
        self._recount()

    def assume_choice(self, choice: Choice) -> None:
        """Follow another seat's unannounced choice."""
        view, seat = self.view, self.view.turn_seat
        self.bound_hand()
        if choice.card == DevelopmentCard.YEAR_OF_PLENTY:
            taken = scarcest(view, likely_hand(view, seat), choice.taken)
            if taken:
                self.apply(Event(seat, Action.play_year_of_plenty(*as_pair(taken))))
        else:
            hands = [likely_hand(view, other) for other in range(view.seats)]
            named = most_held(hands, seat)
            lost = tuple(0 if o == seat else hand[named] for o, hand in enumerate(hands))
            self.apply(Event(seat, Action.play_monopoly(named), lost))

    def apply_theft(self, theft: Event) -> None:
        """Follow a theft; one that contradicts the known hands leaves this seat's in doubt."""
        try:
            self.apply(theft)
        except IllegalActionError:
            if self.bounds is not None:
                raise
            self.bound_hand()
            self.apply(theft)

    def has_surely_no_cards(self, seat: int) -> bool:
        """True if a hand is empty, whatever this seat does not know of other hands."""
        if self.bounds is not None:
            return self.bounds.limits.sizes[seat] == {0}
        return self.view.hand_size(seat) == 0 and not self.differences.keys() - {"turn"}

    def take_late(self, theft: Event) -> None:
        """Take a card from a seat that seemed to have none, after the robber's move was applied."""
        self.bound_hand()
        self._bounds_follow(theft)
        self._recount()

    def hand_over(self, giver: int, taker: int, side: TradeSide) -> None:
        """Move cards between other seats by a trade that no action of the game can express."""
        self.differ("offer outside the rules")
        if self.bounds is not None:
            self.bounds.limits.hand_over_any(taker, range(side.count + 1))
            self.bounds.limits.hand_over_any(giver, range(-side.count, 1))
        count = min(side.count, max(0, self.view.hand_size(giver)))
        if side.resource == Card.ANY:
            self._hand_over_unseen(giver, taker, count)
        else:
            cards = with_more(NO_CARDS, to_resource(side.resource), count)
            correction.exchange(self.view, giver, cards, NO_CARDS)
            correction.exchange(self.view, taker, NO_CARDS, cards)

    def _hand_over_unseen(self, giver: int, taker: int, count: int) -> None:
        view, bank = self.view, self.view.bank
        self.believe_hand(giver, view.hand_size(giver) - count)
        self.believe_hand(taker, view.hand_size(taker) + count)
        view.recount(view.hand(view.viewer), bank)

    def likely_losses(self, resource: Resource) -> tuple[int, ...]:
        """Return each seat's likely loss to this seat's monopoly; in doubt if hands are unknown."""
        view = self.view
        hands = hands_of_others(view, view.viewer)
        if None in hands:
            self.bound_hand()
        others: list[Any] = [hand or likely_hand(view, o) for o, hand in enumerate(hands)]
        return tuple(0 if o == view.viewer else hand[resource] for o, hand in enumerate(others))

    def may_have_chosen(self, action: Action) -> None:
        """Follow this seat's card; whether the bank granted the choice is unknown."""
        losses = None
        if action.kind == ActionKind.PLAY_MONOPOLY:
            losses = self.likely_losses(action.args[0])
        self.may_have_happened(Event(self.seat, action, losses))

    def may_have_traded(self, action: Action) -> None:
        """Allow for both outcomes of this seat's trade with the bank, which was not announced."""
        self.may_have_happened(Event(self.seat, action))

    def may_have_been_accepted(self) -> None:
        """Allow for both answers to this seat's offer, which were not announced."""
        partner = self.view.seat
        self.may_have_happened(Event(partner, Action.accept()), Event(partner, Action.reject()))
