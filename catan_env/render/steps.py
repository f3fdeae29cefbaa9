"""A game as the page shows it, step by step: what each step changed, and a line of log for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.table import Table
from catan_env.game.view import SeatView
from catan_env.render import artwork, layout
from catan_env.render.words import Standing, Teller, spoken


class Steps:
    """The steps of one game as one onlooker sees it; `names` are the players', by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.written: list[dict[str, Any]] = []
        """What each step changed; `log` are its lines."""
        self._teller = Teller(names)
        self._frames: list[dict[str, Any]] = []
        self._standings: list[Standing] = []

    def __len__(self) -> int:
        return len(self.written)

    def add(
        self, events: tuple[Event, ...], table: Table, shown: Collection[int] | None = None
    ) -> dict[str, Any]:
        """The step that these events made, after which it stands so at the table.

        `shown` are the seats whose cards are seen; by default all of a game's, or the viewer's own.
        """
        now = snapshot(events, table, seats_shown(table) if shown is None else shown)
        before = self._standings[-1] if self._standings else Standing.of(table)._replace(turn=0)
        now["income"] = self._income(events, before, table)
        last = self._frames[-1] if self._frames else {}
        step = {key: value for key, value in now.items() if key not in last or last[key] != value}
        step["log"] = [_line(self._teller, event, before, table) for event in events]
        self.written.append(step)
        self._frames.append(now)
        self._standings.append(Standing.of(table))
        return step

    def add_placing(self, events: Sequence[Event], table: Table) -> None:
        """The pieces that the table placed by itself, one a step, up to how it stands there."""
        bare = {
            **snapshot((), table, ()),
            "turn": 0,
            "phase": "PLACE_SETTLEMENT",
            "hands": [(0,) * 5] * table.seats,
            "known": [(0,) * 5] * table.seats,
            "sizes": [0] * table.seats,
            "points": [0] * table.seats,
            "lengths": [0] * table.seats,
            "bank": (19,) * 5,
            "income": [0] * table.seats,
            "roads": [()] * table.seats,
            "settlements": [()] * table.seats,
        }
        before = Standing.of(table)._replace(turn=0)
        last: dict[str, Any] = {}
        for event in (None, *events[:-1]):
            log = [] if event is None else [_line(self._teller, event, before, table)]
            now = bare if event is None else _with_piece(last, event)
            step = {key: value for key, value in now.items() if last.get(key) != value}
            self.written.append({**step, "log": log})
            self._frames.append(now)
            self._standings.append(before)
            last = now
        self.add((events[-1],), table)

    def talk(self, player: str, text: str) -> None:
        """A line of chat, after the last step."""
        self.written[-1]["log"].append({"by": player, "text": text})

    def rewind(self, count: int) -> None:
        """Forget all steps but the first `count`."""
        for kept in (self.written, self._frames, self._standings):
            del kept[count:]

    def _income(self, events: tuple[Event, ...], before: Standing, table: Table) -> list[int]:
        """The cards that the tiles have yielded so far, by seat."""
        income = list(self._frames[-1]["income"]) if self._frames else [0] * table.seats
        if events and events[0].action.kind in (ActionKind.ROLL, ActionKind.SETTLEMENT):
            for seat, known in enumerate(before.known):
                income[seat] += max(sum(table.known(seat)) - sum(known), 0)
        return income


def fixed(table: Table, names: Sequence[str], viewer: int | None) -> dict[str, Any]:
    """What the page needs once: who plays, and where everything lies."""
    return {
        "players": spoken(names),
        "viewer": viewer,
        "colours": artwork.SEAT_COLOURS[: len(names)],
        "vertices": [[round(x, 1), round(y, 1)] for x, y in layout.VERTEX_POINTS],
        "edges": [[round(x, 1), round(y, 1), round(a, 1)] for (x, y), a in layout.EDGE_PLACES],
        "tiles": [[round(x, 1), round(y, 1)] for x, y in layout.TILE_CENTRES],
        "tokens": [tile.token for tile in table.board.tiles],
        "goal": table.rules.points_to_win,
    }


def seats_shown(table: Table) -> Collection[int]:
    """The seats whose cards are seen at the table."""
    return (table.viewer,) if isinstance(table, SeatView) else range(table.seats)


def snapshot(events: tuple[Event, ...], table: Table, shown: Collection[int]) -> dict[str, Any]:
    """Everything that the page shows of a position, the cards of the seats `shown` among it."""
    seats = range(table.seats)
    rolls = [event.outcome for event in events if event.action.kind == ActionKind.ROLL]
    taken = {
        "turn": table.turn,
        "phase": table.phase.name,
        "seat": table.seat,
        "on": table.turn_seat,
        "robber": table.robber,
        "roll": table.roll,
        "bank": table.bank,
        "deck": table.deck_size,
        "hands": [table.hand(seat) if seat in shown else None for seat in seats],
        "known": [table.known(seat) for seat in seats],
        "sizes": [table.hand_size(seat) for seat in seats],
        "cards": [table.cards(seat) if seat in shown else None for seat in seats],
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
    }
    return {**taken, "dice": rolls[0]} if rolls else taken


def _with_piece(frame: dict[str, Any], event: Event) -> dict[str, Any]:
    """The frame after a settlement or road was placed."""
    kind = "roads" if event.action.kind == ActionKind.ROAD else "settlements"
    placed = list(frame[kind])
    placed[event.seat] = (*placed[event.seat], event.action.args[0])
    points = list(frame["points"])
    points[event.seat] += kind == "settlements"
    return {**frame, kind: placed, "points": points, "seat": event.seat}


def _line(teller: Teller, event: Event, before: Standing, table: Table) -> dict[str, Any]:
    """A line of the log; where others saw less, `others` is theirs and `seers` saw it all."""
    line: dict[str, Any] = {"seat": event.seat, "text": teller.tell(event, before, table)}
    seers = [seat for seat in range(table.seats) if event.redacted(seat, table.seats) == event]
    if len(seers) < table.seats:
        away = next(seat for seat in range(table.seats) if seat not in seers)
        line["others"] = teller.tell(event.redacted(away, table.seats), before, table)
        line["seers"] = seers
    return line
