"""The observation: the canonical encoder of the Hanabi Learning Environment, bit for bit.

A vector of 0 and 1, int8, in the sections listed by `sections`: the other seats' hands, the
board, the discards, the last action, and the hints received by every card. Cards are numbered
`ranks * colour + number - 1`, seats from the viewer to the left.

Each section is computed as one Python integer whose lowest bit comes first in the vector.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate

import numpy as np

from catan_env.guests.hanabi.action import ActionKind
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.position import HanabiPosition, Vector
from catan_env.guests.hanabi.rules import Rules

KIND_PLACE = {
    ActionKind.PLAY: 0,
    ActionKind.DISCARD: 1,
    ActionKind.HINT_COLOUR: 2,
    ActionKind.HINT_NUMBER: 3,
}
"""The order of kinds in the last action's section; the action numbers have another."""


@cache
def sections(rules: Rules, players: int) -> dict[str, slice]:
    """The slice of each section.

    >>> {name: s.stop - s.start for name, s in sections(Rules(), 2).items()}
    {'hands': 127, 'board': 76, 'discards': 50, 'last_action': 55, 'knowledge': 350}
    """
    hand, kinds, box = rules.cards_in_hand(players), len(rules.kinds), len(rules.box)
    sizes = {
        "hands": (players - 1) * hand * kinds + players,
        "board": box - players * hand + kinds + rules.max_information_tokens
        + rules.max_life_tokens,
        "discards": box,
        "last_action": 2 * players + 4 + rules.suits + rules.ranks + 2 * hand + kinds + 2,
        "knowledge": players * hand * (kinds + rules.suits + rules.ranks),
    }  # fmt: skip
    ends = list(accumulate(sizes.values()))
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def observation_size(rules: Rules, players: int) -> int:
    """The length of the vector.

    >>> [observation_size(Rules(), players) for players in (2, 3, 4, 5)]
    [658, 956, 1041, 1280]
    """
    return sections(rules, players)["knowledge"].stop


def encode(position: HanabiPosition, viewer: int) -> Vector:
    """The viewer's observation of the game: a fresh array."""
    rules, players = position.rules, position.players
    parts = (
        hands_bits(position, viewer),
        board_bits(position),
        discards_bits(position),
        last_action_bits(position, viewer, position.events[-1]) if position.events else 0,
        knowledge_bits(position, viewer),
    )
    bits = 0
    for part, place in zip(parts, sections(rules, players).values(), strict=True):
        bits |= part << place.start
    size = observation_size(rules, players)
    data = np.frombuffer(bits.to_bytes(-(-size // 8), "little"), np.uint8)
    return np.unpackbits(data, count=size, bitorder="little").view(np.int8)


def card_index(rules: Rules, card: Card) -> int:
    """The card's number in one-hot fields."""
    return card.colour * rules.ranks + card.number - 1


def unary(count: int) -> int:
    """A number with `count` ones."""
    return (1 << count) - 1


def hands_bits(position: HanabiPosition, viewer: int) -> int:
    """The other seats' cards, one-hot, oldest first; then the seats that lack a card."""
    rules, players = position.rules, position.players
    hand, kinds = rules.cards_in_hand(players), len(rules.kinds)
    bits = 0
    for step in range(1, players):
        for place, card in enumerate(position.hands[(viewer + step) % players]):
            assert card is not None, "another seat's card is always known"
            bits |= 1 << ((step - 1) * hand + place) * kinds + card_index(rules, card)
    for step in range(players):
        if position.hand_size((viewer + step) % players) < hand:
            bits |= 1 << (players - 1) * hand * kinds + step
    return bits


def board_bits(position: HanabiPosition) -> int:
    """Deck, tops, tokens and lives."""
    rules = position.rules
    tops = len(rules.box) - position.players * rules.cards_in_hand(position.players)
    tokens = tops + len(rules.kinds)
    lives = tokens + rules.max_information_tokens
    bits = (
        unary(position.deck_size)
        | unary(position.tokens) << tokens
        | unary(position.lives) << lives
    )
    for colour, top in enumerate(position.tops):
        if top:
            bits |= 1 << tops + card_index(rules, Card(colour, top))
    return bits


@cache
def discard_starts(rules: Rules) -> dict[Card, int]:
    """The first bit of each kind's unary count of discards."""
    starts = accumulate((rules.copies(card) for card in rules.kinds), initial=0)
    return dict(zip(rules.kinds, starts, strict=False))


def discards_bits(position: HanabiPosition) -> int:
    """The number of discards of each card, unary."""
    bits, starts = 0, discard_starts(position.rules)
    for card, count in Counter(position.discards).items():
        bits |= unary(count) << starts[card]
    return bits


def last_action_bits(position: HanabiPosition, viewer: int, last: Event) -> int:
    """The last action: its seat, kind, target and outcome."""
    rules, players, action = position.rules, position.players, last.action
    hand, kinds = rules.cards_in_hand(players), len(rules.kinds)
    target = players + 4
    colour = target + players
    number = colour + rules.suits
    touched = number + rules.ranks
    place = touched + hand
    card = place + hand
    bits = 1 << (last.seat - viewer) % players | 1 << players + KIND_PLACE[action.kind]
    if action.is_hint:
        is_number = action.kind == ActionKind.HINT_NUMBER
        bits |= 1 << target + (last.seat + action.target - viewer) % players
        bits |= 1 << (number + action.value - 1 if is_number else colour + action.value)
        return bits | sum(1 << touched + i for i in last.touched)
    assert last.card is not None, "a card that was played or discarded is public"
    bits |= 1 << place + action.value | 1 << card + card_index(rules, last.card)
    return bits | last.is_placed << card + kinds | last.gained_token << card + kinds + 1


def knowledge_bits(position: HanabiPosition, viewer: int) -> int:
    """The knowledge of every card of every seat."""
    rules, players = position.rules, position.players
    hand, width = rules.cards_in_hand(players), len(rules.kinds) + rules.suits + rules.ranks
    bits, known_bits = 0, bits_of_knowledge(rules)
    for step in range(players):
        for place, known in enumerate(position.knowledge[(viewer + step) % players]):
            bits |= known_bits(known) << (step * hand + place) * width
    return bits


@cache
def bits_of_knowledge(rules: Rules) -> Callable[[Knowledge], int]:
    """`known_bits` for one table's rules, with a cache."""
    return cache(partial(known_bits, rules))


def known_bits(rules: Rules, known: Knowledge) -> int:
    """Of one card: the identities left by hints, and the colours and numbers hinted."""
    kinds = len(rules.kinds)
    possible = sum(1 << card_index(rules, card) for card in rules.kinds if known.allows(card))
    return possible | known.named_colours << kinds | known.named_number << kinds + rules.suits
