"""A game as a single page for a browser: the board, the hands and the log, step by step.

The page is self-contained. It contains the changes of every step; its script combines the
steps. Its parts are in `page/`; a live table uses them too. `replay.js` starts them here.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.notation import Record, loads, to_sgn
from catan_env.render.judged import Judgement
from catan_env.render.steps import Steps, fixed
from catan_env.render.svg import empty_board_svg

SCRIPTS = (
    "drawing.js",
    "continue.js",
    "board.js",
    "players.js",
    "motion.js",
    "log.js",
    "summary.js",
    "curves.js",
    "page.js",
)
"""The scripts that a replay and a live table share, in this order."""


class Source(NamedTuple):
    """The place of a page's record, for playing on: a file, and its path on a server."""

    file: str
    path: str | None = None
    seat: int | None = None
    """The seat of the person who played, if there was one."""


def replay_html(
    game: Game | Record,
    title: str = "A game of Catan",
    judgement: Judgement | None = None,
    source: Source | None = None,
) -> str:
    """The page of a game, or of a record with its players' names and their chat.

    With a judgement it shows the odds of winning and marks the moves that lost most.
    """
    record = loads(to_sgn(game)) if isinstance(game, Game) else game
    data = replay_data(record, judgement)
    if source is not None and isinstance(record.position, Game):
        data["source"] = source._asdict()
    parts = {
        "title": html.escape(title),
        "style": file("page.css"),
        "board": empty_board_svg(record.begin().board),
        "data": script_text(data),
        "choices": "",
        "script": "".join(map(file, (*SCRIPTS, "replay.js"))),
    }
    return filled(parts)


class Replay:
    """The page of a game in a notebook: the last value of a cell.

    >>> replay = Replay(Game(seats=2, seed=7))
    >>> replay._repr_html_().startswith("<iframe")
    True
    """

    def __init__(
        self,
        game: Game | Record,
        title: str = "A game of Catan",
        judgement: Judgement | None = None,
        height: int = 720,
    ) -> None:
        self.html = replay_html(game, title, judgement)
        """The whole page as HTML."""
        self.height = height
        """The height of the frame, in pixels."""

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{page}" style="{style}" title="Replay"></iframe>'


def filled(parts: dict[str, str]) -> str:
    """The page template with its parts filled in."""
    return re.sub(r"<!--(\w+)-->", lambda mark: parts[mark[1]], file("page.html"))


def file(name: str) -> str:
    """The text of a part of the page."""
    return resources.files("catan_env.render").joinpath("page", name).read_text("utf-8")


def script_text(data: Any) -> str:
    """JSON that is safe inside a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def replay_data(record: Record, judgement: Judgement | None = None) -> dict[str, Any]:
    """The data of the page's script: the fixed part, and the changes of every step."""
    begun = record.begin()
    made = fixed(begun, record.players, record.viewer)
    steps = _steps(record)
    data = {**made, "steps": steps, "board": board_text(begun.board)}
    return (
        data
        if judgement is None
        else {**data, **judged_data(judgement, len(steps), begun.board, record.players)}
    )


def board_text(board: Board) -> str:
    """A board as a Python expression."""
    tiles = [(int(tile.terrain), tile.token) for tile in board.tiles]
    harbours = [
        (ends, None if cargo is None else int(cargo), rate) for ends, cargo, rate in board.harbours
    ]
    return f"Board({tiles}, {harbours})"


def judged_data(
    judgement: Judgement, steps: int, board: Board, names: Sequence[str]
) -> dict[str, Any]:
    """Odds by step of the page, and lessons; pieces placed by the table take steps too."""
    before = steps - len(judgement.chances)
    chances = [judgement.chances[0]] * before + judgement.chances
    lessons = [lesson._replace(step=lesson.step + before) for lesson in judgement.lessons]
    best = [move._replace(step=move.step + before) for move in judgement.best]
    data = {
        "judge": judgement.judge,
        "odds": [[round(share, 3) for share in shares] for shares in chances],
        "lessons": [lesson.to_json(board, names) for lesson in lessons],
        "best": [move.to_json() for move in best],
        "trades": [[count, round(gained, 3)] for count, gained in judgement.trades],
    }
    luck = [round(share, 3) for share in judgement.luck]
    return {**data, "luck": luck} if luck else data


def _steps(record: Record) -> list[dict[str, Any]]:
    steps = Steps(record.players)
    chat = sorted(record.chat, key=lambda line: line.after)
    happened = 0
    for events, table in record.replay():
        happened += len(events)
        if events and not len(steps):
            steps.add_placing(events, table)
        else:
            steps.add(events, table)
        while chat and chat[0].after <= happened:
            line = chat.pop(0)
            steps.talk(line.player, line.text)
    return steps.written
