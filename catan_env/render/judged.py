"""A judge's opinion of a game: win probabilities, the moves that lost and won most, and trades."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.board import Board
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation import Record
from catan_env.policy import Judge
from catan_env.render.place_names import described, names_after

FIRST_LOOK, SECOND_LOOK = 24, 320
"""Worlds in which a move is compared with the judge's: for every move, for those that lost most."""
LOOKED_AT_TWICE = 6
MARKED = 3
"""The number of moves marked for each seat, at most."""
LEAST = 0.02
"""The win probability that a marked move lost, at least."""

ALTERNATIVES = 2
"""Moves with which a good move is compared."""
TRADE_FUTURES = 256
"""Futures of a trade that was accepted, and of the same trade declined."""
FORCED = frozenset(
    (ActionKind.ROLL, ActionKind.END_TURN, ActionKind.REJECT, ActionKind.OFFER, ActionKind.DISCARD)
)
"""Kinds of moves that are never listed as a seat's best."""


Luck = Callable[[Game, Sequence[Event]], Any]
"""The luck of each seat, (seats,), in a game of these events: `policy.load_luck()`."""


class Lesson(NamedTuple):
    """A move that lost chances: the judge would have played `better`."""

    step: int
    seat: int
    chance: float
    """The win probability after it."""
    better: int
    better_chance: float

    @property
    def lost(self) -> float:
        """A win probability, in 0..1."""
        return self.better_chance - self.chance

    def to_json(self, board: Board, names: Sequence[str]) -> dict[str, Any]:
        """The lesson in the page's form; `names` are the players', by seat."""
        action = Action.from_index(self.better)
        return {
            "step": self.step,
            "seat": self.seat,
            "would": described(action, board, names_after(self.seat, names)),
            "kind": action.kind.name,
            "args": action.args,
            "odds": [round(self.chance, 3), round(self.better_chance, 3)],
        }


class BestMove(NamedTuple):
    """A seat's move that was better than the alternatives by most; the judge would play it, too."""

    step: int
    seat: int
    chance: float
    next_chance: float
    """The win probability after the best alternative."""

    @property
    def gained(self) -> float:
        """A win probability, in 0..1."""
        return self.chance - self.next_chance

    def to_json(self) -> dict[str, Any]:
        """The move in the page's form."""
        chances = [round(self.chance, 3), round(self.next_chance, 3)]
        return {"step": self.step, "seat": self.seat, "odds": chances}


class Traded(NamedTuple):
    """The value of a seat's trades with other seats."""

    trades: int
    gained: float
    """The win probability that the seat won by them, negative if it lost some."""


@dataclass(frozen=True)
class Judgement:
    """A judge's opinion of a record; steps are those of `Record.replay`."""

    judge: str
    chances: list[tuple[float, ...]]
    """The seats' win probabilities by step."""
    lessons: list[Lesson]
    best: list[BestMove]
    """At most one for each seat, in order."""
    trades: list[Traded]
    """By seat; empty if the record is redacted."""
    luck: list[float]
    """By seat, the win probability that dice, thefts and bought cards gave beyond their average;
    empty if it was not measured."""


class _Choice(NamedTuple):
    step: int
    view: SeatView
    played: int
    better: int
    """The judge's choice."""


def judged(record: Record, judge: Judge, luck: Luck | None = None) -> Judgement:
    """Judge every position of a record, and every choice that differs from the judge's.

    In a redacted record only the choices of its own seat are judged, and no luck is measured.
    """
    chances, choices = [], []
    view, asked = None, None
    trades = [Traded(0, 0.0)] * len(record.players)
    for step, (events, table) in enumerate(record.replay()):
        if view is not None:
            choices += _choice(step, view, events, judge)
        if asked is not None and events[0].action.kind == ActionKind.ACCEPT:
            _add_trade(trades, asked, judge)
        chances.append(judge.win_probabilities(table))
        view = view_of_chooser(table)
        asked = table.copy() if isinstance(table, Game) and table.phase == Phase.ANSWER else None
    lessons = _lessons([choice for choice in choices if choice.better != choice.played], judge)
    best = _best_moves([choice for choice in choices if choice.better == choice.played], judge)
    begun = record.begin()
    if not isinstance(begun, Game):
        return Judgement(judge.name, chances, lessons, best, [], [])
    lucky = [] if luck is None else luck(begun, record.events).tolist()
    return Judgement(judge.name, chances, lessons, best, trades, lucky)


def view_of_chooser(table: Game | SeatView) -> SeatView | None:
    """The acting seat's view; None if the record does not contain it, or there is no choice."""
    if table.is_over or (isinstance(table, SeatView) and table.viewer != table.seat):
        return None
    view = table.copy() if isinstance(table, SeatView) else table.view(table.seat)
    return view if len(view.legal_actions) > 1 else None


def _choice(step: int, view: SeatView, events: Sequence[Event], judge: Judge) -> list[_Choice]:
    """The choice that was made, with the judge's; empty if it has no flat index."""
    played = events[0].action.index
    if events[0].seat != view.viewer or played is None or not view.in_mask(played):
        return []
    return [_Choice(step, view, played, judge.choose(view))]


def _add_trade(trades: list[Traded], asked: Game, judge: Judge) -> None:
    """Add the chances that the accepted offer gave to both seats, compared with its refusal."""
    chances = []
    for answer in (Action.accept(), Action.reject()):
        game = asked.copy()
        game.play(answer)
        chances.append(judge.win_probabilities(game, TRADE_FUTURES))
    for seat in (asked.seat, asked.turn_seat):
        trades_before, won = trades[seat]
        trades[seat] = Traded(trades_before + 1, won + chances[0][seat] - chances[1][seat])


def _best_moves(choices: Sequence[_Choice], judge: Judge) -> list[BestMove]:
    """Each seat's move that gained most, if it gained enough."""
    found = []
    notable = [c for c in choices if Action.from_index(c.played).kind not in FORCED]
    for seat in {choice.view.viewer for choice in notable}:
        own = [choice for choice in notable if choice.view.viewer == seat]
        first = [(_gain(choice, judge, FIRST_LOOK).gained, k) for k, choice in enumerate(own)]
        most = [own[k] for _, k in sorted(first, reverse=True)[:MARKED]]
        best = max((_gain(c, judge, SECOND_LOOK) for c in most), key=lambda move: move.gained)
        found += [best] if best.gained >= LEAST else []
    return sorted(found)


def _gain(choice: _Choice, judge: Judge, worlds: int) -> BestMove:
    played, view = choice.played, choice.view
    others = [move for move in judge.likely(view) if move != played][:ALTERNATIVES]
    chances = dict(judge.weigh(view, [played, *others], worlds))
    next_chance = max((chances[move] for move in others), default=chances[played])
    return BestMove(choice.step, view.viewer, chances[played], next_chance)


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
    chances = dict(judge.weigh(choice.view, [choice.played, choice.better], worlds))
    better, played = choice.better, choice.played
    return Lesson(choice.step, choice.view.viewer, chances[played], better, chances[better])
