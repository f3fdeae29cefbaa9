"""A game as one page for a browser: the board, the hands and the log, moved to and fro.

The page needs nothing from elsewhere. It holds what changed at every step; its script puts the
steps together. `page.html`, `page.css` and `page.js` lie beside this file; a live table uses them
too. `replay.js` starts them here.
"""

from __future__ import annotations

import html
import json
import re
from importlib import resources
from typing import Any

from catan_env.game.game import Game
from catan_env.notation import Record, loads, to_sgn
from catan_env.render.steps import Steps, fixed
from catan_env.render.svg import empty_board_svg


def replay_html(game: Game | Record, title: str = "A game of Catan") -> str:
    """The page of a game, or of a record with its players' names and their chat."""
    record = loads(to_sgn(game)) if isinstance(game, Game) else game
    parts = {
        "title": html.escape(title),
        "style": file("page.css"),
        "board": empty_board_svg(record.begin().board),
        "data": _script_text(replay_data(record)),
        "choices": "",
        "script": file("page.js") + file("replay.js"),
    }
    return filled(parts)


def filled(parts: dict[str, str]) -> str:
    """The page with its parts put where it names them."""
    return re.sub(r"<!--(\w+)-->", lambda mark: parts[mark[1]], file("page.html"))


def file(name: str) -> str:
    """The text of a file beside this one."""
    return resources.files("catan_env.render").joinpath(name).read_text("utf-8")


def _script_text(data: dict[str, Any]) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def replay_data(record: Record) -> dict[str, Any]:
    """What the page's script works on: what stays, and what changed at every step."""
    made = fixed(record.begin(), record.players, record.viewer)
    return {**made, "steps": _steps(record)}


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
