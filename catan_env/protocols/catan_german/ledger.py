"""Kosten and Ertrag: which of them an event explains, and which wait for one that does."""

from collections.abc import Iterable
from typing import NamedTuple

from catan_env.core.constants import Resource
from catan_env.game.action import Counts
from catan_env.protocols.catan_german.messages import Cards
from catan_env.protocols.catan_german.words import number_of, to_counts


class Move(NamedTuple):
    """Cards that a seat is said to get (`sign` 1) or to give (-1)."""

    seat: int
    sign: int
    counts: Counts
    total: int
    """Of unknown kinds, too."""

    @property
    def only_kind(self) -> Resource | None:
        """The kind of all the cards; None where they are of several, or unknown."""
        kinds = [kind for kind in Resource if self.counts[kind]]
        is_one = len(kinds) == 1 and self.counts[kinds[0]] == self.total
        return kinds[0] if is_one else None


def move_of(seat: int, sign: int, cards: Cards) -> Move:
    """What a Kosten or an Ertrag says."""
    return Move(seat, sign, to_counts(cards), number_of(cards))


class Ledger:
    """`due` are movements that the last event explains and nobody has announced; `open` are
    movements announced before anything explained them.

    >>> ledger = Ledger()
    >>> ledger.expect([(2, 1, 3)])
    >>> ledger.explains(Move(2, 1, (0, 3, 0, 0, 0), 3)), ledger.explains(Move(2, 1, (0,) * 5, 3))
    (True, False)
    """

    def __init__(self) -> None:
        self.due: list[tuple[int, int, int]] = []
        self.open: list[Move] = []

    def expect(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """An event moves cards: (seat, sign, how many) each; some may be announced already."""
        self.due = list(moves)
        for move in list(self.open):
            if self.explains(move):
                self.open.remove(move)

    def explains(self, move: Move) -> bool:
        """Whether the last event explains the movement; it does so once."""
        wanted = (move.seat, move.sign, move.total)
        if wanted in self.due:
            self.due.remove(wanted)
            return True
        return False

    def take(self, seat: int, sign: int) -> Move | None:
        """The first open movement of a seat in this direction; it is open no more."""
        for move in self.open:
            if (move.seat, move.sign) == (seat, sign):
                self.open.remove(move)
                return move
        return None

    def clear(self) -> None:
        """A turn is over: what was not explained never will be."""
        self.due.clear()
        self.open.clear()
