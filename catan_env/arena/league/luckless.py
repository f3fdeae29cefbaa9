"""The outcomes of a league without the luck in its games, for ratings with narrower intervals."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from catan_env.arena.fair import without_luck
from catan_env.arena.league.result import Result
from catan_env.arena.schedule import board_number
from catan_env.game.event import Event
from catan_env.game.game import Game

Array = np.ndarray[Any, Any]
Cell = tuple[int, ...]
"""Entrants by seat."""
MeasureLuck = Callable[[Game, Sequence[Event]], Array]
"""The luck of each seat, (seats,), in a game of these events: `policy.load_luck()`."""


@dataclass
class Luckless:
    """Sums over games without their luck, by seating."""

    seats: int
    games: int = 0
    results: dict[Cell, Array] = field(default_factory=dict)
    """The sums of the results of each seat, (seats,) float64: its wins less its luck."""
    squares: dict[Cell, Array] = field(default_factory=dict)
    """The sums of their products, (seats, seats) float64."""

    def add(self, cell: Cell, result: Array) -> None:
        """Add a game's result, by seat."""
        zeros = np.zeros(self.seats), np.zeros((self.seats, self.seats))
        self.games += 1
        self.results[cell] = self.results.get(cell, zeros[0]) + result
        self.squares[cell] = self.squares.get(cell, zeros[1]) + np.outer(result, result)

    def arrays(self, place: Mapping[int, int]) -> tuple[Array, Array, Array]:
        """The seatings, (m, seats) int64 by `place`, their results, and the products of those."""
        line_ups = [[place[entrant] for entrant in cell] for cell in self.results]
        m, k = len(line_ups), self.seats
        return (
            np.array(line_ups, np.int64).reshape(m, k),
            np.array(list(self.results.values())).reshape(m, k),
            np.array(list(self.squares.values())).reshape(m, k, k),
        )


def luckless(seats: int, results: Sequence[Result], luck: Array) -> Luckless:
    """The sums over results, given the luck of their seats: (n, seats)."""
    met: dict[Cell, list[int]] = defaultdict(list)
    for k, result in enumerate(results):
        met[result.meeting.line_up].append(k)
    sums = Luckless(seats)
    for line_up, numbers in met.items():
        here = [results[k] for k in numbers]
        seat_of = np.array([[r.seats.index(entrant) for entrant in line_up] for r in here])
        winners = np.array([-1 if r.winner is None else r.winner for r in here])
        won = (seat_of == winners[:, None]).astype(float)
        lucks = np.take_along_axis(luck[numbers], seat_of, axis=1)
        boards = board_number(np.array([r.meeting.number for r in here]), seats)
        fair = without_luck(won, lucks, boards)
        for result, order, by_place in zip(here, seat_of, fair, strict=True):
            by_seat = np.empty(seats)
            by_seat[order] = by_place
            sums.add(result.seats, by_seat)
    return sums
