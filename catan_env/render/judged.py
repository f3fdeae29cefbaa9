"""What a judge says of a game: each seat's odds step by step, and the moves that lost most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation import Record
from catan_env.policy import Judge

FIRST_LOOK, SECOND_LOOK = 24, 320
"""Worlds in which a move is compared with the judge's own: every move, and those that lost most."""
LOOKED_AT_TWICE = 6
MARKED = 3
"""Moves of each seat, at most."""
LEAST = 0.02
"""Odds that a move that is marked has lost at least."""


class Lesson(NamedTuple):
    """A move that lost odds: the judge would have played `better`."""

    step: int
    seat: int
    odds: float
    better: int
    better_odds: float

    @property
    def lost(self) -> float:
        """Odds, in 0..1."""
        return self.better_odds - self.odds

    def to_json(self) -> dict[str, Any]:
        """As the page has it."""
        action = Action.from_index(self.better)
        return {
            "step": self.step,
            "seat": self.seat,
            "would": str(action),
            "kind": action.kind.name,
            "args": action.args,
            "odds": [round(self.odds, 3), round(self.better_odds, 3)],
        }


@dataclass(frozen=True)
class Judgement:
    """Of a record: odds by step of `Record.replay`, (seats,) each, and lessons in their order."""

    judge: str
    odds: list[tuple[float, ...]]
    lessons: list[Lesson]


class _Choice(NamedTuple):
    step: int
    view: SeatView
    played: int
    better: int


def judged(record: Record, judge: Judge) -> Judgement:
    """Look at every position of a record, and at every choice that the judge would not have made.

    In a redacted record these are the choices of its own seat alone.
    """
    odds, choices = [], []
    view = None
    for step, (events, table) in enumerate(record.replay()):
        if view is not None:
            choices += _other_choice(step, view, events, judge)
        odds.append(judge.outlook(table))
        view = _view_of_chooser(table)
    return Judgement(judge.name, odds, _lessons(choices, judge))


def _view_of_chooser(table: Game | SeatView) -> SeatView | None:
    """What the seat to decide knows; None where the record does not say, or nothing is chosen."""
    if table.is_over or (isinstance(table, SeatView) and table.viewer != table.seat):
        return None
    view = table.copy() if isinstance(table, SeatView) else table.view(table.seat)
    return view if len(view.legal_actions) > 1 else None


def _other_choice(
    step: int, view: SeatView, events: Sequence[Event], judge: Judge
) -> list[_Choice]:
    """The choice that was made, if the judge would have made another."""
    played = events[0].action.index
    if events[0].seat != view.viewer or played is None or not view.in_mask(played):
        return []
    better = judge.choose(view)
    return [] if better == played else [_Choice(step, view, played, better)]


def _lessons(choices: Sequence[_Choice], judge: Judge) -> list[Lesson]:
    marked = []
    for seat in {choice.view.viewer for choice in choices}:
        own = [choice for choice in choices if choice.view.viewer == seat]
        first = [(_compared(choice, judge, FIRST_LOOK).lost, k) for k, choice in enumerate(own)]
        worst = [own[k] for _, k in sorted(first, reverse=True)[:LOOKED_AT_TWICE]]
        second = [_compared(choice, judge, SECOND_LOOK) for choice in worst]
        second.sort(key=lambda lesson: -lesson.lost)
        marked += [lesson for lesson in second[:MARKED] if lesson.lost >= LEAST]
    return sorted(marked)


def _compared(choice: _Choice, judge: Judge, worlds: int) -> Lesson:
    odds = dict(judge.weigh(choice.view, [choice.played, choice.better], worlds))
    better, played = choice.better, choice.played
    return Lesson(choice.step, choice.view.viewer, odds[played], better, odds[better])
