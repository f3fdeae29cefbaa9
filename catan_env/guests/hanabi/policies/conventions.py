"""A convention table's reading of the public events: possible identities as bits.

Everything here follows from public information, so all players have the same picture:

- A hint that touches the card which its owner would discard next, by a number of which a last
  copy is left, is a warning: the card is such a last copy (or can be placed).
- Any other hint means that the newest card which it touches for the first time can be placed now,
  or after cards that all players know; if all touched cards were touched before, the newest that
  is not known to be placeable.
- Touched cards are useful: none of them is placed already or can never be placed.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from catan_env.guests.hanabi.action import ActionKind
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.observation import card_index
from catan_env.guests.hanabi.rules import Rules


@cache
def bits_of(rules: Rules) -> dict[Card, int]:
    """Each card as a bit."""
    return {card: 1 << card_index(rules, card) for card in rules.kinds}


@cache
def cards_named(rules: Rules, kind: ActionKind, value: int) -> int:
    """The cards that a hint touches, as bits."""
    is_number = kind == ActionKind.HINT_NUMBER
    return sum(
        bit
        for card, bit in bits_of(rules).items()
        if (card.number == value if is_number else rules.touches(value, card))
    )


@lru_cache(1 << 12)
def prospects(rules: Rules, tops: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, int, int]:
    """The cards that can be placed now, never, or are the last of their kind, as bits.

    `tops` are by colour, `gone` is the number of discards of each card.
    """
    placeable = useless = last = 0
    for colour, top in enumerate(tops):
        is_open = True
        for number in range(1, rules.ranks + 1):
            card = Card(colour, number)
            bit, left = bits_of(rules)[card], rules.copies(card) - gone[card_index(rules, card)]
            if number <= top or not is_open or left == 0:
                useless |= bit
                is_open = is_open and number <= top
                continue
            placeable |= bit if number == top + 1 else 0
            last |= bit if left == 1 else 0
    return placeable, useless, last


class Slot:
    """A card in a hand: its possible identities, and True if a hint has touched it."""

    __slots__ = ("hinted", "possible", "touched")

    def __init__(self, possible: int) -> None:
        self.possible = self.hinted = possible
        """Identities left by hints and conventions; `hinted`: those left by hints alone."""
        self.touched = False

    def copy(self) -> "Slot":
        """A copy."""
        slot = Slot(self.possible)
        slot.hinted, slot.touched = self.hinted, self.touched
        return slot

    def narrow(self, cards: int) -> None:
        """Keep only these identities, if any of them is possible."""
        if self.possible & cards:
            self.possible &= cards


class Picture:
    """The public side of a game by the conventions, followed event by event."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.kinds, self.bits = rules.kinds, bits_of(rules)
        self.every = (1 << len(self.kinds)) - 1
        size = rules.cards_in_hand(players)
        self.hands = [[Slot(self.every) for _ in range(size)] for _ in range(players)]
        self.tops = [0] * rules.suits
        self.gone = [0] * len(self.kinds)
        self._recount()
        self.expected = self.placeable
        """Cards that can be placed now, or after others that all players know."""

    def bit(self, card: Card) -> int:
        """The card as a bit."""
        return self.bits[card]

    def chop(self, seat: int) -> int | None:
        """The place of the card that a seat would discard next."""
        hand = self.hands[seat]
        for place, slot in enumerate(hand):
            if not slot.possible & ~self.useless:
                return place
        return next((place for place, slot in enumerate(hand) if not slot.touched), None)

    def follow(self, event: Event) -> None:
        """Apply an event to the picture."""
        if event.action.is_hint:
            self.hint(event)
        else:
            self._use_card(event)
        self.expected = self._all_expected()

    def _use_card(self, event: Event) -> None:
        """Apply a play or a discard."""
        hand = self.hands[event.seat]
        del hand[event.action.value]
        if event.has_drawn:
            hand.append(Slot(self.every))
        assert event.card is not None
        if event.is_placed:
            self.tops[event.card.colour] = event.card.number
        else:
            self.gone[card_index(self.rules, event.card)] += 1
        self._recount()

    def hint(self, event: Event) -> None:
        """Apply a hint: the identities that it excludes, and its meaning by convention."""
        seat = (event.seat + event.action.target) % self.players
        hand, touched = self.hands[seat], event.touched
        chop, focus = self.chop(seat), self._focus(seat, touched)
        cards = cards_named(self.rules, event.action.kind, event.action.value)
        for place, slot in enumerate(hand):
            known = cards if place in touched else self.every & ~cards
            slot.hinted &= known
            slot.possible = slot.possible & known or slot.hinted
        is_number = event.action.kind == ActionKind.HINT_NUMBER
        is_warning = is_number and chop in touched and bool(self.last & cards)
        for place in touched:
            slot = hand[place]
            if is_warning and place == chop:
                slot.narrow(self.last | self.placeable)
            elif not is_warning and place == focus:
                slot.narrow(self.expected)
            slot.narrow(self.every & ~self.useless)
            slot.touched = True

    def is_known_placeable(self, slot: Slot) -> bool:
        """True if the card is known to all players to be placeable."""
        return not self.useful(slot) & ~self.placeable

    def useful(self, slot: Slot) -> int:
        """The possible identities of a card, without the useless ones if a hint has touched it."""
        useful = slot.possible & ~self.useless
        return useful if slot.touched and useful else slot.possible

    def after(self, cards: int) -> int:
        """The next number of each of these cards."""
        return sum(bit << 1 for card, bit in self.bits.items()
                   if bit & cards and card.number < self.rules.ranks)  # fmt: skip

    def after_hint(self, event: Event) -> "Picture":
        """Another picture, after a hint; it shares unchanged parts with this one."""
        other = Picture.__new__(Picture)
        other.__dict__.update(self.__dict__)
        seat = (event.seat + event.action.target) % self.players
        other.hands = self.hands.copy()
        other.hands[seat] = [slot.copy() for slot in self.hands[seat]]
        other.hint(event)
        return other

    def _focus(self, seat: int, touched: Sequence[int]) -> int | None:
        """The place of the card that a hint is about."""
        hand = self.hands[seat]
        fresh = [place for place in touched if not hand[place].touched]
        if fresh:
            return max(fresh)
        open_ = [place for place in touched if not self.is_known_placeable(hand[place])]
        return max(open_, default=None)

    def _all_expected(self) -> int:
        """The cards that can be placed now, or after others whose identity all players know."""
        known = {
            useful
            for hand in self.hands
            for slot in hand
            if slot.touched and (useful := self.useful(slot)).bit_count() == 1
        }
        expected, before = self.placeable, 0
        while expected != before:
            before = expected
            expected |= self.after(sum(card for card in known if card & before)) & ~self.useless
        return expected

    def _recount(self) -> None:
        """Recompute the cards that can be placed now, never, or are the last of their kind."""
        self.placeable, self.useless, self.last = prospects(
            self.rules, tuple(self.tops), tuple(self.gone)
        )
