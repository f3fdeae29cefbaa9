"""A league of a million outcomes: the time for standings and pages, and their size.

    python -m benchmarks.league_scale [--games 1000000] [--seats 2] [--entrants 12]

The outcomes are random, with winners in proportion to known strengths, and are written as a league
writes them, but without stored games.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.arena.league.engine import this_engine
from catan_env.arena.league.league import League
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.schema import OUTCOMES, sql
from catan_env.web.league import Site

AT_ONCE = 50_000


def outcomes(games: int, seats: int, entrants: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Rows of the ledger's table."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 0.7, entrants)
    for start in range(0, games, AT_ONCE):
        n = min(AT_ONCE, games - start)
        sitting = rng.permuted(np.tile(np.arange(entrants), (n, 1)), axis=1)[:, :seats]
        odds = np.exp(truth[sitting])
        drawn = rng.random(n)[:, None] * odds.sum(axis=1, keepdims=True)
        winners = (odds.cumsum(axis=1) < drawn).sum(axis=1)
        points = rng.integers(2, 10, (n, 4))
        points[np.arange(n), winners] = 10
        for k in range(n):
            yield row(start + k, sitting[k].tolist(), int(winners[k]), points[k].tolist())


def row(k: int, sitting: list[int], winner: int, points: list[int]) -> dict[str, Any]:
    """One outcome; every line-up's number is the game's, so that none occurs twice."""
    made: dict[str, Any] = {
        "number": k + 1, "line_up": " ".join(map(str, sorted(sitting))), "meeting": k,
        "played": "process", "seed": "1", "winner": winner, "turns": 70, "decisions": 200,
        "state": "0" * 64, "ended": float(k), "engine": this_engine(), "kicked": 0, "kicks": None,
    }  # fmt: skip
    for seat in range(4):
        sits = seat < len(sitting)
        made[f"entrant_{seat}"] = sitting[seat] + 1 if sits else None
        made[f"points_{seat}"] = points[seat] if sits else None
        for name, value in (("late", 0), ("asked", 50), ("spent", 0.01), ("slowest", 0.001)):
            made[f"{name}_{seat}"] = value if sits else None
    return made


def write(place: str, games: int, seats: int, entrants: int) -> Ledger:
    """A ledger with that many outcomes."""
    ledger = Ledger(place)
    settings = {"seats": seats, "rules": "base", "board": "spiral", "seed": 0, "max_turns": 1000}
    ledger.create(settings)
    for k in range(entrants):
        ledger.add(f"entrant {k}", "random")
    columns = [column.name for column in OUTCOMES.c]
    marks = ", ".join("?" * len(columns))
    statement = f"insert into outcomes ({', '.join(columns)}) values ({marks})"
    engine = sql.create_engine(f"sqlite:///{place}/league.db")
    with engine.begin() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        rows = (tuple(made[c] for c in columns) for made in outcomes(games, seats, entrants))
        raw.executemany(statement, rows)
    return ledger


def timed(name: str, do: Any) -> Any:
    """The result of `do`; its time is printed."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = do()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name}: {cpu:.2f} s of processor time, {wall:.2f} s; most memory so far {most} MiB")
    return found


def main() -> None:
    """Write the league, then time its pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--entrants", type=int, default=12)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        sizes = (chosen.games, chosen.seats, chosen.entrants)
        ledger = timed("written", lambda: write(place, *sizes))
        size = Path(place, "league.db").stat().st_size
        print(f"{chosen.games} outcomes, {chosen.seats} seats: {size >> 20} MiB without records")
        league = League(ledger)
        if chosen.seats > 2:
            timed("openskill, for the first time", lambda: league.skills(keep=True))
        timed("standings", league.standings)
        site = timed("the page's server begins", lambda: Site(ledger))
        timed("page", lambda: site["/"])
        site._looked_at = 0.0
        timed("page, looked at again", lambda: site["/"])


if __name__ == "__main__":
    main()
