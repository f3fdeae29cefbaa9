"""The public side of hat guessing: one hint answers a question to every other player at once.

Everybody deduces from public events alone a set of possible identities for every card, so that all
players have the same picture. From it follow, without another word:

- a question to each player about its own hand, with at most n answers (`Deductions.answer`);
- n and the number that each possible hint stands for (`Deductions.value`).

The player who hints adds up the answers of all others, modulo n, and gives a hint that stands for
the sum. Each of the others subtracts the answers that it sees, and its own is left. A discard says
such a sum too, if its player has several cards that all know to be useless: which of them it is.

The idea is that of Cox, De Silva, DeOrsey, Kenter, Retter and Tobin, "How to make the perfect
fireworks display" (2015), with questions that follow from the position instead of a fixed table.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.observation import card_index
from catan_env.guests.hanabi.policies.conventions import bits_of, cards_named, prospects
from catan_env.guests.hanabi.rules import Rules

Hands = Sequence[Sequence[Card | None]]
Masks = tuple[int, ...]
"""The possible identities of each card of a hand, as bits."""
Counts = tuple[int, ...]
"""By kind of card: the copies neither placed nor discarded."""
Choose = Callable[["Question", int], int | None]
"""The branch of a question, from the question and the number of its first answer."""


class Table(NamedTuple):
    """The cards left, and those that can be placed now or never."""

    left: Counts
    placeable: int
    useless: int


class Question(NamedTuple):
    """A question about one card: which of these sets is it in?"""

    place: int
    sets: Masks
    answers: tuple[int, ...]
    """The number of answers left in each branch."""


class Deductions:
    """The deductions that all players make from the public events, followed one by one."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.bits = bits_of(rules)
        self.every = (1 << len(rules.kinds)) - 1
        self.hands = [[self.every] * rules.cards_in_hand(players) for _ in range(players)]
        self.tops = [0] * rules.suits
        self.gone = [0] * len(rules.kinds)
        self._recount()

    def useless_places(self, seat: int) -> list[int]:
        """The places of the cards of a hand that all know to be useless."""
        return [
            place for place, mask in enumerate(self.hands[seat]) if not mask & ~self.table.useless
        ]

    def others(self, seat: int) -> list[int]:
        """The other seats, to the left."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def classes(self, seat: int) -> int:
        """The number of values that a hint to this seat can always stand for: 3 or 4."""
        hand = self.hands[seat]
        for kind, most in (
            (ActionKind.HINT_NUMBER, self.rules.ranks),
            (ActionKind.HINT_COLOUR, self.rules.named_colours),
        ):
            first = kind == ActionKind.HINT_NUMBER
            for value in range(first, most + first):
                named = cards_named(self.rules, kind, value)
                if all(mask & named for mask in hand):
                    return 3
        return 4

    def size(self, hinter: int) -> int:
        """The number of values of a hint."""
        return sum(self.classes(seat) for seat in self.others(hinter))

    def key(self, seat: int) -> int:
        """The place of the card whose being touched makes the difference: the least known."""
        hand, dead = self.hands[seat], self.table.useless
        return max(
            range(len(hand)),
            key=lambda place: ((hand[place] & ~dead).bit_count(), -place),
        )

    def value(self, hinter: int, action: Action, touched: Sequence[int]) -> int:
        """The value that a hint stands for."""
        seats = self.others(hinter)
        before = sum(self.classes(seat) for seat in seats[: action.target - 1])
        seat = seats[action.target - 1]
        is_colour = action.kind == ActionKind.HINT_COLOUR
        if self.key(seat) in touched:
            return before + is_colour
        return before + 2 + (is_colour and self.classes(seat) == 4)

    def answer(self, seat: int, size: int, hand: Sequence[Card | None]) -> int:
        """The answer to the question for this seat, with at most `size` answers."""
        cards = [self.bits[card] for card in hand if card is not None]
        return self._walk(seat, size, lambda question, _: _branch_of(question, cards))[0]

    def total(self, hinter: int, size: int, hands: Hands) -> int:
        """The sum of the answers of all but the hinter."""
        return sum(self.answer(seat, size, hands[seat]) for seat in self.others(hinter)) % size

    def follow(self, event: Event, hands: Hands, viewer: int) -> None:
        """Apply an event; `hands` are those before it, as the seat `viewer` sees them."""
        said = self._said(event)
        if said is not None:
            answers = self._answers(event.seat, *said, hands, viewer)
            after = [(seat, self._after(seat, said[0], a)) for seat, a in answers.items()]
            for seat, masks in after:
                self.hands[seat] = list(masks)
        if event.action.is_hint:
            self._show(event)
        else:
            self._use(event)
        self._recount()

    def after_hint(self, hinter: int, action: Action, touched: Sequence[int]) -> list[int]:
        """The target's hand after what a hint itself shows."""
        seat = (hinter + action.target) % self.players
        cards = cards_named(self.rules, action.kind, action.value)
        return [
            mask & (cards if place in touched else ~cards)
            for place, mask in enumerate(self.hands[seat])
        ]

    def _said(self, event: Event) -> tuple[int, int] | None:
        """The number of values of what an event says, and its value; None if it says nothing."""
        if event.action.is_hint:
            size = self.size(event.seat)
            return size, self.value(event.seat, event.action, event.touched)
        if event.action.kind == ActionKind.DISCARD:
            places = self.useless_places(event.seat)
            if len(places) > 1 and event.action.value in places:
                return len(places), places.index(event.action.value)
        return None

    def _answers(
        self, hinter: int, size: int, value: int, hands: Hands, viewer: int
    ) -> dict[int, int]:
        """The answers of all but the hinter, by seat: those seen, and the viewer's own."""
        seen = [seat for seat in self.others(hinter) if seat != viewer]
        answers = {seat: self.answer(seat, size, hands[seat]) for seat in seen}
        if viewer != hinter:
            answers[viewer] = (value - sum(answers.values())) % size
        return answers

    def _after(self, seat: int, size: int, answer: int) -> Masks:
        """The hand of a seat after its answer."""
        return self._walk(seat, size, lambda asked, first: _branch_at(asked, answer - first))[1]

    def _walk(self, seat: int, size: int, choose: Choose) -> tuple[int, Masks]:
        """The answer at the end of the branches chosen, and the hand there."""
        hand, first = tuple(self.hands[seat]), 0
        while size > 1:
            question = question_of(self.table, hand, size)
            branch = None if question is None else choose(question, first)
            if question is None or branch is None:
                break
            first += sum(question.answers[:branch])
            size = question.answers[branch]
            place = question.place
            hand = (*hand[:place], hand[place] & question.sets[branch], *hand[place + 1 :])
        return first, hand

    def _show(self, event: Event) -> None:
        """Apply what a hint shows by the cards that it touches."""
        seat = (event.seat + event.action.target) % self.players
        shown = self.after_hint(event.seat, event.action, event.touched)
        cards = cards_named(self.rules, event.action.kind, event.action.value)
        self.hands[seat] = [
            mask or (cards if place in event.touched else self.every & ~cards)
            for place, mask in enumerate(shown)
        ]

    def _use(self, event: Event) -> None:
        """Apply a play or a discard."""
        hand, card = self.hands[event.seat], event.card
        assert card is not None
        del hand[event.action.value]
        if event.has_drawn:
            hand.append(self.every)
        if event.is_placed:
            self.tops[card.colour] = card.number
        else:
            self.gone[card_index(self.rules, card)] += 1

    def _recount(self) -> None:
        """Recompute the cards left, and take known cards from the others' possibilities."""
        placeable, useless, _ = prospects(self.rules, tuple(self.tops), tuple(self.gone))
        left = [self.rules.copies(card) for card in self.rules.kinds]
        for k, card in enumerate(self.rules.kinds):
            left[k] -= self.gone[k] + (card.number <= self.tops[card.colour])
        self.table = Table(tuple(left), placeable, useless)
        while self._exclude(left):
            pass

    def _exclude(self, left: Sequence[int]) -> bool:
        """Exclude cards of which all copies are known elsewhere; True if that changed anything."""
        known = [0] * len(left)
        for hand in self.hands:
            for mask in hand:
                if mask & (mask - 1) == 0 and mask:
                    known[mask.bit_length() - 1] += 1
        spent = sum(1 << k for k, n in enumerate(left) if n <= known[k])
        changed = False
        for hand in self.hands:
            for place, mask in enumerate(hand):
                if mask & (mask - 1) and mask & spent and mask & ~spent:
                    hand[place] = mask & ~spent
                    changed = True
        return changed


