"""`hat`: a player by hat guessing, for tables of three to five at which all play by it.

It plays cards that it knows can be placed, discards cards that it knows are useless, and gives
hints that answer a question to every other player at once (policies.hats).
"""

from catan_env.guests.hanabi.action import Action
from catan_env.guests.hanabi.observation import card_index
from catan_env.guests.hanabi.policies.counting import unseen
from catan_env.guests.hanabi.policies.hats import Deductions, bits_in
from catan_env.guests.hanabi.policies.seen import Seen
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView

LIKELY = 0.75  # the chance at which a play is worth a life
COSTS_OF_LAST = 20  # a last copy, compared with another card


class Hat:
    """The hat guesser; it remembers the events of one game.

    It is deterministic, so the seed is ignored.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seen = Seen()

    def act(self, view: SeatView) -> int:
        """The number of the chosen action."""
        self._follow(view)
        self.view = view
        self._count()
        number = number_of(view, self._choose())
        assert number is not None
        return number

    def _follow(self, view: SeatView) -> None:
        """Update the picture to the view, from the start if it belongs to another game."""
        if self._seen.begins(view):
            self.picture = Deductions(view.rules, view.players)
            self._hands = [list(hand) for hand in view.dealt]
        for event in self._seen.new_events(view):
            self.picture.follow(event, self._hands, view.viewer)
            if not event.action.is_hint:
                hand = self._hands[event.seat]
                del hand[event.action.value]
                if event.has_drawn:
                    hand.append(event.drawn)

    def _count(self) -> None:
        """Count the unseen cards, and the possible identities of the player's own."""
        view, table = self.view, self.picture.table
        self.left = [0] * len(view.rules.kinds)
        for card, n in unseen(view).items():
            self.left[card_index(view.rules, card)] = n
        some = sum(1 << k for k, n in enumerate(self.left) if n > 0)
        hinted = [
            sum(self.picture.bits[card] for card in view.rules.kinds if known.allows(card))
            for known in view.my_knowledge
        ]
        self.mine = [
            mask & some or told & some
            for mask, told in zip(self.picture.hands[view.viewer], hinted, strict=True)
        ]
        self.placeable, self.useless = table.placeable, table.useless

    def _choose(self) -> Action:
        view = self.view
        play = self._sure_play() or self._risky_play()
        if play is not None:
            return play
        may_discard = view.tokens < view.rules.max_information_tokens
        if may_discard and self._has_time():
            discard = self._useless_discard()
            if discard is not None:
                return discard
        hint = self._hint() if view.tokens else None
        if hint is not None:
            return hint
        if may_discard:
            return self._useless_discard() or self._least_discard()
        return list(view.legal_actions)[-1]  # where hands are so small that no hint fits

    def _has_time(self) -> bool:
        """True if more cards can be discarded before the deck is too short to place everything."""
        view = self.view
        hands = view.players * view.rules.cards_in_hand(view.players)
        return len(view.discards) <= len(view.rules.box) - view.rules.max_score - hands

    def _sure_play(self) -> Action | None:
        """Play the lowest card that is certain to be placed."""
        found = []
        for place, mask in enumerate(self.mine):
            if mask and not mask & ~self.placeable:
                found.append((min(k % self.view.rules.ranks for k in bits_in(mask)), place))
        return Action.play(min(found)[1]) if found else None

    def _risky_play(self) -> Action | None:
        """Play a likely card, in the last turns the likeliest, while there is a life to spare."""
        if self.view.lives < 2 or (self.view.deck_size and not self._has_time()):
            return None
        least = LIKELY if self.view.deck_size else 0.0
        chances = [self._chance(mask, self.placeable) for mask in self.mine]
        best = max(chances, default=0.0)
        return Action.play(chances.index(best)) if best > least else None

    def _chance(self, mask: int, wanted: int) -> float:
        every = sum(self.left[k] for k in bits_in(mask))
        return sum(self.left[k] for k in bits_in(mask & wanted)) / max(1, every)

    def _useless_discard(self) -> Action | None:
        """Discard a useless card: one that says something, or one known to this player alone."""
        view, picture = self.view, self.picture
        places = picture.useless_places(view.viewer)
        if len(places) > 1:
            return Action.discard(places[picture.total(view.viewer, len(places), self._hands)])
        for place, mask in enumerate(self.mine):
            if not mask & ~self.useless:
                return Action.discard(place)
        return None

    def _least_discard(self) -> Action:
        """Discard the card whose loss costs least."""
        costs = [self._cost(mask) for mask in self.mine]
        return Action.discard(costs.index(min(costs)))

    def _cost(self, mask: int) -> float:
        """The expected cost of a discard: high for last copies and low numbers."""
        rules, picture = self.view.rules, self.picture
        seen = {card for hand in self.view.hands for card in hand if card is not None}
        cost = total = 0.0
        for k in bits_in(mask):
            card, n = rules.kinds[k], self.left[k]
            total += n
            if self.useless >> k & 1 or card in seen:
                continue
            height = rules.ranks + 1 - card.number + self.view.can_place(card)
            cost += n * height * (COSTS_OF_LAST if picture.table.left[k] == 1 else 1)
        return cost / max(1, total)

    def _hint(self) -> Action | None:
        """A hint that stands for the sum of the answers, the one that shows most besides."""
        view, picture = self.view, self.picture
        size = picture.size(view.viewer)
        wanted = picture.total(view.viewer, size, self._hands)
        best: tuple[int, Action] | None = None
        for action in view.legal_actions:
            if not action.is_hint:
                continue
            touched = view.touched(action)
            if picture.value(view.viewer, action, touched) != wanted:
                continue
            before = picture.hands[(view.viewer + action.target) % view.players]
            after = picture.after_hint(view.viewer, action, touched)
            shown = sum(a.bit_count() - b.bit_count() for a, b in zip(before, after, strict=True))
            if best is None or shown > best[0]:
                best = shown, action
        return None if best is None else best[1]
