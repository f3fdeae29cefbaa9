"""The outcome of one game of a contest."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from statistics import median
from typing import Any

from catan_env.adapters.contest import SeatOutcome
from catan_env.game.game import Game
from catan_env.net.room import Removal


@dataclass(frozen=True, kw_only=True)
class Outcome(SeatOutcome):
    """The outcome of one game of Catan, by seat."""

    number: int = 0
    """Counted from 1; 0 before the game has a number."""
    seed: int
    turns: int
    """Turns that were played: as many as the limit if the game was cut off there."""
    decisions: int
    state: str
    """The SHA-256 of the last position's `Game.state_bytes`, which its record leads to as well."""
    removals: tuple[Removal, ...] = ()
    timeouts: tuple[int, ...] = ()
    """By seat: the number of time-outs; empty without a clock."""
    decision_times: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    """By seat: seconds from question to answer; empty if not measured."""
    secret: str | None = field(default=None, repr=False)
    """The secret that chance was drawn from, in hexadecimal; None if it was the seed."""

    @property
    def was_played(self) -> bool:
        """True if any seat made a decision; false if all agents but one failed at the start."""
        return any(self.decision_times)

    def to_json(self) -> dict[str, Any]:
        """The form in the file of --json: by entrant, with times in milliseconds."""
        given = asdict(self)
        removals = given.pop("removals")
        return {
            "game": given.pop("number"),
            **given,
            "winner": self.winning_entrant,
            "points": self.by_entrant(self.points),
            "kicks": [{"agent": self.seats[one.seat], **one._asdict()} for one in removals],
            "timeouts": self.by_entrant(self.timeouts) if self.timeouts else (),
            "decision_times": [in_milliseconds(times) for times in self.times_by_entrant],
        }

    @property
    def times_by_entrant(self) -> tuple[tuple[float, ...], ...]:
        """`decision_times` in the order of the entrants."""
        return self.by_entrant(self.decision_times) if self.decision_times else ()


def outcome_of(
    game: Game, k: int, seats: tuple[int, ...], decisions: int, max_turns: int = 0
) -> Outcome:
    """The outcome of game number k, counted from 0, at its current position.

    `max_turns` is the limit of turns, 0 for none.
    """
    return Outcome(
        number=k + 1,
        seed=game.seed,
        seats=seats,
        winner=game.winner,
        points=tuple(map(game.points, range(game.seats))),
        turns=min(game.turn, max_turns or game.turn),
        decisions=decisions,
        state=sha256(game.state_bytes()).hexdigest(),
        secret=None if game.secret is None else game.secret.hex(),
    )


def in_milliseconds(times: Sequence[float]) -> dict[str, Any]:
    """Seconds as milliseconds, to the microsecond: count, median, longest, and each of them."""
    every = [round(1000 * seconds, 3) for seconds in times]
    return {
        "count": len(every),
        "median": round(median(every), 3) if every else 0.0,
        "longest": max(every, default=0.0),
        "all": every,
    }