def _branch_of(question: Question, cards: Sequence[int]) -> int | None:
    """The branch of the hand that holds `cards`; None if it is in none of them."""
    card = cards[question.place]
    return next((k for k, mask in enumerate(question.sets) if mask & card), None)


def _branch_at(question: Question, answer: int) -> int | None:
    """The branch that contains an answer, counted from the question's first."""
    for branch, answers in enumerate(question.answers):
        if answer < answers:
            return branch
        answer -= answers
    return None


def bits_in(mask: int) -> Iterator[int]:
    """The places of the ones."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(1 << 16)
def weight(left: Counts, mask: int) -> int:
    """The number of cards left of these kinds."""
    return sum(left[k] for k in bits_in(mask))


@lru_cache(1 << 16)
def question_of(table: Table, hand: Masks, size: int) -> Question | None:
    """The next question about a hand with `size` answers left; None if nothing is worth asking."""
    if all(mask & ~table.placeable for mask in hand):
        question = _which_can_be_placed(table, hand, size)
        if question is not None:
            return question
    return _which_card(table, hand, size)


def _which_can_be_placed(table: Table, hand: Masks, size: int) -> Question | None:
    """Ask if the likeliest card can be placed."""
    best, place = 0.0, -1
    for k, mask in enumerate(hand):
        good = mask & table.placeable
        chance = weight(table.left, good) / max(1, weight(table.left, mask))
        if good and chance > best:
            best, place = chance, k
    if place < 0:
        return None
    good = hand[place] & table.placeable
    return _shared(table, place, (good, hand[place] & ~good), size)


def _which_card(table: Table, hand: Masks, size: int) -> Question | None:
    """Ask for the card of which most is unknown; useless ones count as one card."""
    best, place = 0, -1
    for k, mask in enumerate(hand):
        live = mask & ~table.useless
        if mask & (mask - 1) == 0 or not live:
            continue
        worth = live.bit_count() + bool(mask & table.useless)
        if worth > best:
            best, place = worth, k
    if place < 0:
        return None
    dead = hand[place] & table.useless
    sets = [dead] if dead else []
    sets += [1 << k for k in bits_in(hand[place] & ~table.useless)]
    if len(sets) < 2:
        return None
    return _shared(table, place, _joined(table, sets, size), size)


def _joined(table: Table, sets: list[int], size: int) -> Masks:
    """At most `size` sets, of weights as equal as possible."""
    groups = [0] * min(size, len(sets))
    weights = [0] * len(groups)
    for mask in sorted(sets, key=lambda mask: (-weight(table.left, mask), mask)):
        k = weights.index(min(weights))
        groups[k] |= mask
        weights[k] += weight(table.left, mask) + 1
    return tuple(groups)


def _shared(table: Table, place: int, sets: Masks, size: int) -> Question:
    """A question whose branches share the answers in proportion to their weights."""
    weights = [weight(table.left, mask) + 1 for mask in sets]
    spare, total = size - len(sets), sum(weights)
    answers = [1 + spare * w // total for w in weights]
    rest = sorted(range(len(sets)), key=lambda k: (-(spare * weights[k] % total), k))
    for k in rest[: size - sum(answers)]:
        answers[k] += 1
    return Question(place, sets, tuple(answers))
