"""The results table of every contest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

from catan_env.arena.outcome import Outcome

Z = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate (Wilson's score interval), in 0..1.

    >>> [round(bound, 3) for bound in wilson_interval(25, 100)]
    [0.175, 0.343]
    """
    if games == 0:
        return 0.0, 1.0
    rate, weight = wins / games, Z * Z / games
    middle = (rate + weight / 2) / (1 + weight)
    reach = Z * sqrt((rate * (1 - rate) + weight / 4) / games) / (1 + weight)
    return max(0.0, min(rate, middle - reach)), min(1.0, max(rate, middle + reach))


@dataclass(frozen=True)
class Row:
    """The figures of one entrant; a column that is None for all is omitted."""

    name: str
    games: int
    wins: int
    points: float
    """The mean of its games."""
    removals: int | None = None
    timeouts: int | None = None
    typical: float | None = None
    """Seconds of a decision."""
    slowest: float | None = None


def report(names: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    """Wins, win rates with their intervals and mean points, one line per entrant.

    Kicks, late turns and decision times have columns if they were measured.

    >>> result = {"winner": 0, "points": (10, 4), "turns": 60, "decisions": 300, "state": ""}
    >>> one = Outcome(number=1, seed=7, seats=(0, 1), **result)
    >>> print(report(["builder", "random"], [one]))
    entrant      wins  win rate  95 % interval  points
    1 builder       1   100.0 %   20.7 - 100.0    10.0
    2 random        0     0.0 %     0.0 - 79.3     4.0
    1 game, 0 without a winner; 60 turns and 300 decisions each
    """
    rows = [_row(f"{e + 1} {name}", e, outcomes) for e, name in enumerate(names)]
    played = len(outcomes) or 1
    turns = sum(outcome.turns for outcome in outcomes) / played
    decisions = sum(outcome.decisions for outcome in outcomes) / played
    games = f"{len(outcomes)} game{'s' if len(outcomes) != 1 else ''}"
    undecided = sum(outcome.winner is None for outcome in outcomes)
    length = f"{turns:.0f} turns and {decisions:.0f} decisions each"
    return f"{table(rows)}\n{games}, {undecided} without a winner; {length}"


def table(rows: Sequence[Row]) -> str:
    """A heading and one line per row."""
    columns = [(head, show) for head, show in COLUMNS if not any(show(row) is None for row in rows)]
    cells = [[head for head, _ in columns]]
    cells += [[show(row) or "" for _, show in columns] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    names = max(len("entrant"), *(len(row.name) for row in rows))
    lines = zip(["entrant", *(row.name for row in rows)], cells, strict=True)
    return "\n".join(
        "  ".join([f"{name:{names}}", *(f"{c:>{w}}" for c, w in zip(line, widths, strict=True))])
        for name, line in lines
    )


def _row(name: str, entrant: int, outcomes: Sequence[Outcome]) -> Row:
    times = [t for o in outcomes if o.decision_times for t in o.times_by_entrant[entrant]]
    has_clock, is_timed = any(o.timeouts for o in outcomes), any(o.decision_times for o in outcomes)
    return Row(
        name=name,
        games=len(outcomes),
        wins=sum(outcome.winning_entrant == entrant for outcome in outcomes),
        points=sum(o.by_entrant(o.points)[entrant] for o in outcomes) / (len(outcomes) or 1),
        removals=sum(o.seats[r.seat] == entrant for o in outcomes for r in o.removals)
        if has_clock
        else None,
        timeouts=sum(o.by_entrant(o.timeouts)[entrant] for o in outcomes if o.timeouts)
        if has_clock
        else None,
        typical=median(times or [0.0]) if is_timed else None,
        slowest=max(times, default=0.0) if is_timed else None,
    )


def _interval(row: Row) -> str:
    low, high = wilson_interval(row.wins, row.games)
    return f"{100 * low:.1f} - {100 * high:.1f}"


def _number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _milliseconds(seconds: float | None) -> str | None:
    return None if seconds is None else f"{1000 * seconds:.3g}"


COLUMNS: list[tuple[str, Callable[[Row], str | None]]] = [
    ("  wins", lambda row: str(row.wins)),
    ("win rate", lambda row: f"{100 * row.wins / (row.games or 1):.1f} %"),
    ("95 % interval", _interval),
    ("points", lambda row: f"{row.points:.1f}"),
    ("kicked", lambda row: _number(row.removals)),
    ("late", lambda row: _number(row.timeouts)),
    ("ms typical", lambda row: _milliseconds(row.typical)),
    ("slowest", lambda row: _milliseconds(row.slowest)),
]
