"""A pool of entrants: every two of them meet, and are rated by all games."""

from collections.abc import Sequence
from itertools import combinations

from catan_env.arena.rating import elo, pairwise_wins
from catan_env.training.evaluate.bout import Measured


def pool_tables(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every two of the pool at a table, in turns round it; ValueError if it has no two."""
    if len(names) < 2 or len(set(names)) < len(names):
        given = ", ".join(names) or "none"
        raise ValueError(f"a pool needs two or more different names, not {given}")
    return [tuple((a, b)[k % 2] for k in range(seats)) for a, b in combinations(names, 2)]


def ratings(tables: Sequence[Measured]) -> dict[str, float]:
    """Elo of all who played, the best first."""
    pool = sorted({name for table in tables for name in table["names"]})
    wins = pairwise_wins(pool, [(t["names"], t["raw"]["winners"]) for t in tables])
    rated = dict(zip(pool, elo(wins), strict=True))
    return dict(sorted(rated.items(), key=lambda item: -item[1]))
