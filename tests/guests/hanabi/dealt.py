"""The deck of a game on the wire, in the order of our own deal."""

from catan_env.guests.hanabi import Card
from catan_env.guests.hanabi.wire.places import card_of


def dealt_deck(order: list[int], players: int) -> list[Card]:
    """The cards of a server's order: seat by seat from the first mover, then as they are drawn.

    The first mover is the last to join, and cards are drawn from the deck's end.
    """
    hands, deck = deal(order, players)
    dealt = [hands[-1], *hands[:-1], deck[::-1]]
    return [card_of(number) for cards in dealt for number in cards]


def deal(order: list[int], players: int) -> tuple[list[list[int]], list[int]]:
    """Hands in the order of joining, and the remaining deck, which is drawn from its end.

    Each player takes cards from the front, and the first three return their last card to the
    deck's end when a fourth joins.
    """
    hands: list[list[int]] = []
    deck = list(order)
    for _ in range(players):
        hands.append(deal_one(hands, deck))
    return hands, deck


def deal_one(hands: list[list[int]], deck: list[int]) -> list[int]:
    """A new player's hand, removed from `deck`; a fourth makes the others return a card."""
    if len(hands) == 3:
        deck.extend(hand.pop() for hand in hands)
    size = 5 if len(hands) < 3 else 4
    hand = deck[:size]
    del deck[:size]
    return hand
