"""All cards of a game, consistent with one seat's view.

The seat's hidden information is drawn at random: other hands beyond their proven cards, other
seats' development cards, and the order of the deck.
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
    """Unplayed development cards, by seat and DevelopmentCard."""
    deck: list[int]
    """DevelopmentCards; the last one is drawn next."""


def deal(view: SeatView, chance: Random) -> Deal:
    """A random deal that is consistent with the view."""
    unseen, deck = unseen_resources(view), unseen_cards(view)
    chance.shuffle(unseen)
    chance.shuffle(deck)
    hands, cards = [], []
    for seat in range(view.seats):
        hand = proven_hand(view, seat)
        while sum(hand) < view.hand_size(seat):
            hand[_drawn(unseen, view, chance)] += 1
        hands.append(hand)
        own = list(view.cards(seat)) if seat == view.viewer else [0] * len(DevelopmentCard)
        for _ in range(view.card_count(seat) - sum(own)):
            own[deck.pop()] += 1
        cards.append(own)
    return Deal(hands, cards, deck)


def proven_hand(view: SeatView, seat: int) -> list[int]:
    """The cards that a seat certainly holds, by Resource."""
    return list(view.hand(seat) if seat == view.viewer else view.known(seat))


def _drawn(unseen: list[int], view: SeatView, chance: Random) -> int:
    """An unseen card, taken out; of any kind if an endless bank has dealt more than the box has."""
    if view.rules.endless_bank and not unseen:
        return chance.choice(list(Resource))
    return unseen.pop()


def unseen_resources(view: SeatView) -> list[int]:
    """Resource cards in other hands whose kind is known, but not their holder."""
    proven = [proven_hand(view, seat) for seat in range(view.seats)]
    return [
        resource
        for resource in Resource
        for _ in range(CARDS_PER_RESOURCE - view.bank[resource] - sum(h[resource] for h in proven))
    ]


def unseen_cards(view: SeatView) -> list[int]:
    """Development cards in the deck or in other hands."""
    own = view.cards(view.viewer)
    played = [(*view.played(seat), 0) for seat in range(view.seats)]
    left = [
        DECK[kind] - own[kind] - sum(of_seat[kind] for of_seat in played)
        for kind in DevelopmentCard
    ]
    return [int(kind) for kind in DevelopmentCard for _ in range(left[kind])]
