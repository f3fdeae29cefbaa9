"""Puzzles: positions of saved games in which one move was much better than all others."""

import html
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from catan_env.core.constants import Phase
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.notation import Record
from catan_env.policy import Judge
from catan_env.render.judged import FIRST_LOOK, SECOND_LOOK, view_of_chooser
from catan_env.render.place_names import described, names_after
from catan_env.render.reasons import reason
from catan_env.render.replay import SCRIPTS, file, filled, script_text
from catan_env.render.steps import Steps, fixed
from catan_env.render.svg import empty_board_svg
from catan_env.web.page import table_file

MARGIN = 0.08
"""The win probability by which the best move beats the second, at least."""
PUZZLE_SCRIPTS = ("stored.js", "place_shape.js", "puzzle.js")
"""The scripts of a puzzle, after those that it shares with a replay."""
FEWEST = 3
"""The moves to choose from, at least."""
PHASES = frozenset((Phase.PLACE_SETTLEMENT, Phase.ROBBER, Phase.MAIN))
"""The decisions that are asked for."""


class Puzzle(NamedTuple):
    """A position as its seat sees it, and the moves to choose from."""

    view: SeatView
    names: tuple[str, ...]
    """The players', by seat."""
    moves: list[tuple[int, float]]
    """Flat indices with their win probabilities, the best first."""
    judge: str

    @property
    def margin(self) -> float:
        """The win probability by which the best move beats the second."""
        return self.moves[0][1] - self.moves[1][1]


def puzzles_in(record: Record, judge: Judge, margin: float = MARGIN) -> Iterator[Puzzle]:
    """The puzzles of a record: at most one for each turn.

    Every decision is weighed in a few positions that are consistent with the seat's view, and those
    with a clear best move again in many.
    """
    turn = None
    for _, table in record.replay():
        view = view_of_chooser(table)
        if view is None or view.phase not in PHASES or view.turn == turn:
            continue
        moves = judge.likely(view)
        if len(moves) < FEWEST:
            continue
        for worlds in (FIRST_LOOK, SECOND_LOOK):
            puzzle = Puzzle(view, record.players, judge.weigh(view, moves, worlds), judge.name)
            if puzzle.margin < margin:
                break
        else:
            turn = view.turn or None
            yield puzzle


def puzzle_pages(puzzles: Sequence[Puzzle]) -> dict[str, str]:
    """The pages of puzzles by file name; the first is `index.html`, each links to the next."""
    files = [f"{k + 1}.html" if k else "index.html" for k in range(len(puzzles))]
    return {
        name: _page(puzzle, k + 1, files)
        for k, (name, puzzle) in enumerate(zip(files, puzzles, strict=True))
    }


def _page(puzzle: Puzzle, number: int, files: Sequence[str]) -> str:
    title = f"Puzzle {number} of {len(files)}"
    parts = {
        "title": html.escape(title),
        "style": file("page.css") + table_file("table.css"),
        "board": empty_board_svg(puzzle.view.board),
        "data": script_text(_data(puzzle, number, files)),
        "choices": table_file("puzzle.html"),
        "script": "".join((*map(file, SCRIPTS), *map(table_file, PUZZLE_SCRIPTS))),
    }
    return filled(parts)


def _data(puzzle: Puzzle, number: int, files: Sequence[str]) -> dict[str, Any]:
    view, names = puzzle.view, puzzle.names
    steps = Steps(names)
    steps.add((), view)
    asked = {
        "judge": puzzle.judge,
        "moves": [_move(index, chance, view, names) for index, chance in puzzle.moves],
        "next": files[number % len(files)],
        "count": len(files),
    }
    return {**fixed(view, names, view.viewer), "steps": steps.written, "puzzle": asked}


def _move(index: int, chance: float, view: SeatView, names: Sequence[str]) -> dict[str, Any]:
    action = Action.from_index(index)
    return {
        "index": index,
        "kind": action.kind.name,
        "args": action.args,
        "label": described(action, view.board, names_after(view.seat, names)),
        "why": reason(action, view, names),
        "odds": round(chance, 3),
    }
