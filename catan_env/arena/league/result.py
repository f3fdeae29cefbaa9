"""The outcome of one meeting, handed over by a worker and stored in a ledger."""

import json
from copy import copy
from dataclasses import dataclass, field
from time import time
from typing import Any, NamedTuple

from catan_env.arena.league.engine import this_engine
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.outcome import Outcome
from catan_env.core.constants import SEATS
from catan_env.game.game import Game
from catan_env.net.room import Removal


class Clock(NamedTuple):
    """An entrant's use of time in one game."""

    asked: int = 0
    """Decisions that were timed."""
    spent: float = 0.0
    """Seconds, in total."""
    slowest: float = 0.0
    late: int = 0
    """The number of its time-outs."""


COLUMNS = [
    [f"{name}_{seat}" for name in ("entrant", "points", *Clock._fields)] for seat in range(SEATS)
]
"""The columns of a ledger that have a value by seat, as a list for each seat."""


@dataclass(frozen=True, kw_only=True)
class Result(Outcome):
    """The outcome of a meeting, numbered as in the ledger; entrants are ids."""

    meeting: Meeting
    played: str
    """"process", or the protocol: "binary", "german"."""
    moves: bytes = field(repr=False)
    clocks: tuple[Clock, ...] = ()
    ended: float = field(default_factory=time)
    engine: str = field(default_factory=this_engine)
    """The engine that played it: `engine.this_engine` there; '' if unknown."""

    @classmethod
    def of(cls, meeting: Meeting, outcome: Outcome, moves: bytes, played: str) -> "Result":
        """The result of a contest whose entrants are the line-up's places."""
        return cls(
            meeting=meeting,
            played=played,
            seed=outcome.seed,
            seats=tuple(meeting.line_up[place] for place in outcome.seats),
            winner=outcome.winner,
            points=outcome.points,
            turns=outcome.turns,
            decisions=outcome.decisions,
            state=outcome.state,
            moves=moves,
            clocks=tuple(_clock(outcome, seat) for seat in range(len(outcome.seats))),
            removals=outcome.removals,
            secret=outcome.secret,
        )

    def begun(self, settings: MatchSettings) -> Game:
        """The game before its first decision, with the chance that it had."""
        secret = None if self.secret is None else bytes.fromhex(self.secret)
        return settings.new_game(self.meeting, secret)

    @property
    def kicked(self) -> int:
        """The seats that were kicked, as bits."""
        return sum({1 << removal.seat for removal in self.removals})

    def has_failed(self, entrant: int) -> bool:
        """True if an entrant was kicked, or its time ran out and it never decided anything."""
        if not self.removals and not any(clock.late for clock in self.clocks):
            return False
        seat = self.seats.index(entrant)
        clock = self.clocks[seat] if self.clocks else Clock()
        return bool(self.kicked >> seat & 1) or (clock.late > 0 and clock.asked == 0)

    def row(self) -> dict[str, Any]:
        """The form in the ledger, without its moves."""
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
            "kicks": json.dumps(self.removals) if self.removals else None,
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
        """The values of a row in a ledger."""
        column = row._mapping
        seats = tuple(e for s in range(SEATS) if (e := column[f"entrant_{s}"]) is not None)
        clocks = tuple(
            Clock(*(column[f"{name}_{seat}"] for name in Clock._fields))
            for seat in range(len(seats))
        )
        return cls(
            meeting=Meeting(tuple(sorted(seats)), row.meeting),
            played=row.played,
            seed=int(row.seed),
            seats=seats,
            winner=row.winner,
            points=tuple(column[f"points_{seat}"] for seat in range(len(seats))),
            turns=row.turns,
            decisions=row.decisions,
            state=row.state,
            moves=moves,
            clocks=clocks,
            removals=tuple(Removal(*removal) for removal in json.loads(row.kicks or "[]")),
            ended=row.ended,
            engine=row.engine,
            secret=row.secret,
            number=row.number,
        )

    def to_json(self) -> dict[str, Any]:
        """The form in an export: seconds as milliseconds."""
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
            "kicks": [removal._asdict() for removal in self.removals],
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


def _clock(outcome: Outcome, seat: int) -> Clock:
    times = outcome.decision_times[seat] if outcome.decision_times else ()
    late = outcome.timeouts[seat] if outcome.timeouts else 0
    return Clock(len(times), sum(times), max(times, default=0.0), late)
