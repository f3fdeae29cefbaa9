"""Card counting: the possible identities of a seat's own cards, with probabilities."""

from collections import Counter

from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.position import HanabiPosition
from catan_env.guests.hanabi.view import SeatView


def unseen(view: SeatView) -> Counter[Card]:
    """The cards that the viewer does not see: in its own hand or in the deck."""
    left = Counter(view.rules.box)
    left.subtract(view.discards)
    left.subtract(card for hand in view.hands for card in hand if card is not None)
    for colour, top in enumerate(view.tops):
        left.subtract(Card(colour, number) for number in range(1, top + 1))
    return left


def candidates(known: Knowledge, left: Counter[Card]) -> dict[Card, int]:
    """The possible identities of the viewer's card, each with its number of unseen copies."""
    return {card: count for card, count in left.items() if count > 0 and known.allows(card)}


def chance(cards: dict[Card, int], wanted: set[Card]) -> float:
    """The probability that the card is one of those wanted."""
    total = sum(cards.values())
    return sum(count for card, count in cards.items() if card in wanted) / total if total else 0.0


def placeable(position: HanabiPosition) -> set[Card]:
    """The next card of each colour."""
    return {
        Card(colour, top + 1)
        for colour, top in enumerate(position.tops)
        if top < position.rules.ranks
    }


def useless(position: HanabiPosition) -> set[Card]:
    """Cards that can never be placed any more: placed already, or a lower one is all gone."""
    gone = Counter(position.discards)
    dead: set[Card] = set()
    for colour, top in enumerate(position.tops):
        is_open = True
        for number in range(1, position.rules.ranks + 1):
            card = Card(colour, number)
            if number <= top or not is_open:
                dead.add(card)
            elif gone[card] == position.rules.copies(card):
                is_open = False
                dead.add(card)
    return dead
