"""This seat's cards by its Kosten and Erträge, for a server that shows its hand as empty."""

from collections.abc import Sequence

from catan_env.protocols.catan_german.ledger import Move


class Account:
    """Begins again from any hand with cards that the server shows.

    >>> account = Account()
    >>> account.move(Move(0, 1, (0, 2, 0, 0, 1), 3))
    >>> account.show((0, 0, 0, 0, 0))
    >>> account.hand
    (0, 2, 0, 0, 1)
    """

    def __init__(self) -> None:
        self.hand: tuple[int, ...] = (0,) * 5
        """By Resource."""

    def move(self, move: Move) -> None:
        """Count announced cards; those of unknown kinds are left out."""
        pairs = zip(self.hand, move.counts, strict=True)
        self.hand = tuple(max(0, n + move.sign * count) for n, count in pairs)

    def show(self, hand: Sequence[int]) -> None:
        """Take over a hand in a Statusupdate, unless it is empty."""
        if any(hand):
            self.hand = tuple(hand)
