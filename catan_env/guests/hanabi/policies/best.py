"""`best`: a convention player, for tables at which every player follows them.

It hints playable cards, warns of last copies about to be discarded, and never gives a hint from
which its partner would conclude something false (policies.conventions).
"""

from catan_env.guests.hanabi.action import Action, all_actions
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.guests.hanabi.policies.counting import unseen
from catan_env.guests.hanabi.policies.worth import (
    BITS_EXCLUDED,
    LEAST_USEFUL,
    MISLEADS,
    NUMBER_LATER,
    SHOWS_PLAY,
    TOUCHES_GOOD,
    TOUCHES_WASTE,
)
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView


class Best:
    """The convention player; it remembers the events of one game."""

    def __init__(self, seed: int = 0) -> None:
        self._events: list[Event] = []
        self._dealt: object = None

    def act(self, view: SeatView) -> int:
        """The number of the chosen action."""
        self._follow(view)
        self.view = view
        self.left = unseen(view)
        self.unseen_bits = sum(self.picture.bit(card) for card, n in self.left.items() if n > 0)
        action = self._choose()
        number = number_of(view, action)
        assert number is not None
        return number

    def _follow(self, view: SeatView) -> None:
        """Update the picture to the view, from the start if it belongs to another game."""
        seen = len(self._events)
        if self._dealt != view.dealt or self._events != view.events[:seen]:
            self._dealt, self._events, seen = view.dealt, [], 0
        if not seen:
            self.picture = Picture(view.rules, view.players)
        for event in view.events[seen:]:
            self.picture.follow(event)
        self._events = list(view.events)

    def _choose(self) -> Action:
        view = self.view
        hints = self.hints() if view.tokens else []
        best = max(hints, key=lambda hint: hint[0], default=None)
        warning = self._warning(hints)
        play = self._best_play()
        if warning is not None and (play is None or view.deck_size > 0):
            return warning
        if play is not None:
            return play
        if best is not None and best[0] >= LEAST_USEFUL:
            return best[1]
        if view.turns_left is not None or view.deck_size == 0:
            risky = self._risky_play()
            if risky is not None:
                return risky
        if view.tokens < view.rules.max_information_tokens:
            return Action.discard(self._discard_place())
        if best is not None:
            return best[1]
        return self._any_action()

    # The player's own cards.

    def mine(self, place: int) -> int:
        """The possible identities of the player's card, by the picture and the visible cards."""
        slot = self.picture.hands[self.view.viewer][place]
        possible = slot.possible & self.unseen_bits or slot.hinted & self.unseen_bits
        if slot.touched and possible & ~self.picture.useless:
            possible &= ~self.picture.useless
        return possible

    def _surely_mine(self, place: int) -> int:
        """Like `mine`, but empty if the picture contradicts the visible cards."""
        slot = self.picture.hands[self.view.viewer][place]
        return slot.possible & self.unseen_bits

    def _best_play(self) -> Action | None:
        """Play the card of the lowest number that is certain to be placed; fives before others."""
        found: list[tuple[int, int]] = []
        for place in range(len(self.view.my_knowledge)):
            possible = self.mine(place) if self.view.lives > 1 else self._surely_mine(place)
            if possible and not possible & ~self.picture.placeable:
                numbers = [card.number for card in self._cards(possible)]
                found.append((min(numbers) if min(numbers) < self.view.rules.ranks else 0, place))
        return Action.play(min(found)[1]) if found else None

    def _risky_play(self) -> Action | None:
        """In the last turns, play the likeliest card while there is a life to spare."""
        if self.view.lives < 2:
            return None
        chances = [self._chance(place) for place in range(len(self.view.my_knowledge))]
        best = max(chances)
        return Action.play(chances.index(best)) if best > 0 else None

    def _chance(self, place: int) -> float:
        counts = {card: self.left[card] for card in self._cards(self.mine(place))}
        good = sum(
            n for card, n in counts.items() if self.picture.bit(card) & self.picture.placeable
        )
        return good / max(1, sum(counts.values()))

    def _discard_place(self) -> int:
        """The place of a useless card, else of the one on the chop, else of the least risky one."""
        places = range(len(self.view.my_knowledge))
        for place in places:
            if not self.mine(place) & ~self.picture.useless:
                return place
        chop = self.picture.chop(self.view.viewer)
        if chop is not None:
            return chop
        return min(places, key=lambda place: (self._risk(place), place))

    def _risk(self, place: int) -> float:
        """The probability that the player's card is the last of its kind or playable soon."""
        cards = self._cards(self.mine(place))
        last = sum(bool(self.picture.bit(card) & self.picture.last) for card in cards)
        soon = sum(bool(self.picture.bit(card) & self.picture.placeable) for card in cards)
        return (2 * last + soon) / max(1, len(cards))

    def _cards(self, bits: int) -> list[Card]:
        return [card for card in self.picture.kinds if self.picture.bit(card) & bits]

    # Hints.

    def hints(self) -> list[tuple[int, Action, int, Picture]]:
        """All hints that cause no false conclusion: worth, action, seat, picture after it."""
        view, result = self.view, []
        for number in view.legal_actions.indices.tolist():
            action = all_actions(view.rules, view.players)[number]
            if not action.is_hint:
                continue
            after = self.picture.after_hint(
                Event(view.viewer, action, touched=view.touched(action))
            )
            seat = (view.viewer + action.target) % view.players
            worth = self._worth(seat, after)
            if worth is not None:
                result.append((worth, action, seat, after))
        return result

    def is_true(self, hint: tuple[int, Action, int, Picture]) -> bool:
        """True if every card of the receiver is among its possible identities after the hint."""
        _, _, seat, after = hint
        return all(
            card is not None and self.picture.bit(card) & slot.possible
            for card, slot in zip(self.view.hands[seat], after.hands[seat], strict=True)
        )

    def _worth(self, seat: int, after: Picture) -> int | None:
        """The value of a hint; None if its receiver would play a wrong card."""
        before, hand, worth = self.picture.hands[seat], self.view.hands[seat], 0
        elsewhere = self._promised(seat)
        meant: set[Card] = set()
        for place, slot in enumerate(after.hands[seat]):
            card, old = hand[place], before[place]
            assert card is not None
            bit = self.picture.bit(card)
            placeable = after.is_known_placeable(slot)
            if placeable:
                if not bit & self.picture.placeable or card in meant or card in elsewhere:
                    if not self.picture.is_known_placeable(old):
                        return None
                elif not self.picture.is_known_placeable(old):
                    worth += SHOWS_PLAY - NUMBER_LATER * card.number
                meant.add(card)
            if not slot.possible & bit:
                worth += MISLEADS
            if slot.touched and not old.touched:
                is_waste = bool(bit & self.picture.useless) or card in elsewhere
                worth += TOUCHES_WASTE if is_waste else TOUCHES_GOOD
            worth += BITS_EXCLUDED * (old.possible.bit_count() - slot.possible.bit_count())
        return worth

    def _promised(self, seat: int) -> set[Card]:
        """Cards in other hands that hints have touched."""
        return {
            card
            for other, hand in enumerate(self.view.hands)
            if other not in (seat, self.view.viewer)
            for card, slot in zip(hand, self.picture.hands[other], strict=True)
            if card is not None and slot.touched
        }

    def _warning(self, hints: list[tuple[int, Action, int, Picture]]) -> Action | None:
        """A hint that keeps the next player from discarding a last copy."""
        view = self.view
        seat = (view.viewer + 1) % view.players
        if not self._is_in_danger(seat, self.picture):
            return None
        saving = [
            hint for hint in hints if hint[2] == seat and not self._is_in_danger(seat, hint[3])
        ]
        return max(saving, key=lambda hint: hint[0])[1] if saving else None

    def _is_in_danger(self, seat: int, picture: Picture) -> bool:
        """True if that player has nothing to place and would discard a last copy."""
        if any(picture.is_known_placeable(slot) for slot in picture.hands[seat]):
            return False
        chop = picture.chop(seat)
        if chop is None or self.view.deck_size == 0:
            return False
        card = self.view.hands[seat][chop]
        assert card is not None
        return bool(picture.bit(card) & picture.last)

    def _any_action(self) -> Action:
        """The least harmful action when all tokens are available and every hint would mislead."""
        legal = list(self.view.legal_actions)
        hints = [action for action in legal if action.is_hint]
        known = [action for action in hints if self._says_nothing_new(action)]
        return (known or hints or legal)[0]

    def _says_nothing_new(self, action: Action) -> bool:
        seat = (self.view.viewer + action.target) % self.view.players
        slots = self.picture.hands[seat]
        return all(slots[place].touched for place in self.view.touched(action))
