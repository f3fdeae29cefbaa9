"""The sums over the outcomes of a league.

Nothing here is more than a sum over outcomes; `Tally.of` lets the database add them up, `add` takes
them as they arrive.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.result import Clock, Result
from catan_env.arena.league.schema import OUTCOMES, sql

Array = np.ndarray[Any, Any]
Cell = tuple[int, ...]
"""Entrants by seat."""


@dataclass
class Sums:
    """The sums of one entrant's games."""

    games: int = 0
    wins: int = 0
    points: int = 0
    kicked: int = 0
    late: int = 0
    asked: int = 0
    spent: float = 0.0
    slowest: float = 0.0

    @property
    def has_faults(self) -> bool:
        """True if it was ever kicked, or late."""
        return self.kicked > 0 or self.late > 0

    def add_clock(self, clock: Clock) -> None:
        """Add the times of one more game."""
        self.late += clock.late
        self.asked += clock.asked
        self.spent += clock.spent
        self.slowest = max(self.slowest, clock.slowest)

    def add(self, other: "Sums") -> None:
        """Add more games."""
        self.games += other.games
        self.wins += other.wins
        self.points += other.points
        self.kicked += other.kicked
        self.late += other.late
        self.asked += other.asked
        self.spent += other.spent
        self.slowest = max(self.slowest, other.slowest)


@dataclass
class Tally:
    """Games counted by seating and winner, and sums by entrant."""

    seats: int
    upto: int = 0
    """The last game that is included."""
    games: int = 0
    undecided: int = 0
    turns: int = 0
    decisions: int = 0
    cells: dict[Cell, Array] = field(default_factory=dict)
    """The number of wins of each seat, (seats,) float64, by seating."""
    sums: defaultdict[int, Sums] = field(default_factory=lambda: defaultdict(Sums))

    @classmethod
    def of(cls, ledger: Ledger, after: int = 0, upto: int | None = None) -> "Tally":
        """The tally of a whole ledger, or of the games of those numbers."""
        tally = cls(ledger.settings["seats"], after)
        for row in ledger.rows(_sums_by_line_up(tally.seats, after, upto)):
            tally._add_row(row._mapping)
        return tally

    def add(self, results: Iterable[Result]) -> None:
        """Add games that were stored."""
        for result in results:
            self._count(result.seats, result.winner, 1, result.turns, result.decisions)
            self.upto = max(self.upto, result.number)
            kicked = result.kicked
            for seat, entrant in enumerate(result.seats):
                sums = self.sums[entrant]
                sums.games += 1
                sums.wins += result.winner == seat
                sums.points += result.points[seat]
                sums.kicked += kicked >> seat & 1
                if result.clocks:
                    sums.add_clock(result.clocks[seat])

    def _count(
        self, cell: Cell, winner: int | None, games: int, turns: int, decisions: int
    ) -> None:
        self.games += games
        self.turns += turns
        self.decisions += decisions
        wins = self.cells.setdefault(cell, np.zeros(self.seats))
        if winner is None:
            self.undecided += games
        else:
            wins[winner] += games

    def _add_row(self, row: Mapping[str, Any]) -> None:
        cell = tuple(row[f"entrant_{seat}"] for seat in range(self.seats))
        games, winner = row["games"], row["winner"]
        self._count(cell, winner, games, row["turns"], row["decisions"])
        self.upto = max(self.upto, row["upto"])
        for seat, entrant in enumerate(cell):
            self.sums[entrant].add(
                Sums(
                    games,
                    games if winner == seat else 0,
                    int(row[f"points_{seat}"]),
                    int(row[f"kicked_{seat}"]),
                    int(row[f"late_{seat}"]),
                    int(row[f"asked_{seat}"]),
                    float(row[f"spent_{seat}"]),
                    float(row[f"slowest_{seat}"]),
                )
            )

    def merge(self, other: "Tally") -> None:
        """Add the games of another tally, which come after these."""
        self.upto = max(self.upto, other.upto)
        for name in ("games", "undecided", "turns", "decisions"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for cell, wins in other.cells.items():
            self.cells[cell] = self.cells.get(cell, 0) + wins
        for entrant, sums in other.sums.items():
            self.sums[entrant].add(sums)

    def arrays(self, place: Mapping[int, int]) -> tuple[Array, Array]:
        """The seatings, (m, seats) int64 by `place`, and the number of wins of each seat there."""
        line_ups = [[place[entrant] for entrant in cell] for cell in self.cells]
        wins = list(self.cells.values())
        shape = (len(wins), self.seats)
        return np.array(line_ups, np.int64).reshape(shape), np.array(wins).reshape(shape)

    def wins_by_seat(self) -> Array:
        """The number of wins of each seat: (seats,)."""
        return np.sum([np.zeros(self.seats), *self.cells.values()], axis=0)

    def met(self) -> dict[tuple[int, int], tuple[int, int]]:
        """By two entrants: decided games that both played, and the number that the first won."""
        found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for cell, wins in self.cells.items():
            games = int(wins.sum())
            for seat, a in enumerate(cell):
                for b in cell:
                    if a != b:
                        found[a, b][0] += games
                        found[a, b][1] += int(wins[seat])
        return {pair: (games, won) for pair, (games, won) in found.items()}


def _sums_by_line_up(seats: int, after: int, upto: int | None) -> Any:
    """One row for all games with the same seating and the same winner."""
    c = OUTCOMES.c
    groups = [*(c[f"entrant_{seat}"] for seat in range(seats)), c.winner]
    columns = [
        sql.func.count().label("games"),
        sql.func.max(c.number).label("upto"),
        *(sql.func.sum(c[name]).label(name) for name in ("turns", "decisions")),
    ]
    for seat in range(seats):
        is_kicked = sql.case((c.kicked.op("&")(1 << seat) != 0, 1), else_=0)
        columns.append(sql.func.sum(is_kicked).label(f"kicked_{seat}"))
        columns.append(sql.func.max(c[f"slowest_{seat}"]).label(f"slowest_{seat}"))
        for name in ("points", "late", "asked", "spent"):
            columns.append(sql.func.sum(c[f"{name}_{seat}"]).label(f"{name}_{seat}"))
    wanted = sql.select(*groups, *columns).where(c.number > after).group_by(*groups)
    return wanted if upto is None else wanted.where(c.number <= upto)
