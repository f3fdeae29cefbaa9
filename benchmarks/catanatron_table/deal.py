"""All cards of a table as one seat may believe them to lie.

What the seat does not know is drawn: other hands beyond what is proven of them, others' development
cards, and the order of the deck.
"""

from random import Random
from typing import NamedTuple

from catan_env import DevelopmentCard, Resource, SeatView
from catan_env.core.constants import CARDS_PER_RESOURCE, DECK


class Deal(NamedTuple):
    """Cards by seat, and the deck."""

    hands: list[list[int]]
    """By seat and Resource."""
    cards: list[list[int]]
    """Development cards that have not been played, by seat and DevelopmentCard."""
    deck: list[int]
    """DevelopmentCards; the last one is bought next."""


def deal(view: SeatView, chance: Random) -> Deal:
    """A table on which nothing contradicts the view."""
    unseen, deck = unseen_resources(view), unseen_cards(view)
    chance.shuffle(unseen)
    chance.shuffle(deck)
    hands, cards = [], []
    for seat in range(view.seats):
        hand = proven_hand(view, seat)
        while sum(hand) < view.hand_size(seat):
            hand[unseen.pop()] += 1
        hands.append(hand)
        own = list(view.cards(seat)) if seat == view.viewer else [0] * len(DevelopmentCard)
        for _ in range(view.card_count(seat) - sum(own)):
            own[deck.pop()] += 1
        cards.append(own)
    return Deal(hands, cards, deck)


def proven_hand(view: SeatView, seat: int) -> list[int]:
    """What a seat holds for certain, by Resource."""
    return list(view.hand(seat) if seat == view.viewer else view.known(seat))


def unseen_resources(view: SeatView) -> list[int]:
    """Resource cards in others' hands whose kind, but not whose holder, is known."""
    proven = [proven_hand(view, seat) for seat in range(view.seats)]
    return [
        resource
        for resource in Resource
        for _ in range(CARDS_PER_RESOURCE - view.bank[resource] - sum(h[resource] for h in proven))
    ]


def unseen_cards(view: SeatView) -> list[int]:
    """Development cards that lie in the deck or in others' hands."""
    own = view.cards(view.viewer)
    played = [(*view.played(seat), 0) for seat in range(view.seats)]
    left = [
        DECK[kind] - own[kind] - sum(of_seat[kind] for of_seat in played)
        for kind in DevelopmentCard
    ]
    return [int(kind) for kind in DevelopmentCard for _ in range(left[kind])]
