"""Who meets next: three schedules over the same knowledge of what was played.

`round robin` lets those meet who have met least. `swiss` goes by rounds: everybody plays once with
others of the most like score whom it has met least. `ladder` takes the line-up whose next game says
most about who is better: the odds are near even, and the ratings uncertain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp, log, pi, sqrt

from catan_env.arena.league.standings import Standings
from catan_env.arena.league.tally import Tally

MOST_LOOKED_THROUGH = 8
"""Entrants whose line-ups are looked through; of more, those with the fewest games."""
LineUp = tuple[int, ...]


@dataclass(frozen=True)
class Field:
    """Who may play, and what is known: the games that are being played count as played."""

    entrants: Sequence[int]
    seats: int
    met: Mapping[LineUp, int]
    """Games of each line-up, sorted by id."""
    tally: Tally
    """Of games that have ended."""
    standings: Standings

    @cached_property
    def won(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Games of two that have a winner, and how many the first won."""
        return self.tally.met()

    def games(self) -> dict[int, int]:
        """How many games everybody has."""
        count = dict.fromkeys(self.entrants, 0)
        for line_up, games in self.met.items():
            for entrant in line_up:
                if entrant in count:
                    count[entrant] += games
        return count

    def met_together(self, a: int, b: int) -> int:
        """How many games two have at the same table."""
        return sum(games for line_up, games in self.met.items() if a in line_up and b in line_up)

    def score(self, entrant: int) -> float:
        """Wins a game; what an average seat wins before the first."""
        sums = self.tally.sums[entrant]
        return (sums.wins + 1) / (sums.games + self.seats)


def round_robin(field: Field) -> LineUp:
    """Those who have met least, the first added first."""
    games = field.games()
    few = sorted(sorted(games, key=lambda e: games[e])[:MOST_LOOKED_THROUGH])
    line_ups = combinations(few, field.seats)
    return min(line_ups, key=lambda line_up: field.met.get(line_up, 0))


def swiss(field: Field) -> LineUp:
    """The best of those who wait for their round, with the nearest by score and acquaintance."""
    games = field.games()
    first = min(field.entrants, key=lambda e: (games[e], -field.score(e), e))
    line_up = [first]
    while len(line_up) < field.seats:
        rest = [entrant for entrant in field.entrants if entrant not in line_up]
        line_up.append(min(rest, key=lambda e: _swiss_order(field, games, line_up, e)))
    return tuple(sorted(line_up))


def _swiss_order(
    field: Field, games: Mapping[int, int], line_up: Sequence[int], entrant: int
) -> tuple[float, ...]:
    """The round first, then who has been met least, then the score."""
    met = max(field.met_together(entrant, other) for other in line_up)
    distance = abs(field.score(entrant) - field.score(line_up[0]))
    return games[entrant], met, distance, entrant


def ladder(field: Field) -> LineUp:
    """The pair that there is most to learn about, and who adds most to it."""
    line_up = list(max(combinations(field.entrants, 2), key=lambda pair: _worth(field, *pair)))
    while len(line_up) < field.seats:
        rest = [entrant for entrant in field.entrants if entrant not in line_up]
        line_up.append(max(rest, key=lambda e: sum(_worth(field, e, other) for other in line_up)))
    return tuple(sorted(line_up))


def _worth(field: Field, a: int, b: int) -> float:
    """What the next game of two tells about which is better.

    How open that question is (the entropy of its answer), times the part of their difference's
    variance that one more game takes away, beside those that are being played already.
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
    """Of a yes or no, in nats."""
    return -sum(p * log(p) for p in (chance, 1 - chance) if p > 0)


SCHEDULES: dict[str, Callable[[Field], LineUp]] = {
    "round-robin": round_robin,
    "swiss": swiss,
    "ladder": ladder,
}
