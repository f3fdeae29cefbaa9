"""The knowledge that hints give of a card (H015, H016)."""

from typing import NamedTuple

from catan_env.guests.hanabi.cards import Card, Colour
from catan_env.guests.hanabi.rules import Rules


class Knowledge(NamedTuple):
    """The identities that hints leave for one card: sets as bits, by colour and by number - 1.

    >>> Knowledge.fresh(Rules()).after_number(3, is_touched=False).allows(Card(Colour.RED, 3))
    False
    """

    colours: int
    """Colours that no hint has excluded."""
    numbers: int
    """Numbers that no hint has excluded."""
    named_colours: int = 0
    """Colours that a hint touching the card has named; only a wild card can have two."""
    named_number: int = 0
    """The number that a hint touching the card has named, as a bit; 0 if none has."""

    @classmethod
    def fresh(cls, rules: Rules) -> "Knowledge":
        """The knowledge of a newly drawn card: nothing is excluded (H015)."""
        return cls((1 << rules.suits) - 1, (1 << rules.ranks) - 1)

    def after_colour(self, rules: Rules, colour: int, is_touched: bool) -> "Knowledge":
        """The knowledge after a hint of `colour` that touched the card, or did not (H011)."""
        touched = 1 << colour
        if rules.multicolour == "wild":
            touched |= 1 << Colour.MULTI
        if not is_touched:
            return self._replace(colours=self.colours & ~touched)
        named = self.named_colours | 1 << colour
        return self._replace(colours=self.colours & touched, named_colours=named)

    def after_number(self, number: int, is_touched: bool) -> "Knowledge":
        """The knowledge after a hint of `number` that touched the card, or did not (H011)."""
        touched = 1 << (number - 1)
        if not is_touched:
            return self._replace(numbers=self.numbers & ~touched)
        return self._replace(numbers=self.numbers & touched, named_number=touched)

    @property
    def is_hinted(self) -> bool:
        """True if a hint has touched the card."""
        return bool(self.named_colours or self.named_number)

    def allows(self, card: Card) -> bool:
        """True if the hints leave `card` possible."""
        return bool(self.colours >> card.colour & self.numbers >> (card.number - 1) & 1)
