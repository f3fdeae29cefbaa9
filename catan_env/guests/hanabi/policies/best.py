"""`best`: a convention player, for tables at which every player follows them.

It hints playable cards, and warns of last copies about to be discarded and of wrong plays
(policies.conventions). Only where nothing else helps does it give a hint from which its partner
concludes something false. When the deck is short it hints rather than discards.
"""

from typing import NamedTuple

from catan_env.guests.hanabi.action import Action, all_actions
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.guests.hanabi.policies.counting import unseen
from catan_env.guests.hanabi.policies.seen import Seen
from catan_env.guests.hanabi.policies.worth import (
    BITS_EXCLUDED,
    IDLE,
    LEAST_STALLING,
    LEAST_WITHOUT_CHOP,
    MISLEADS,
    NUMBER_LATER,
    SHOWS_NEXT,
    SHOWS_PLAY,
    SPARE_TURNS,
    STILL_IN_DANGER,
    TOUCHES_GOOD,
    TOUCHES_LAST,
    TOUCHES_WASTE,
    least_useful,
)
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView


class Hint(NamedTuple):
    """A hint with its worth, the seat it is for, and the picture after it."""

    worth: int
    action: Action
    seat: int
    after: Picture


class Best:
    """The convention player; it remembers the events of one game.

    It is deterministic, so the seed is ignored.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seen = Seen()

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
        if self._seen.begins(view):
            self.picture = Picture(view.rules, view.players)
        for event in self._seen.new_events(view):
            self.picture.follow(event)

    def _choose(self) -> Action:
        play, following = self._best_play(), (self.view.viewer + 1) % self.view.players
        is_threatened = self._is_in_danger(following, self.picture)
        is_wrong = self.view.deck_size > 0 and self._would_err(following, self.picture)
        needed = self.view.tokens and (is_threatened or is_wrong or play is None)
        hints = self.hints() if needed else []
        urgent = [hint for hint in hints if hint.seat == following]
        return (
            (self._warning(urgent) if is_threatened else None)
            or (self._correction(urgent) if is_wrong else None)
            or play
            or self._without_play(max(hints, key=lambda hint: hint.worth, default=None))
        )

    def _without_play(self, best: Hint | None) -> Action:
        """The best hint, a risk in the last turns, or a discard."""
        view = self.view
        if best is not None and best.worth >= least_useful(view.tokens):
            return best.action
        risky = self._risky_play() if view.deck_size == 0 else None
        if risky is not None:
            return risky
        if best is not None and self._is_better_than_discard(best.worth):
            return best.action
        if view.tokens < view.rules.max_information_tokens:
            return Action.discard(self._discard_place())
        return self._any_action() if best is None else best.action

    def _is_better_than_discard(self, worth: int) -> bool:
        """True if a hint saves a turn that is needed, or a card that may be useful."""
        if self._spare_turns() <= SPARE_TURNS and worth > LEAST_STALLING:
            return True
        return worth >= LEAST_WITHOUT_CHOP and self._has_no_chop()

    def _spare_turns(self) -> int:
        """The turns that may be lost without losing a point."""
        missing = len(self.picture.kinds) - self.picture.useless.bit_count()
        return self.view.deck_size + self.view.players - missing

    def _has_no_chop(self) -> bool:
        """True if hints have touched each own card, and none is known to be useless."""
        return all(
            slot.touched and self.mine(place) & ~self.picture.useless
            for place, slot in enumerate(self.picture.hands[self.view.viewer])
        )

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
        """Play the most useful card that is certain to be placed."""
        found: list[tuple[float, int]] = []
        for place in range(len(self.view.my_knowledge)):
            possible = self.mine(place) if self.view.lives > 1 else self._surely_mine(place)
            if possible and not possible & ~self.picture.placeable:
                found.append((self._order(possible), place))
        return Action.play(min(found)[1]) if found else None

    def _order(self, possible: int) -> float:
        """The lowest number; less if others wait for the card, even less if they know theirs."""
        following, waiting = self.picture.after(possible), 0
        for seat in range(self.view.players):
            for card, slot in zip(self.view.hands[seat], self.picture.hands[seat], strict=True):
                if card is not None and self.picture.bit(card) & following:
                    waiting = max(waiting, 1 + slot.touched)
        lowest = min(card.number for card in self._cards(possible))
        return lowest - waiting / possible.bit_count()

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
        """The place of a useless card, a promised one, that on the chop, or the least risky."""
        places = range(len(self.view.my_knowledge))
        for waste in (self.picture.useless, self.picture.useless | self._touched_elsewhere()):
            for place in places:
                if not self.mine(place) & ~waste:
                    return place
        chop = self.picture.chop(self.view.viewer)
        if chop is not None:
            return chop
        return min(places, key=lambda place: (self._risk(place), place))

    def _risk(self, place: int) -> float:
        """The mean cost by what the card can be: 2 for a last copy, 1 for a placeable card."""
        cards = self._cards(self.mine(place))
        last = sum(bool(self.picture.bit(card) & self.picture.last) for card in cards)
        soon = sum(bool(self.picture.bit(card) & self.picture.placeable) for card in cards)
        return (2 * last + soon) / max(1, len(cards))

    def _cards(self, bits: int) -> list[Card]:
        return [card for card in self.picture.kinds if self.picture.bit(card) & bits]

    def hints(self) -> list[Hint]:
        """The hints to seats that still have a turn after which none of them plays a wrong card."""
        view, result = self.view, []
        for number in view.legal_actions.indices.tolist():
            action = all_actions(view.rules, view.players)[number]
            if not action.is_hint or (
                view.turns_left is not None and action.target >= view.turns_left
            ):
                continue
            after = self.picture.after_hint(
                Event(view.viewer, action, touched=view.touched(action))
            )
            seat = (view.viewer + action.target) % view.players
            worth = self._worth(seat, after)
            if worth is not None:
                result.append(Hint(worth, action, seat, after))
        return result

    def is_true(self, hint: Hint) -> bool:
        """True if every card of the receiver is among its possible identities after the hint."""
        return all(
            card is not None and self.picture.bit(card) & slot.possible
            for card, slot in zip(
                self.view.hands[hint.seat], hint.after.hands[hint.seat], strict=True
            )
        )

    def _worth(self, seat: int, after: Picture) -> int | None:
        """The value of a hint; None if its receiver would play a wrong card."""
        before, worth, elsewhere, shown = self.picture, 0, self._promised(seat), 0
        is_idle = not any(map(before.is_known_placeable, before.hands[seat]))
        for card, old, new in zip(
            self.view.hands[seat], before.hands[seat], after.hands[seat], strict=True
        ):
            assert card is not None
            bit = before.bit(card)
            if after.is_known_placeable(new):
                if not bit & before.placeable or bit & (shown | elsewhere):
                    if not before.is_known_placeable(old):
                        return None
                elif not before.is_known_placeable(old):
                    worth += SHOWS_PLAY - NUMBER_LATER * card.number
                shown |= bit
            elif new.touched and not after.useful(new) & ~before.expected:
                is_news = before.useful(old) & ~before.expected or not old.touched
                if is_news and bit & before.expected & ~(shown | elsewhere):
                    worth += SHOWS_NEXT
            worth += 0 if new.possible & bit else MISLEADS
            if new.touched and not old.touched:
                is_waste = bit & (before.useless | elsewhere)
                worth += TOUCHES_WASTE if is_waste else TOUCHES_GOOD
                worth += TOUCHES_LAST if bit & before.last else 0
            worth += BITS_EXCLUDED * (old.possible.bit_count() - new.possible.bit_count())
        return worth + IDLE if is_idle and worth >= SHOWS_NEXT else worth

    def _promised(self, seat: int) -> int:
        """Cards that hints have touched elsewhere: in other hands, and own ones that are known."""
        cards = self._touched_elsewhere(seat)
        for place, slot in enumerate(self.picture.hands[self.view.viewer]):
            possible = self.mine(place)
            if slot.touched and possible.bit_count() == 1:
                cards |= possible
        return cards

    def _touched_elsewhere(self, but: int | None = None) -> int:
        """Cards that hints have touched in the others' hands, but not in that of one seat."""
        cards = 0
        for seat, hand in enumerate(self.view.hands):
            for card, slot in zip(hand, self.picture.hands[seat], strict=True):
                if card is not None and slot.touched and seat != but:
                    cards |= self.picture.bit(card)
        return cards

    def _warning(self, hints: list[Hint]) -> Action | None:
        """A hint that keeps the next player from discarding a last copy, at least this one."""
        found: list[tuple[int, Action]] = []
        for worth, action, seat, after in hints:
            chop = self.picture.chop(seat)
            assert chop is not None
            if not self._is_in_danger(seat, after):
                found.append((worth, action))
            elif chop in self.view.touched(action):
                found.append((worth + STILL_IN_DANGER, action))
        return max(found, key=lambda item: item[0])[1] if found else None

    def _correction(self, hints: list[Hint]) -> Action | None:
        """A hint that keeps the next player from a wrong play."""
        found = [hint for hint in hints if not self._would_err(hint.seat, hint.after)]
        return max(found, key=lambda hint: hint.worth).action if found else None

    def _would_err(self, seat: int, picture: Picture) -> bool:
        """True if that player believes that it can place a card that it cannot place."""
        hand, first, wrong = self.view.hands[seat], 1 + self.view.rules.ranks, False
        seen = sum({self.picture.bit(card) for card in hand if card is not None})
        unseen = self.unseen_bits | seen
        for card, slot in zip(hand, picture.hands[seat], strict=True):
            assert card is not None
            possible = slot.possible & unseen
            if self.view.lives > 1:
                possible = possible or slot.hinted & unseen
                useful = possible & ~picture.useless
                possible = useful if slot.touched and useful else possible
            if possible and not possible & ~picture.placeable:
                lowest = min(card.number for card in self._cards(possible))
                if lowest < first:
                    first, wrong = lowest, not picture.bit(card) & picture.placeable
        return wrong

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
