"""What came of one game of a contest."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from statistics import median
from typing import Any

from catan_env.game.game import Game


@dataclass(frozen=True)
class Kick:
    """An agent that was removed."""

    agent: int
    seat: int
    turn: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What came of game number `game`, counted from 1; entrants are numbers in their order."""

    game: int
    seed: int
    seats: tuple[int, ...]
    """The entrant of each seat."""
    winner: int | None
    """The entrant that won; None where the game was cut off."""
    points: tuple[int, ...]
    """By entrant, hidden cards counted."""
    turns: int
    decisions: int
    state: str
    """The last position, as the SHA-256 of `Game.state_bytes`: its record leads to the same."""
    kicks: tuple[Kick, ...] = ()
    timeouts: tuple[int, ...] = ()
    """By entrant: how often its time ran out; empty where nobody has a clock."""
    decision_times: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    """By entrant: seconds from what was asked to what was answered; empty where not measured."""
    secret: str | None = field(default=None, repr=False)
    """What chance was drawn from, in hexadecimal; None where that was the seed."""

    @property
    def was_played(self) -> bool:
        """Whether anybody decided anything; not where all agents but one failed at the start."""
        return any(self.decision_times)

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file that --json names: times are in milliseconds there."""
        times = [in_milliseconds(times) for times in self.decision_times]
        return {**asdict(self), "decision_times": times}


def outcome_of(game: Game, k: int, seats: tuple[int, ...], decisions: int) -> Outcome:
    """What came of game number k, counted from 0, as it stands."""
    order = [seats.index(entrant) for entrant in range(len(seats))]
    return Outcome(
        game=k + 1,
        seed=game.seed,
        seats=seats,
        winner=None if game.winner is None else seats[game.winner],
        points=tuple(game.points(seat) for seat in order),
        turns=game.turn,
        decisions=decisions,
        state=sha256(game.state_bytes()).hexdigest(),
        secret=None if game.secret is None else game.secret.hex(),
    )


def in_milliseconds(times: Sequence[float]) -> dict[str, Any]:
    """Seconds as milliseconds, to the microsecond: count, median, longest, and all of them."""
    every = [round(1000 * seconds, 3) for seconds in times]
    return {
        "count": len(every),
        "median": round(median(every), 3) if every else 0.0,
        "longest": max(every, default=0.0),
        "all": every,
    }
