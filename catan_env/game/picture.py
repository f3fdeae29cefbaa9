"""A position as text, for a terminal.

Roads and settlements are their seat's lower-case letter, cities its capital; `*` is the robber.
"""

from typing import Any

from catan_env.core.constants import Resource
from catan_env.game import geometry

LETTERS = "abcd"
SCALE = 5  # columns of half a hex
WIDTH, HEIGHT = 12 * SCALE + 1, 17


def _at(q: int, r: int) -> tuple[int, int]:
    """Return the column and row of a hex's centre."""
    return (2 * q + r + 6) * SCALE - SCALE // 2, 3 * r + 8


def vertex_at(vertex: int) -> tuple[int, int]:
    """Return the column and row of a vertex."""
    q, r, corner = geometry.VERTEX_NAMES[vertex]
    column, row = _at(q, r)
    return column, row - 2 if corner == "N" else row + 2


def edge_at(edge: int) -> tuple[int, int, str]:
    """Return the column and row of an edge, and its character without a road."""
    a, b = geometry.EDGE_VERTICES[edge]
    (x1, y1), (x2, _) = sorted((vertex_at(a), vertex_at(b)), key=lambda at: at[1])
    if x1 == x2:
        return x1, y1 + 1, "|"
    return (x1 + x2) // 2, y1, "/" if x2 < x1 else "\\"


def draw(position: Any) -> str:
    """Return the board and everything public at the table, as lines of text."""
    canvas = [[" "] * WIDTH for _ in range(HEIGHT)]
    for tile in range(len(position.board.tiles)):
        _draw_tile(canvas, position, tile)
    roads = {edge: seat for seat in range(position.seats) for edge in position.roads(seat)}
    for edge in position.board.edges:
        x, y, mark = edge_at(edge)
        canvas[y][x] = LETTERS[roads[edge]] if edge in roads else mark
    for vertex in position.board.vertices:
        x, y = vertex_at(vertex)
        canvas[y][x] = _building(position, vertex)
    return "\n".join(["".join(row).rstrip() for row in canvas] + _legend(position))


def _draw_tile(canvas: list[list[str]], position: Any, tile: int) -> None:
    terrain, token = position.board.tiles[tile]
    x, y = _at(*geometry.TILE_COORDS[tile])
    number = f"{token or ''}{'*' if position.robber == tile else ''}"
    for text, row in ((terrain.name.lower()[:8], y), (number, y + 1)):
        start = x - len(text) // 2
        canvas[row][start : start + len(text)] = text


def _building(position: Any, vertex: int) -> str:
    for seat in range(position.seats):
        if vertex in position.settlements(seat):
            return LETTERS[seat]
        if vertex in position.cities(seat):
            return LETTERS[seat].upper()
    return "."


def _legend(position: Any) -> list[str]:
    lines = [
        f"turn {position.turn}, {position.phase.name.lower().replace('_', ' ')}, "
        f"seat {position.seat} decides; roll {position.roll or '-'}; "
        f"bank {' '.join(map(str, position.bank))}, deck {position.deck_size}",
        "harbours: " + ", ".join(_say_harbour(harbour) for harbour in position.board.harbours),
    ]
    lines += [_say_seat(position, seat) for seat in range(position.seats)]
    if position.winner is not None:
        lines.append(f"seat {position.winner} has won")
    return lines


def _say_harbour(harbour: tuple[tuple[int, int], Resource | None, int]) -> str:
    (a, b), resource, rate = harbour
    return f"{rate}:1{f' {resource.name.lower()}' if resource is not None else ''} at {a}-{b}"


def _say_seat(position: Any, seat: int) -> str:
    awards = [
        name
        for name, holder in (
            ("longest road", position.longest_road_seat),
            ("largest army", position.largest_army_seat),
        )
        if holder == seat
    ]
    return (
        f"{'>' if seat == position.turn_seat else ' '} {LETTERS[seat]} seat {seat}: "
        f"{position.points(seat, hidden=False)} points, {position.hand_size(seat)} cards, "
        f"{position.card_count(seat)} development cards, {position.knights(seat)} knights, "
        f"road {position.road_length(seat)}{''.join(f', {name}' for name in awards)}"
    )
