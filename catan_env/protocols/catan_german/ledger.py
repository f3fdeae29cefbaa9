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
    >>> one, two = Move(2, 1, (0, 1, 0, 0, 0), 1), Move(2, 1, (0, 2, 0, 0, 0), 2)
    >>> ledger.explains(one), ledger.explains(two), ledger.explains(one)
    (True, True, False)
    """

    def __init__(self) -> None:
        self.due: list[tuple[int, int, int]] = []
        self.open: list[Move] = []

    def expect(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """An event moves cards: (seat, sign, how many) each; some may be announced already."""
        self.due = list(moves)
        in_full = [move for move in self.open if (move.seat, move.sign, move.total) in self.due]
        for move in in_full + [move for move in self.open if move not in in_full]:
            if self.explains(move):
                self.open.remove(move)

    def explains(self, move: Move) -> bool:
        """Whether the last event explains the movement; it does so once, if need be in parts."""
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
        """How many of the cards the last event explains; it explains no more of them."""
        due = next((n for s, sign, n in self.due if (s, sign) == (move.seat, move.sign)), 0)
        if due:
            self.due.remove((move.seat, move.sign, due))
        return due

    def unpaid(self, seat: int) -> int:
        """Cards of the last event that were announced in part, and come no more."""
        due = sum(n for s, sign, n in self.due if (s, sign) == (seat, 1))
        self.due = [entry for entry in self.due if entry[:2] != (seat, 1)]
        return due

    def close_of(self, seat: int) -> list[Move]:
        """The movements of a seat that nothing has explained; now nothing ever will."""
        unexplained = [move for move in self.open if move.seat == seat]
        self.open = [move for move in self.open if move.seat != seat]
        return unexplained

    def close(self) -> list[Move]:
        """The movements that nothing has explained; now nothing ever will."""
        unexplained, self.open = self.open, []
        self.due.clear()
        return unexplained
