"""The standings of a league: ratings with their intervals, and the other figures.

Every figure follows from the outcomes alone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.luckless import Luckless
from catan_env.arena.league.skill import Skill
from catan_env.arena.league.strength import Strengths, strengths
from catan_env.arena.league.tally import Sums, Tally
from catan_env.arena.report import wilson_interval

SURE = 0.95
"""The probability from which one entrant counts as better than another."""


@dataclass(frozen=True)
class Standing:
    """One line of the standings."""

    entrant: Entrant
    sums: Sums
    rating: float
    reach: float
    """Half the width of the rating's 95 % interval."""
    beats: int
    """The number of entrants, counted from the last, that are all worse with 95 %."""
    is_quarantined: bool
    skill: Skill | None
    """openskill's mean and deviation, at tables of three and four."""

    @property
    def win_rate(self) -> tuple[float, float, float]:
        """Wins per game, and the 95 % interval."""
        games, wins = self.sums.games, self.sums.wins
        return (wins / games if games else 0.0, *wilson_interval(wins, games))

    @property
    def sets_scale(self) -> bool:
        """True if its strength is bounded, and it counts in the mean rating."""
        return _is_known(self.sums) and not self.is_quarantined


@dataclass(frozen=True)
class SeatEffect:
    """The advantage of a seat."""

    seat: int
    wins: int
    games: int
    """With a winner."""
    rating: float
    """Relative to the first seat."""
    reach: float


@dataclass(frozen=True)
class Standings:
    """All lines, the best rated first, and the advantages of the seats."""

    lines: tuple[Standing, ...]
    strengths: Strengths
    place: Mapping[int, int]
    """An entrant's number in `strengths`, by its id."""
    seats: tuple[SeatEffect, ...]

    def chance_better(self, a: Standing, b: Standing) -> float:
        """The probability that `a` is stronger than `b`."""
        place = self.place
        return self.strengths.chance_better(place[a.entrant.id], place[b.entrant.id])

    def surely_worse(self, line: Standing) -> list[Standing]:
        """Those that `line` is better than with 95 %, each taken separately."""
        return [o for o in self.lines if o is not line and self.chance_better(line, o) >= SURE]


def standings(
    tally: Tally,
    entrants: Sequence[Entrant],
    quarantined: Collection[int] = (),
    skills: Mapping[int, Skill] | None = None,
    fair: Luckless | None = None,
) -> Standings:
    """The standings of all entrants that have played.

    Quarantined entrants, and those without a win or a loss, do not set the scale of the ratings.
    With `fair`, the ratings are those of the same games without luck.
    """
    played = [entrant for entrant in entrants if tally.sums[entrant.id].games]
    place = {entrant.id: k for k, entrant in enumerate(played)}
    scale = [place[e.id] for e in played if e.id not in quarantined and _is_known(tally.sums[e.id])]
    line_ups, wins, *squares = tally.arrays(place) if fair is None else fair.arrays(place)
    found = strengths(line_ups, wins, len(played), scale, *squares)
    ranked = sorted(played, key=lambda entrant: -found.strength[place[entrant.id]])
    lines = tuple(
        Standing(
            entrant,
            tally.sums[entrant.id],
            found.rating(place[entrant.id]),
            found.reach(place[entrant.id]),
            _beats(found, [place[other.id] for other in ranked[k:]]),
            entrant.id in quarantined,
            (skills or {}).get(entrant.id),
        )
        for k, entrant in enumerate(ranked)
    )
    return Standings(lines, found, place, _seat_effects(tally, found))


def _is_known(sums: Sums) -> bool:
    """True if there is an upper and a lower bound to its strength."""
    return 0 < sums.wins < sums.games


def _beats(found: Strengths, ranked: list[int]) -> int:
    """The number of entrants, counted from the last, that are all worse than the first."""
    first, count = ranked[0], 0
    for other in reversed(ranked[1:]):
        if found.chance_better(first, other) < SURE:
            break
        count += 1
    return count


def _seat_effects(tally: Tally, found: Strengths) -> tuple[SeatEffect, ...]:
    wins = tally.wins_by_seat()
    games = int(wins.sum())
    worth = found.seat_effect if tally.cells else lambda seat: (0.0, 0.0)
    return tuple(
        SeatEffect(seat, int(wins[seat]), games, *worth(seat)) for seat in range(tally.seats)
    )
