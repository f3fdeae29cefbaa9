"""The table under the board: one line per seat, and above it the decision that is due."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from catan_env.render import layout
from catan_env.render.artwork import GOLD, INK, MUTED, SHADE
from catan_env.render.elements import number, text, use

if TYPE_CHECKING:
    from catan_env.game.position import Position

_HEAD = 48.0
_LINE = 46.0
_FOOT = 6.0
_COLUMNS = (("points", 372), ("hand", 464), ("cards", 556), ("road", 648), ("knights", 740))
_WAITS_FOR = {
    "PLACE_SETTLEMENT": "places a settlement",
    "PLACE_ROAD": "places a road",
    "ROLL": "rolls",
    "DISCARD": "discards",
    "ROBBER": "moves the robber",
    "FREE_ROAD": "builds a free road",
    "MAIN": "builds and trades",
    "ANSWER": "answers an offer",
}


def height(seats: int) -> float:
    """The height of the legend of that many seats."""
    return _HEAD + seats * _LINE + _FOOT


def lines(position: Position) -> Iterator[str]:
    """The legend as SVG, its upper left corner at (0, 0)."""
    yield text((14, 32), 23, _headline(position), anchor="start")
    for name, x in _COLUMNS:
        yield text((x, 32), 19, name, colour=MUTED)
    for seat in range(position.seats):
        yield from _line(position, seat)


def _headline(position: Position) -> str:
    if position.winner is not None:
        return f"player_{position.winner} wins"
    if position.is_over:
        return "the game is over"
    return f"player_{position.seat} {_WAITS_FOR[position.phase.name]}"


def _line(position: Position, seat: int) -> Iterator[str]:
    middle = _HEAD + (seat + 0.5) * _LINE
    if seat == position.turn_seat:
        yield (
            f'<rect x="2" y="{number(middle - 22)}" width="{number(layout.SEA_WIDTH - 4)}"'
            f' height="44" rx="12" fill="{SHADE}"/>'
            f'<path d="M14 {number(middle - 8)}l12 8l-12 8z"/>'
        )
    yield use(f"settlement-{seat}", (58, middle + 1))
    name = f"player_{seat}" if position.is_playing(seat) else f"player_{seat} left"
    yield text((92, middle + 8.5), 26, name, anchor="start")
    holders = {"road": position.longest_road_seat, "knights": position.largest_army_seat}
    for (column, x), value in zip(_COLUMNS, _values(position, seat), strict=True):
        if holders.get(column) == seat:
            yield _award(column, x, middle)
        yield text((x, middle + 8.5), 26, str(value))


def _values(position: Position, seat: int) -> tuple[int, int, int, int, int]:
    return (
        position.points(seat, hidden=False),
        position.hand_size(seat),
        position.card_count(seat),
        position.road_length(seat),
        position.knights(seat),
    )


def _award(column: str, x: float, y: float) -> str:
    return (
        f'<rect x="{number(x - 34)}" y="{number(y - 17)}" width="68" height="34" rx="17"'
        f' fill="{GOLD}" stroke="{INK}" stroke-width="2" data-award="{column}"/>'
    )
