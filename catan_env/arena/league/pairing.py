"""The next line-up: three schedules that use the same data about past games.

`round robin` lets all pairs meet equally often, and all line-ups. `swiss` has rounds: every entrant
plays once, with others of similar score, and meets an opponent again only if the round cannot be
paired otherwise. `ladder` takes the line-up whose next game is most informative about the ranking:
the odds are near even, and the ratings uncertain.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp, log, pi, sqrt
from typing import Any

from catan_env.arena.league.standings import Standings
from catan_env.arena.league.tally import Tally

MOST_OTHERS = 11
"""Others whose line-ups with an entrant are examined: at tables of four there are 165."""
MOST_TRIED = 20_000
"""Tables that are tried for a round before its players may meet once more."""
LineUp = tuple[int, ...]


@dataclass(frozen=True)
class Field:
    """The entrants that may play, and the games so far: those in progress count as played."""

    entrants: Sequence[int]
    seats: int
    met: Mapping[LineUp, int]
    """Games of each line-up, sorted by id."""
    tally: Tally
    """The sums over the games that have ended."""
    rate: Callable[[], Standings]
    """Computes the ratings, which most schedules do not need."""
    barred: Collection[LineUp] = ()
    """Line-ups that are not played, sorted by id; every schedule needs one that is."""

    @cached_property
    def standings(self) -> Standings:
        """The ratings after those games."""
        return self.rate()

    @cached_property
    def won(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Games of two entrants that have a winner, and the number that the first won."""
        return self.tally.met()

    @cached_property
    def able(self) -> list[int]:
        """The entrants that have a line-up to play in."""
        held_up = {entrant for line_up in self.barred for entrant in line_up}
        return [e for e in self.entrants if e not in held_up or self._has_table(e)]

    def _has_table(self, entrant: int) -> bool:
        rest = [other for other in self.entrants if other != entrant]
        tables = combinations(rest, self.seats - 1)
        return any(not self.is_barred((entrant, *others)) for others in tables)

    def is_barred(self, table: Sequence[int]) -> bool:
        """True if the line-up of that table, in any order, is not played."""
        return tuple(sorted(table)) in self.barred

    def games(self) -> dict[int, int]:
        """The number of games of each entrant that has a line-up to play in."""
        count = dict.fromkeys(self.able, 0)
        for line_up, games in self.met.items():
            for entrant in line_up:
                if entrant in count:
                    count[entrant] += games
        return count

    def met_in_pairs(self) -> Counter[LineUp]:
        """Games of every two that sat at a table, the smaller id first."""
        pairs: Counter[LineUp] = Counter()
        for line_up, games in self.met.items():
            for pair in combinations(line_up, 2):
                pairs[pair] += games
        return pairs

    def met_together(self, a: int, b: int) -> int:
        """The number of games of two at the same table."""
        return sum(games for line_up, games in self.met.items() if a in line_up and b in line_up)

    def score(self, entrant: int) -> float:
        """Wins per game; an average seat's before the first."""
        sums = self.tally.sums[entrant]
        return (sums.wins + 1) / (sums.games + self.seats)


def round_robin(field: Field) -> LineUp:
    """A line-up of an entrant with the fewest games, with others that it has met least.

    Of those line-ups the one that has met least, in a tie the one whose pairs have.
    """
    games, met = field.games(), field.met_in_pairs()
    first = min(games, key=lambda e: games[e])
    rest = [e for e in games if e != first]
    near = sorted(rest, key=lambda e: (met[_pair(first, e)], games[e]))
    line_ups = _of(field, first, near[:MOST_OTHERS]) or _of(field, first, rest)

    def meetings(line_up: LineUp) -> tuple[int, int]:
        return field.met.get(line_up, 0), sum(met[pair] for pair in combinations(line_up, 2))

    return min(line_ups, key=meetings)


def _of(field: Field, first: int, others: Sequence[int]) -> list[LineUp]:
    """The line-ups of an entrant with these others that may be played."""
    tables = combinations(sorted(others), field.seats - 1)
    line_ups = (tuple(sorted((first, *table))) for table in tables)
    return [line_up for line_up in line_ups if not field.is_barred(line_up)]


def _pair(a: int, b: int) -> LineUp:
    return min(a, b), max(a, b)


