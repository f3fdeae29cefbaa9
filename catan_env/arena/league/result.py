"""What came of one meeting, as a worker hands it over and a ledger keeps it."""

import json
from copy import copy
from dataclasses import dataclass, field
from time import time
from typing import Any, NamedTuple

from catan_env.arena.league.engine import this_engine
from catan_env.arena.league.meeting import Meeting, Table
from catan_env.arena.outcome import Outcome
from catan_env.core.constants import SEATS
from catan_env.game.game import Game


class Clock(NamedTuple):
    """How an entrant spent its time in one game."""

    asked: int = 0
    """Decisions that were timed."""
    spent: float = 0.0
    """Seconds, of all of them."""
    slowest: float = 0.0
    late: int = 0
    """How often its time ran out."""


COLUMNS = [
    [f"{name}_{seat}" for name in ("entrant", "points", *Clock._fields)] for seat in range(SEATS)
]
"""What stands in a ledger by seat."""


class Removal(NamedTuple):
    """Who was kicked in which turn, and why."""

    seat: int
    turn: int
    reason: str


@dataclass(frozen=True)
class Result:
    """One game; everything by seat."""

    meeting: Meeting
    played: str
    """"process", or the protocol: "binary", "german"."""
    seed: int
    seats: tuple[int, ...]
    """Entrants by id."""
    winner: int | None
    """The seat."""
    points: tuple[int, ...]
    turns: int
    decisions: int
    state: str
    moves: bytes = field(repr=False)
    clocks: tuple[Clock, ...] = ()
    kicks: tuple[Removal, ...] = ()
    ended: float = field(default_factory=time)
    engine: str = field(default_factory=this_engine)
    """What played it: `engine.this_engine` there; '' where nobody wrote it down."""
    secret: str | None = field(default=None, repr=False)
    """What chance was drawn from, in hexadecimal; None where that was the seed."""
    number: int = 0
    """In the ledger, counted from 1; 0 before it is kept."""

    @classmethod
    def of(cls, meeting: Meeting, outcome: Outcome, moves: bytes, played: str) -> "Result":
        """What came of a contest whose entrants are the line-up's places."""
        winner = None if outcome.winner is None else outcome.seats.index(outcome.winner)
        return cls(
            meeting,
            played,
            outcome.seed,
            tuple(meeting.line_up[place] for place in outcome.seats),
            winner,
            tuple(outcome.points[place] for place in outcome.seats),
            outcome.turns,
            outcome.decisions,
            outcome.state,
            moves,
            tuple(_clock(outcome, place) for place in outcome.seats),
            tuple(Removal(kick.seat, kick.turn, kick.reason) for kick in outcome.kicks),
            secret=outcome.secret,
        )

    def begun(self, table: Table) -> Game:
        """The game before its first decision, with the chance that it had."""
        secret = None if self.secret is None else bytes.fromhex(self.secret)
        return table.new_game(self.meeting, secret)

    @property
    def kicked(self) -> int:
        """The seats that were kicked, as bits."""
        return sum({1 << kick.seat for kick in self.kicks}) if self.kicks else 0

    def has_failed(self, entrant: int) -> bool:
        """Whether an entrant was kicked, or its time ran out and it never decided anything."""
        if not self.kicks and not any(clock.late for clock in self.clocks):
            return False
        seat = self.seats.index(entrant)
        clock = self.clocks[seat] if self.clocks else Clock()
        return bool(self.kicked >> seat & 1) or (clock.late > 0 and clock.asked == 0)

    def row(self) -> dict[str, Any]:
        """As it stands in the ledger, without its moves."""
        row: dict[str, Any] = {
            "line_up": self.meeting.key,
            "meeting": self.meeting.number,
            "played": self.played,
            "seed": str(self.seed),
            "secret": self.secret,
            "winner": self.winner,
            "turns": self.turns,
            "decisions": self.decisions,
            "state": self.state,
            "ended": self.ended,
            "engine": self.engine,
            "kicked": self.kicked,
            "kicks": json.dumps(self.kicks) if self.kicks else None,
        }
        clocks = self.clocks or (Clock(),) * len(self.seats)
        columns = zip(COLUMNS, self.seats, self.points, clocks, strict=False)
        for names, entrant, points, clock in columns:
            row.update(zip(names, (entrant, points, *clock), strict=True))
        for names in COLUMNS[len(self.seats) :]:
            row.update(dict.fromkeys(names))
        return row

    def numbered(self, number: int) -> "Result":
        """The same with its number in the ledger."""
        made = copy(self)
        object.__setattr__(made, "number", number)
        return made

    @classmethod
    def from_row(cls, row: Any, moves: bytes = b"") -> "Result":
        """What stands in a ledger."""
        column = row._mapping
        seats = tuple(e for s in range(SEATS) if (e := column[f"entrant_{s}"]) is not None)
        clocks = tuple(
            Clock(*(column[f"{name}_{seat}"] for name in Clock._fields))
            for seat in range(len(seats))
        )
        return cls(
            Meeting(tuple(sorted(seats)), row.meeting),
            row.played,
            int(row.seed),
            seats,
            row.winner,
            tuple(column[f"points_{seat}"] for seat in range(len(seats))),
            row.turns,
            row.decisions,
            row.state,
            moves,
            clocks,
            tuple(Removal(*kick) for kick in json.loads(row.kicks or "[]")),
            row.ended,
            row.engine,
            row.secret,
            row.number,
        )

    def to_json(self) -> dict[str, Any]:
        """As an export has it: seconds as milliseconds."""
        return {
            "game": self.number,
            "line_up": self.meeting.line_up,
            "meeting": self.meeting.number,
            "played": self.played,
            "seed": self.seed,
            "secret": self.secret,
            "seats": self.seats,
            "winner": self.winner,
            "points": self.points,
            "turns": self.turns,
            "decisions": self.decisions,
            "state": self.state,
            "ended": round(self.ended, 3),
            "engine": self.engine,
            "kicks": [kick._asdict() for kick in self.kicks],
            "clocks": [
                {
                    "asked": clock.asked,
                    "spent": round(1000 * clock.spent, 3),
                    "slowest": round(1000 * clock.slowest, 3),
                    "late": clock.late,
                }
                for clock in self.clocks
            ],
        }


def _clock(outcome: Outcome, place: int) -> Clock:
    times = outcome.decision_times[place] if outcome.decision_times else ()
    late = outcome.timeouts[place] if outcome.timeouts else 0
    return Clock(len(times), sum(times), max(times, default=0.0), late)
