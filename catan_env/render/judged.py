"""A judge's opinion of a game: each seat's odds step by step, and the moves that lost most."""

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
"""Worlds in which a move is compared with the judge's: for every move, for those that lost most."""
LOOKED_AT_TWICE = 6
MARKED = 3
"""The number of moves marked for each seat, at most."""
LEAST = 0.02
"""The odds that a marked move lost, at least."""


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
        """The lesson in the page's form."""
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
    """A record's odds by step of `Record.replay`, (seats,) each, and its lessons in order."""

    judge: str
    odds: list[tuple[float, ...]]
    lessons: list[Lesson]


class _Choice(NamedTuple):
    step: int
    view: SeatView
    played: int
    better: int


def judged(record: Record, judge: Judge) -> Judgement:
    """Judge every position of a record, and every choice that differs from the judge's.

    In a redacted record only the choices of its own seat are judged.
    """
    odds, choices = [], []
    view = None
    for step, (events, table) in enumerate(record.replay()):
        if view is not None:
            choices += _other_choice(step, view, events, judge)
        odds.append(judge.win_probabilities(table))
        view = _view_of_chooser(table)
    return Judgement(judge.name, odds, _lessons(choices, judge))


def _view_of_chooser(table: Game | SeatView) -> SeatView | None:
    """The acting seat's view; None if the record does not contain it, or there is no choice."""
    if table.is_over or (isinstance(table, SeatView) and table.viewer != table.seat):
        return None
    view = table.copy() if isinstance(table, SeatView) else table.view(table.seat)
    return view if len(view.legal_actions) > 1 else None


def _other_choice(
    step: int, view: SeatView, events: Sequence[Event], judge: Judge
) -> list[_Choice]:
    """The choice that was made, if it differs from the judge's."""
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
