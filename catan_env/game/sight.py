"""Public checks of an event: can another seat's action come now, and at that place?"""

from catan_env.core.constants import (
    BANK_RATE,
    CITY_PIECE,
    ROAD_PIECE,
    SETTLEMENT_PIECE,
    Phase,
    Terrain,
)
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.position import Position

_IN_TURN = frozenset({Phase.ROLL, Phase.MAIN, Phase.FREE_ROAD})
_PHASES = {
    ActionKind.ROLL: frozenset({Phase.ROLL}),
    ActionKind.ACCEPT: frozenset({Phase.ANSWER}),
    ActionKind.REJECT: frozenset({Phase.ANSWER}),
    ActionKind.DISCARD: frozenset({Phase.DISCARD}),
    ActionKind.MOVE_ROBBER: frozenset({Phase.ROBBER}),
    ActionKind.SETTLEMENT: _IN_TURN | {Phase.PLACE_SETTLEMENT},
    ActionKind.ROAD: _IN_TURN | {Phase.PLACE_ROAD},
}
"""Verbs not listed belong to a seat's turn, in an order that may vary between tables."""


def refusal_in_sight(position: Position, event: Event) -> str | None:
    """Return why phase, places or pieces forbid `event`, or None; hands are ignored."""
    kind = event.action.kind
    if position.phase not in _PHASES.get(kind, _IN_TURN):
        return f"not in phase {position.phase.name}"
    if kind == ActionKind.ROAD:
        return _refusal_of_road(position, event)
    if kind in (ActionKind.SETTLEMENT, ActionKind.CITY):
        return _refusal_of_building(position, event)
    return _refusal_of_numbers(position, event.action)


def _refusal_of_road(position: Position, event: Event) -> str | None:
    (edge,) = event.action.args
    if any(edge in position.roads(seat) for seat in range(position.seats)):
        return f"edge {edge} has a road"
    if edge not in position.board.edges:
        return f"edge {edge} is at sea"
    return None if position.pieces(event.seat)[ROAD_PIECE] > 0 else "the seat has no road left"


def _refusal_of_building(position: Position, event: Event) -> str | None:
    (vertex,) = event.action.args
    if event.action.kind == ActionKind.CITY:
        is_free, piece = vertex in position.settlements(event.seat), CITY_PIECE
    else:
        is_free, piece = not position._read.blocked >> vertex & 1, SETTLEMENT_PIECE
    if not is_free:
        return f"vertex {vertex} is not a place for it"
    return None if position.pieces(event.seat)[piece] > 0 else "the seat has no such piece left"


def _refusal_of_numbers(position: Position, action: Action) -> str | None:
    """Check that a named seat is at the table and that a rate is one of the table's."""
    step: int | None = None
    rate: int | None = None
    if action.kind == ActionKind.MOVE_ROBBER:
        tile, step = action.args
        if position.board.tiles[tile].terrain == Terrain.SEA:
            return f"tile {tile} is sea"
    elif action.kind == ActionKind.OFFER:
        step = action.args[0]
    elif action.kind == ActionKind.BANK_TRADE:
        rate = action.args[2]
    if step is not None and step >= position.seats:
        return f"no seat sits {step} places on among {position.seats}"
    return None if rate is None else _refusal_of_rate(position, rate)


def _refusal_of_rate(position: Position, rate: int) -> str | None:
    most = max([BANK_RATE, *(harbour.rate for harbour in position.board.harbours)])
    return None if 1 <= rate <= most else f"a rate of {rate}; allowed are 1..{most}"
