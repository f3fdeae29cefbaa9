"""Cards: a colour and a number, and the contents of the box (H001)."""

from enum import IntEnum
from typing import NamedTuple

from catan_env.kernel.shown import shown


class Colour(IntEnum):
    """The colours' letters, in the order of actions and observations."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    WHITE = 3
    BLUE = 4
    MULTI = 5
    """The sixth suit of the variants with multicolour cards."""


LETTERS = "RYGWBM"


class Card(NamedTuple):
    """One card.

    >>> str(Card(Colour.GREEN, 3)), Card.from_text("G3").number
    ('G3', 3)
    """

    colour: int
    """A Colour."""
    number: int
    """1 to 5."""

    @classmethod
    def from_text(cls, text: str) -> "Card":
        """The card that `str` writes as `text`; ValueError if there is no such card."""
        if len(text) != 2 or text[0] not in LETTERS or text[1] not in "12345":
            raise ValueError(f"no card {shown(text)}; allowed are a letter of {LETTERS} and 1..5")
        return cls(LETTERS.index(text[0]), int(text[1]))

    def __str__(self) -> str:
        return f"{LETTERS[self.colour]}{self.number}"


def copies(number: int, ranks: int = 5) -> int:
    """The number of copies per colour: three of 1, one of the highest, two of the rest (H001)."""
    if number == 1:
        return 3
    return 1 if number == ranks else 2
