"""Kosten and Ertrag: those that an event explains, and those that wait for their event."""

from collections.abc import Iterable
from typing import NamedTuple

from catan_env.core.constants import Resource
from catan_env.game.action import Counts
from catan_env.protocols.catan_german.messages import Cards
from catan_env.protocols.catan_german.words import number_of, to_counts


class Move(NamedTuple):
    """Cards that a seat gets (`sign` 1) or gives (-1) according to an announcement."""

    seat: int
    sign: int
    counts: Counts
    total: int
    """Including unknown kinds."""

    @property
    def only_kind(self) -> Resource | None:
        """The kind of all the cards; None if they are of several kinds, or unknown."""
        kinds = [kind for kind in Resource if self.counts[kind]]
        is_one = len(kinds) == 1 and self.counts[kinds[0]] == self.total
        return kinds[0] if is_one else None


def move_of(seat: int, sign: int, cards: Cards) -> Move:
    """The movement in a Kosten or an Ertrag."""
    return Move(seat, sign, to_counts(cards), number_of(cards))


class Ledger:
    """`due` are movements of the last event that were not announced; `open` are
    movements announced without an event that explains them.

    >>> ledger = Ledger()
    >>> ledger.expect([(2, 1, 3)])
    >>> one, two = Move(2, 1, (0, 1, 0, 0, 0), 1), Move(2, 1, (0, 2, 0, 0, 0), 2)
    >>> ledger.explains(one), ledger.explains(two), ledger.explains(one)
    (True, True, False)
    """

    def __init__(self) -> None:
        self.due: list[tuple[int, int, int]] = []
        self.open: list[Move] = []

    def expect(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """An event moves cards: (seat, sign, count) each; some may have been announced already."""
        self.due = list(moves)
        in_full = [move for move in self.open if (move.seat, move.sign, move.total) in self.due]
        for move in in_full + [move for move in self.open if move not in in_full]:
            if self.explains(move):
                self.open.remove(move)

    def explains(self, move: Move) -> bool:
        """True if the last event explains the movement; it does so once, possibly in parts."""
        wanted = (move.seat, move.sign, move.total)
        if wanted in self.due:
            self.due.remove(wanted)
            return True
        due = next((n for s, sign, n in self.due if (s, sign) == wanted[:2]), 0)
        if due < move.total:
            return False
        self.due.remove((move.seat, move.sign, due))
        self.due.append((move.seat, move.sign, due - move.total))
        return True

    def falls_short(self, move: Move) -> int:
        """The number of the cards that the last event explains; it explains no more of them."""
        due = next((n for s, sign, n in self.due if (s, sign) == (move.seat, move.sign)), 0)
        if due:
            self.due.remove((move.seat, move.sign, due))
        return due

    def unpaid(self, seat: int) -> int:
        """Cards of the last event that were announced in part, and will not come."""
        due = sum(n for s, sign, n in self.due if (s, sign) == (seat, 1))
        self.due = [entry for entry in self.due if entry[:2] != (seat, 1)]
        return due

    def close_of(self, seat: int) -> list[Move]:
        """Remove and return the movements of a seat that nothing has explained."""
        unexplained = [move for move in self.open if move.seat == seat]
        self.open = [move for move in self.open if move.seat != seat]
        return unexplained

    def close(self) -> list[Move]:
        """Remove and return the movements that nothing has explained."""
        unexplained, self.open = self.open, []
        self.due.clear()
        return unexplained
