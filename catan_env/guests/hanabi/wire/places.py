"""Cards on the wire: the ids of 2015, and the words for colours and numbers."""

from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.wire.messages import COLOURS, NUMBERS

SUITS = ("BLUE", "GREEN", "RED", "WHITE", "YELLOW")
"""The words for suits, in the order of the ids."""
RUN = (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)
IDS = range(1, 51)


def card_of(number: int) -> Card:
    """The card with an id of 2015, 1-50.

    >>> str(card_of(1)), str(card_of(17)), str(card_of(50))
    ('B1', 'G3', 'Y5')
    """
    suit, place = divmod(number - 1, len(RUN))
    return Card(COLOURS.index(SUITS[suit]), RUN[place])


def colour_word(card: Card) -> str:
    """The wire's word for the colour."""
    return COLOURS[card.colour]


def number_word(card: Card) -> str:
    """The wire's word for the number."""
    return NUMBERS[card.number - 1]
