"""openskill's ratings of tables of three and four, outcome after outcome.

Plackett and Luce's model of the final order: the winner first, then by points, kicked seats
last. Each outcome changes the basis of the next, so their order counts; the result is stored
in the ledger, and the next computation resumes from there.
"""

from collections.abc import Iterable
from typing import Any

from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.result import Result
from catan_env.arena.league.schema import OUTCOMES, sql
from catan_env.core.constants import SEATS
from catan_env.extras import missing

try:
    from openskill.models import PlackettLuce
except ImportError as error:
    raise missing("ratings of tables of three and four", "league", error) from error

NAME = "openskill"
MODEL = PlackettLuce()
Skill = tuple[float, float]
"""Mean and standard deviation: 25 and 25/3 at the start."""


def skills(ledger: Ledger, keep: bool = False) -> dict[int, Skill]:
    """The skill of every entrant after all outcomes; `keep` stores it for the next time."""
    upto, known = ledger.derived(NAME)
    found = {int(entrant): tuple(skill) for entrant, skill in (known or {}).items()}
    last = rate(found, _rows(ledger, upto), upto)
    if keep and last > upto:
        ledger.keep_derived(NAME, last, found)
    return found


def rate(known: dict[int, Skill], rows: Iterable[Any], last: int = 0) -> int:
    """Add outcomes; returns the number of the last. Each is (number, entrants, ranks)."""
    for number, entrants, ranks in rows:
        teams = [[MODEL.create_rating(list(known.get(e, START)))] for e in entrants]
        for entrant, (rated,) in zip(entrants, MODEL.rate(teams, ranks=ranks), strict=True):
            known[entrant] = rated.mu, rated.sigma
        last = number
    return last


START: Skill = (MODEL.mu, MODEL.sigma)


def ranks_of(winner: int, points: tuple[int, ...], kicked: int) -> list[float]:
    """The place of each seat, the smallest the best.

    >>> ranks_of(1, (9, 10, 4, 7), kicked=0b1000)
    [-9.0, -100.0, -4.0, 100.0]
    """
    ranks = [100.0 if kicked >> seat & 1 else -float(p) for seat, p in enumerate(points)]
    ranks[winner] = -100.0
    return ranks


def _rows(ledger: Ledger, after: int) -> Iterable[tuple[int, list[int], list[float]]]:
    """The outcomes with a winner."""
    c, seats = OUTCOMES.c, ledger.settings["seats"]
    entrants = [c[f"entrant_{seat}"] for seat in range(SEATS)]
    points = [c[f"points_{seat}"] for seat in range(SEATS)]
    wanted = sql.select(c.number, c.winner, c.kicked, *entrants, *points)
    wanted = wanted.where(c.number > after, c.winner.is_not(None)).order_by(c.number)
    for row in ledger.rows(wanted):
        number, winner, kicked, *rest = row
        ranks = ranks_of(winner, tuple(rest[SEATS : SEATS + seats]), kicked)
        yield number, rest[:seats], ranks


def of_results(results: Iterable[Result]) -> dict[int, Skill]:
    """The skills that outcomes in their order lead to."""
    found: dict[int, Skill] = {}
    rows = (
        (result.number, list(result.seats), ranks_of(result.winner, result.points, result.kicked))
        for result in results
        if result.winner is not None
    )
    rate(found, rows)
    return found
