"""A game as the page shows it, step by step: the changes of each step, and its log lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from catan_env.core.constants import CARDS_PER_RESOURCE, RESOURCES
from catan_env.game.action import ActionKind
from catan_env.game.board_code import to_code
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.position import Position
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.render import artwork, layout
from catan_env.render.place_names import edge_names, tile_names, vertex_names
from catan_env.render.words import Commentary, Standing, spoken

NAMED = frozenset((ActionKind.ROLL, ActionKind.OFFER, ActionKind.ACCEPT, ActionKind.REJECT))
"""The kinds of events that the page looks for in the log."""

OF_ONE_STEP = ("log", "dice")
"""The parts of a step that the next one does not repeat."""


class Steps:
    """The steps of one game from one perspective; `names` are the players', by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.written: list[dict[str, Any]] = []
        """The changes of each step; `log` are its lines."""
        self._commentary = Commentary(names)
        self.frame: dict[str, Any] = {}
        """The state at the last step; empty before the first."""
        self._standing: Standing | None = None

    def __len__(self) -> int:
        return len(self.written)

    def add(
        self,
        events: tuple[Event, ...],
        position: Position,
        shown: Collection[int] | None = None,
        look: Look | None = None,
    ) -> dict[str, Any]:
        """The step that these events made, which led to the position at the table.

        `shown` are the seats whose cards are visible; by default all of a game's, or the viewer's
        own. Several perspectives on one game may share a `look` at it.
        """
        look = look or Look.at(position)
        now = _as_shown(look.facts, seats_shown(position) if shown is None else shown)
        if rolls := [event.outcome for event in events if event.action.kind == ActionKind.ROLL]:
            now["dice"] = rolls[0]
        before = self._standing or look.standing._replace(turn=0)
        now["income"] = self._income(events, before, look.standing)
        step = _changes(self.frame, now)
        step["log"] = [_line(self._commentary, event, before, position) for event in events]
        self.written.append(step)
        self.frame, self._standing = now, look.standing
        return step

    def add_placing(self, events: Sequence[Event], position: Position) -> None:
        """The pieces that the table placed, one per step, up to the position at the table."""
        bare = {
            **_as_shown(Look.at(position).facts, ()),
            "turn": 0,
            "phase": "PLACE_SETTLEMENT",
            "hands": [(0,) * RESOURCES] * position.seats,
            "known": [(0,) * RESOURCES] * position.seats,
            "sizes": [0] * position.seats,
            "points": [0] * position.seats,
            "lengths": [0] * position.seats,
            "bank": (CARDS_PER_RESOURCE,) * RESOURCES,
            "income": [0] * position.seats,
            "roads": [()] * position.seats,
            "settlements": [()] * position.seats,
        }
        before = Standing.of(position)._replace(turn=0)
        last: dict[str, Any] = {}
        for event in (None, *events[:-1]):
            log = [] if event is None else [_line(self._commentary, event, before, position)]
            now = bare if event is None else _with_piece(last, event)
            self.written.append({**_changes(last, now), "log": log})
            last = now
        self.frame, self._standing = last, before
        self.add((events[-1],), position)

    def talk(self, player: str, text: str) -> None:
        """A line of chat, after the last step."""
        self.written[-1]["log"].append({"by": player, "text": text})

    def rewind(self, count: int) -> None:
        """Forget all steps but the first `count`."""
        del self.written[count:]
        merged: dict[str, Any] = {}
        for step in self.written:
            merged |= step
        self.frame = {key: value for key, value in merged.items() if key not in OF_ONE_STEP}
        self._standing = Standing.in_frame(merged) if merged else None

    def _income(self, events: tuple[Event, ...], before: Standing, now: Standing) -> list[int]:
        """The cards that the tiles have produced so far, by seat."""
        income = list(self.frame.get("income", [0] * len(now.known)))
        if events and events[0].action.kind in (ActionKind.ROLL, ActionKind.SETTLEMENT):
            for seat, known in enumerate(before.known):
                income[seat] += max(sum(now.known[seat]) - sum(known), 0)
        return income


def fixed(position: Position, names: Sequence[str], viewer: int | None) -> dict[str, Any]:
    """The data that the page needs once: the players, and all places."""
    return {
        "players": spoken(names),
        "viewer": viewer,
        "colours": artwork.SEAT_COLOURS[: len(names)],
        "vertices": [[round(x, 1), round(y, 1)] for x, y in layout.VERTEX_POINTS],
        "edges": [[round(x, 1), round(y, 1), round(a, 1)] for (x, y), a in layout.EDGE_PLACES],
        "tiles": [[round(x, 1), round(y, 1)] for x, y in layout.TILE_CENTRES],
        "tokens": [tile.token for tile in position.board.tiles],
        "terrains": [tile.terrain.name.lower() for tile in position.board.tiles],
        "corners": vertex_names(position.board),
        "sides": edge_names(position.board),
        "tile_names": tile_names(position.board),
        "code": to_code(position.board),
        "rules": preset_of(position.rules),
        "first": position.first_seat,
        "goal": position.rules.points_to_win,
    }


