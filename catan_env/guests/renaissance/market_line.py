"""The goods of a market line."""

from typing import Any, NamedTuple

from catan_env.guests.renaissance.native.actions import LINE_AT, PLACE_AT, WHITE_AT
from catan_env.guests.renaissance.native.cards import (
    COLUMNS,
    GOOD,
    GOODS,
    KIND,
    ROWS,
    WHITE,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.state import ACTIVE, EMPTY


class Line(NamedTuple):
    """The goods of a market line before white marbles are converted."""

    counts: list[int]
    whites: int
    turns: list[int]
    """Goods of the active leaders that white marbles may be converted to."""

    @classmethod
    def of(cls, state: Any, seat: int, step: int) -> "Line | None":
        """The goods that the line of `step` gives `seat`; None if it is not a line."""
        if not LINE_AT <= step < WHITE_AT:
            return None
        line, grid = step - LINE_AT, state["market"][: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
        marbles = grid[line] if line < ROWS else grid[:, line - ROWS]
        turns = [
            int(state["leaders"][leader, GOOD])
            for leader, how in zip(state["leader"][seat], state["leader_state"][seat], strict=True)
            if leader != EMPTY and how == ACTIVE and state["leaders"][leader, KIND] == WHITE_MARBLE
        ]
        counts = [int((marbles == good).sum()) for good in range(GOODS)]
        return cls(counts, int((marbles == WHITE).sum()), turns)

    def goods(self, steps: list[int]) -> list[int]:
        """Goods drawn by kind, with white marbles converted as in the steps."""
        counts = self.counts[:]
        if len(self.turns) == 1:
            counts[self.turns[0]] += self.whites
        for step in steps:
            if WHITE_AT <= step < PLACE_AT:
                counts[self.turns[step - WHITE_AT]] += 1
        return counts


def drawn_by(state: Any, seat: int, steps: list[int]) -> list[int] | None:
    """Goods drawn by a market action of these small decisions; None for another action.

    `state` is the state before it.
    """
    line = Line.of(state, seat, steps[0])
    return None if line is None else line.goods(steps)
