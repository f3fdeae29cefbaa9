"""A game as one page for a browser: the board, the hands and the log, moved to and fro.

The page needs nothing from elsewhere. It holds what changed at every step; its script puts the
steps together. `replay.html`, `replay.css` and `replay.js` lie beside this file.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.table import Table
from catan_env.game.view import SeatView
from catan_env.notation import Chat, Record, loads, to_sgn
from catan_env.render import artwork, layout
from catan_env.render.svg import empty_board_svg
from catan_env.render.words import Standing, Teller


def replay_html(game: Game | Record, title: str = "A game of Catan") -> str:
    """The page of a game, or of a record with its players' names and their chat."""
    record = loads(to_sgn(game)) if isinstance(game, Game) else game
    parts = {
        "title": html.escape(title),
        "style": _file("replay.css"),
        "board": empty_board_svg(record.begin().board),
        "data": _script_text(replay_data(record)),
        "script": _file("replay.js"),
    }
    return re.sub(r"<!--(\w+)-->", lambda mark: parts[mark[1]], _file("replay.html"))


def _file(name: str) -> str:
    return resources.files("catan_env.render").joinpath(name).read_text("utf-8")


def _script_text(data: dict[str, Any]) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def replay_data(record: Record) -> dict[str, Any]:
    """What the page's script works on: what stays, and what changed at every step."""
    return {
        "players": list(record.players),
        "viewer": record.viewer,
        "colours": artwork.SEAT_COLOURS[: len(record.players)],
        "vertices": [[round(x, 1), round(y, 1)] for x, y in layout.VERTEX_POINTS],
        "edges": [[round(x, 1), round(y, 1), round(a, 1)] for (x, y), a in layout.EDGE_PLACES],
        "tiles": [[round(x, 1), round(y, 1)] for x, y in layout.TILE_CENTRES],
        "tokens": [tile.token for tile in record.begin().board.tiles],
        "steps": list(_steps(record)),
    }


def _steps(record: Record) -> Iterator[dict[str, Any]]:
    """Each step's log, and of the position what is other than at the step before."""
    teller = Teller(record.players)
    chat = sorted(record.chat, key=lambda line: line.after)
    before: Standing | None = None
    last: dict[str, Any] = {}
    income = [0] * len(record.players)
    told = 0
    for events, table in record.replay():
        told += len(events)
        before = before or Standing.of(table)._replace(turn=0)
        _count_income(income, events, before, table)
        now = _snapshot(events, table, income)
        step = {key: value for key, value in now.items() if key not in last or last[key] != value}
        step["log"] = [_line(teller, event, before, table) for event in events]
        while chat and chat[0].after <= told:
            step["log"].append(_talk(chat.pop(0)))
        yield step
        last, before = now, Standing.of(table)


def _line(teller: Teller, event: Event, before: Standing, table: Table) -> dict[str, Any]:
    """A line of the log; where others saw less, `others` is theirs and `seers` saw it all."""
    line: dict[str, Any] = {"seat": event.seat, "text": teller.tell(event, before, table)}
    seers = [seat for seat in range(table.seats) if event.redacted(seat, table.seats) == event]
    if len(seers) < table.seats:
        away = next(seat for seat in range(table.seats) if seat not in seers)
        line["others"] = teller.tell(event.redacted(away, table.seats), before, table)
        line["seers"] = seers
    return line


def _talk(line: Chat) -> dict[str, Any]:
    return {"by": line.player, "text": line.text}


def _count_income(
    income: list[int], events: tuple[Event, ...], before: Standing, table: Table
) -> None:
    """Add the cards that the tiles have yielded, by seat."""
    if events and events[0].action.kind in (ActionKind.ROLL, ActionKind.SETTLEMENT):
        for seat, known in enumerate(before.known):
            gained = sum(table.known(seat)) - sum(known)
            income[seat] += max(gained, 0)


def _snapshot(events: tuple[Event, ...], table: Table, income: list[int]) -> dict[str, Any]:
    """Everything that the page shows of a position."""
    seats = range(table.seats)
    shown = [not isinstance(table, SeatView) or seat == table.viewer for seat in seats]
    rolls = [event.outcome for event in events if event.action.kind == ActionKind.ROLL]
    snapshot = {
        "turn": table.turn,
        "phase": table.phase.name,
        "seat": table.seat,
        "on": table.turn_seat,
        "robber": table.robber,
        "roll": table.roll,
        "bank": table.bank,
        "deck": table.deck_size,
        "hands": [table.hand(seat) if shown[seat] else None for seat in seats],
        "known": [table.known(seat) for seat in seats],
        "sizes": [table.hand_size(seat) for seat in seats],
        "cards": [table.cards(seat) if shown[seat] else None for seat in seats],
        "counts": [table.card_count(seat) for seat in seats],
        "played": [table.played(seat) for seat in seats],
        "points": [table.points(seat, hidden=False) for seat in seats],
        "lengths": [table.road_length(seat) for seat in seats],
        "longest": table.longest_road_seat,
        "army": table.largest_army_seat,
        "roads": [table.roads(seat) for seat in seats],
        "settlements": [table.settlements(seat) for seat in seats],
        "cities": [table.cities(seat) for seat in seats],
        "gone": [seat for seat in seats if not table.is_playing(seat)],
        "winner": table.winner,
        "income": list(income),
    }
    if rolls:
        snapshot["dice"] = rolls[0]
    return snapshot