def preset_of(rules: Rules) -> str | None:
    """The name of the preset with exactly these rules; None if there is none."""
    try:
        return rules.name if Rules.named(rules.name) == rules else None
    except ValueError:
        return None


def seats_shown(position: Position) -> Collection[int]:
    """The seats whose cards are visible at the table."""
    return (position.viewer,) if isinstance(position, SeatView) else range(position.seats)


class Look(NamedTuple):
    """A position with every card that the table shows to its viewer."""

    facts: dict[str, Any]
    standing: Standing

    @classmethod
    def at(cls, position: Position) -> Look:
        """The current position of the table."""
        seats, open_to = range(position.seats), seats_shown(position)
        facts: dict[str, Any] = {
            "turn": position.turn,
            "phase": position.phase.name,
            "seat": position.seat,
            "on": position.turn_seat,
            "robber": position.robber,
            "roll": position.roll,
            "bank": position.bank,
            "deck": position.deck_size,
            "hands": [position.hand(seat) if seat in open_to else None for seat in seats],
            "known": [position.known(seat) for seat in seats],
            "sizes": [position.hand_size(seat) for seat in seats],
            "cards": [position.cards(seat) if seat in open_to else None for seat in seats],
            "counts": [position.card_count(seat) for seat in seats],
            "played": [position.played(seat) for seat in seats],
            "points": [position.points(seat, hidden=False) for seat in seats],
            "lengths": [position.road_length(seat) for seat in seats],
            "longest": position.longest_road_seat,
            "army": position.largest_army_seat,
            "roads": [position.roads(seat) for seat in seats],
            "settlements": [position.settlements(seat) for seat in seats],
            "cities": [position.cities(seat) for seat in seats],
            "gone": [seat for seat in seats if not position.is_playing(seat)],
            "winner": position.winner,
        }
        if isinstance(position, Game):
            facts |= _for_a_copy(position)
        known = tuple(facts["known"])
        return cls(facts, Standing(known, facts["turn"], facts["longest"], facts["army"]))


HIDDEN_BY_SEAT = ("hands", "cards")
"""The part of a seat's state that others do not see."""


def _as_shown(facts: dict[str, Any], shown: Collection[int]) -> dict[str, Any]:
    """The state in which only the seats `shown` have visible cards."""
    if len(shown) == len(facts["sizes"]):
        return dict(facts)
    hidden = {
        name: [cards if seat in shown else None for seat, cards in enumerate(facts[name])]
        for name in HIDDEN_BY_SEAT
    }
    return {name: fact for name, fact in facts.items() if name not in COPIED} | hidden


COPIED = frozenset(("fresh", "used", "free", "owed", "offer"))
"""The parts of a position that the page's frame is made of."""


def _for_a_copy(game: Game) -> dict[str, Any]:
    """The state's entries named in COPIED."""
    offer = game.offer
    return {
        "fresh": game.new_cards(game.turn_seat),
        "used": game.card_played,
        "free": game.free_roads,
        "owed": [game.owes(seat) for seat in range(game.seats)],
        "offer": offer and ((offer.to - offer.seat) % game.seats, offer.give, offer.get),
    }


def _changes(last: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The entries of a frame that are new or other than in the last one."""
    return {key: value for key, value in now.items() if key not in last or last[key] != value}


def _with_piece(frame: dict[str, Any], event: Event) -> dict[str, Any]:
    """The frame after a settlement or road was placed."""
    kind = "roads" if event.action.kind == ActionKind.ROAD else "settlements"
    placed = list(frame[kind])
    placed[event.seat] = (*placed[event.seat], event.action.args[0])
    points = list(frame["points"])
    points[event.seat] += kind == "settlements"
    return {**frame, kind: placed, "points": points, "seat": event.seat}


def _line(
    commentary: Commentary, event: Event, before: Standing, position: Position
) -> dict[str, Any]:
    """A line of the log; if others saw less, `others` is their version, and `seers` saw it all."""
    line: dict[str, Any] = {"seat": event.seat, "text": commentary.line(event, before, position)}
    if event.action.kind in NAMED:
        line["kind"] = event.action.kind.name
    seers = [
        seat for seat in range(position.seats) if event.redacted(seat, position.seats) == event
    ]
    if len(seers) < position.seats:
        away = next(seat for seat in range(position.seats) if seat not in seers)
        line["others"] = commentary.line(event.redacted(away, position.seats), before, position)
        line["seers"] = seers
    return line
