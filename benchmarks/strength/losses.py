"""The lost games of a row, and what set them apart from the won ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.strength.replay import Kept, replay
from benchmarks.strength.rows import Row
from catan_env import Action, ActionKind, Game
from catan_env.extras import BadInput
from catan_env.training.control_variate import PROBS, TOTALS, cards_given


@dataclass(frozen=True)
class Story:
    """A kept game from the counted player's side."""

    seed: int
    place: int
    won: bool
    points: int
    best_rival: int
    """The most points of another seat."""
    turns: int
    luck: float
    """Cards from the dice beyond the average of the same buildings' rolls."""
    rivals_luck: float
    """The same, of the seat with the most points of the others."""
    awards: str
    """Awards of the winner."""


def stories(row: Row, entries: Sequence[dict[str, Any]]) -> list[Story]:
    """Each game that the row's one counted player won or lost; BadInput if it has more seats."""
    if row.line_up.count(row.counted) != 1:
        raise BadInput(f"{row.name}: losses are those of one seat, and {row.counted} has several")
    return [_story(row, entry) for entry in entries if "log" in entry]


def _story(row: Row, kept: Kept) -> Story:
    seats = range(len(kept["seats"]))
    luck = np.zeros(len(seats))

    def watch(game: Game, action: Action, outcome: Any) -> None:
        if action.kind == ActionKind.ROLL:
            cards = cards_given(game._array, len(seats))[0].sum(axis=1)
            luck[:] += cards[:, sum(outcome) - TOTALS[0]] - cards @ PROBS

    end = replay(kept, watch)
    me = kept["seats"].index(row.counted)
    rival = max((seat for seat in seats if seat != me), key=kept["points"].__getitem__)
    winner = kept["winner"]
    held = (("Longest Road", end.longest_road_seat), ("Largest Army", end.largest_army_seat))
    awards = [name for name, seat in held if seat == winner]
    return Story(
        kept["seed"], kept["place"], kept["won"] is True, kept["points"][me],
        kept["points"][rival], kept["turns"], float(luck[me]), float(luck[rival]),
        " and ".join(awards) or "no award",
    )  # fmt: skip


def losses(row: Row, entries: Sequence[dict[str, Any]]) -> str:
    """Every lost game in a line, and the averages of lost and won games, as text."""
    every = stories(row, entries)
    lines = [
        f"seed {s.seed}, place {s.place}: {s.points} to {s.best_rival} after {s.turns} turns, "
        f"cards from the dice {s.luck:+.1f}, the best rival's {s.rivals_luck:+.1f}; "
        f"the winner has {s.awards}"
        for s in every
        if not s.won
    ]
    for name, won in (("lost", False), ("won", True)):
        some = [s for s in every if s.won == won]
        if some:
            lines.append(f"{name}: {len(some)} games, {_averages(some)}")
    return "\n".join(lines)


def _averages(some: Sequence[Story]) -> str:
    rows = np.array([(s.points, s.best_rival, s.turns, s.luck, s.rivals_luck) for s in some])
    points, rival, turns, luck, rivals_luck = rows.mean(axis=0)
    close = np.mean([s.points >= 8 for s in some])
    roads = np.mean(["Longest Road" in s.awards for s in some])
    return (
        f"{points:.1f} to {rival:.1f} points after {turns:.0f} turns, cards from the dice "
        f"{luck:+.1f}, the best rival's {rivals_luck:+.1f}; 8 points or more in "
        f"{100 * close:.0f} %, the winner has Longest Road in {100 * roads:.0f} %"
    )
