"""The deck of a game on the wire, in the order of our own deal."""

from catan_env.guests.hanabi import Card
from catan_env.guests.hanabi.wire.places import card_of, deal


def dealt_deck(order: list[int], players: int) -> list[Card]:
    """The cards of a server's order: seat by seat from the first mover, then as they are drawn.

    The first mover is the last to join, and cards are drawn from the deck's end.
    """
    hands, deck = deal(order, players)
    dealt = [hands[-1], *hands[:-1], deck[::-1]]
    return [card_of(number) for cards in dealt for number in cards]