def swiss(field: Field) -> LineUp:
    """The next table of a round without avoidable repeated meetings."""
    games = field.games()
    fewest = min(games.values())
    waiting = sorted((e for e in games if games[e] == fewest), key=lambda e: (-field.score(e), e))
    if len(waiting) < field.seats:
        return _completed(field, games, waiting)
    players = waiting[: len(waiting) - len(waiting) % field.seats]
    met = field.met_in_pairs()
    for most in sorted({0, *met.values()}):
        tables = _tables(players, field, met, most, iter(range(MOST_TRIED)))
        if tables is not None:
            return tuple(sorted(tables[0]))
    return _completed(field, games, waiting[:1])  # all divisions have a barred one


def _tables(
    players: Sequence[int], field: Field, met: Mapping[LineUp, int], most: int, tries: Iterator[int]
) -> list[LineUp] | None:
    """The players, best first, divided among tables whose pairs met at most `most` times."""
    if not players:
        return []
    first, *rest = players
    for others in combinations(rest, field.seats - 1):
        if next(tries, None) is None:
            return None
        table = (first, *others)
        pairs = (_pair(*pair) for pair in combinations(table, 2))
        if all(met.get(pair, 0) <= most for pair in pairs) and not field.is_barred(table):
            left = [player for player in rest if player not in others]
            later = _tables(left, field, met, most, tries)
            if later is not None:
                return [table, *later]
    return None


def _completed(field: Field, games: Mapping[int, int], waiting: Sequence[int]) -> LineUp:
    """The last table of a round, filled from the next: few games, few meetings, similar scores."""

    def nearness(line_up: Sequence[int], entrant: int) -> tuple[float, ...]:
        return _nearness(field, games, line_up, entrant)

    found = _filled(field, waiting, nearness) or _filled(field, waiting[:1], nearness)
    assert found is not None, "an entrant with games to play has a line-up"
    return found


def _filled(
    field: Field, line_up: Sequence[int], cost: Callable[[Sequence[int], int], Any]
) -> LineUp | None:
    """The line-up with further entrants, each the one of least cost; None if all are barred."""
    if len(line_up) == field.seats:
        return None if field.is_barred(line_up) else tuple(sorted(line_up))
    rest = (entrant for entrant in field.able if entrant not in line_up)
    nearest = sorted(rest, key=lambda entrant: cost(line_up, entrant))
    filled = (_filled(field, [*line_up, entrant], cost) for entrant in nearest)
    return next((found for found in filled if found is not None), None)


def _nearness(
    field: Field, games: Mapping[int, int], line_up: Sequence[int], entrant: int
) -> tuple[float, ...]:
    met = max(field.met_together(entrant, other) for other in line_up)
    distance = abs(field.score(entrant) - field.score(line_up[0]))
    return games[entrant], met, distance, entrant


def ladder(field: Field) -> LineUp:
    """The most informative pair, and the most informative further entrants."""

    def waste(line_up: Sequence[int], entrant: int) -> float:
        return -sum(_worth(field, entrant, other) for other in line_up)

    pairs = sorted(combinations(field.able, 2), key=lambda pair: -_worth(field, *pair))
    filled = (_filled(field, pair, waste) for pair in pairs)
    return next(found for found in filled if found is not None)


def _worth(field: Field, a: int, b: int) -> float:
    """The information that the next game of two gives about which is better.

    How open that question is (the entropy of its answer), times the part of their difference's
    variance that one more game removes, in addition to those in progress.
    """
    place, found = field.standings.place, field.standings.strengths
    if a not in place or b not in place:
        return 1e6 / (1 + field.met_together(a, b))
    variance = found.variance_between(place[a], place[b])
    difference = float(found.strength[place[a]] - found.strength[place[b]])
    chance = 1 / (1 + exp(-difference / sqrt(1 + pi * variance / 8)))
    played = field.won.get((a, b), (0, 0))[0]
    waiting = max(0, field.met_together(a, b) - played)
    gain = chance * (1 - chance) * variance
    return _entropy(found.chance_better(place[a], place[b])) * gain / (1 + (1 + waiting) * gain)


def _entropy(chance: float) -> float:
    """The entropy of a yes or no, in nats."""
    return -sum(p * log(p) for p in (chance, 1 - chance) if p > 0)


SCHEDULES: dict[str, Callable[[Field], LineUp]] = {
    "round-robin": round_robin,
    "swiss": swiss,
    "ladder": ladder,
}
