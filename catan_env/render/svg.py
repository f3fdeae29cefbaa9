"""A position as a picture: the board in its sea, every piece, and a legend with one line per seat.

The picture shows what everybody at the table sees, so a game and each seat's view of it look
the same. The same position gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from catan_env.core.constants import Resource, Terrain
from catan_env.game.board import Harbour, Tile, pips_of
from catan_env.render import artwork, layout, legend
from catan_env.render.artwork import DULL, GOLD, INK, MUTED, PAPER, RED
from catan_env.render.elements import Point, number, text, use
from catan_env.render.layout import TILE_CENTRES, VERTEX_POINTS

if TYPE_CHECKING:
    from catan_env.game.board import Board
    from catan_env.game.position import Position

_MARGIN = 10.0
_WAVES = (
    (-345, -150), (-300, -235), (-365, 40), (-335, 175), (-270, 265), (-225, -290), (345, -165),
    (290, -250), (365, 20), (340, 160), (275, 250), (215, 300), (-30, -312), (20, 312),
)  # fmt: skip


def board_svg(position: Position, *, width: int = 800) -> str:
    """A game, or a seat's view of one, as an SVG document `width` pixels wide; its height follows.

    Each piece is one element with `data-vertex` or `data-edge` and `data-seat`, each tile one with
    `data-tile`.
    """
    full_width = layout.SEA_WIDTH + 2 * _MARGIN
    full_height = layout.SEA_HEIGHT + legend.height(position.seats) + 2 * _MARGIN
    height = round(width * full_height / full_width)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {number(full_width)} {number(full_height)}" role="img"'
            f' font-family="{artwork.FONTS}" font-weight="600" fill="{INK}">',
            "<title>Catan board</title>",
            artwork.DEFINITIONS,
            f'<rect width="100%" height="100%" rx="22" fill="{PAPER}"/>',
            f'<g transform="translate({number(full_width / 2)}'
            f' {number(_MARGIN + layout.SEA_HEIGHT / 2)})">',
            _water(position.board.small_map),
            *_corners(position),
            *_tiles(position.board),
            *_harbours(position.board),
            *_tokens(position),
            _robber(position),
            *_pieces(position),
            "</g>",
            f'<g transform="translate({number(_MARGIN)} {number(_MARGIN + layout.SEA_HEIGHT)})">',
            *legend.lines(position),
            "</g></svg>\n",
        )
    )


@lru_cache(maxsize=128)
def empty_board_svg(board: Board) -> str:
    """The board alone, its sea, harbours and tokens, for a page that puts the pieces on it.

    A token's group has `data-on` with its tile's number. Above it is another picture of the same
    size, the empty `pieces`: drawing there does not make the browser repaint the board.
    """
    tokens = (
        _empty_token(index, tile.token) for index, tile in enumerate(board.tiles) if tile.token
    )
    parts = (_opening(board.small_map), *_tiles(board), *_harbours(board), *tokens, _pieces_layer())
    return "".join(parts)


class EmptyBoardParts(NamedTuple):
    """The parts of `empty_board_svg`, for a script that puts a board together.

    First `begin`, then the tiles, the piers of all harbours, their ships, the tokens, and `end`.
    """

    begin: str
    tiles: list[list[str]]
    """By tile and terrain, without a token, which would follow the terrain in the title."""
    harbours: list[dict[str, Any]]
    """For each harbour its vertices (`ends`), its `piers`, and `ships` by resource, 3:1 last."""
    tokens: list[list[str]]
    """By tile and number."""
    end: str


def empty_board_parts(
    harbours: Sequence[tuple[int, int]], small_map: bool = False
) -> EmptyBoardParts:
    """The parts of all empty boards with harbours at these pairs of vertices."""
    cargos = [Harbour((0, 0), resource, 2) for resource in Resource] + [Harbour((0, 0), None, 3)]
    ships = layout.harbour_ships(harbours, small_map)
    return EmptyBoardParts(
        _opening(small_map),
        [
            [_tile(k, Tile(terrain, 0), centre) for terrain in Terrain]
            for k, centre in enumerate(TILE_CENTRES)
        ],
        [
            {
                "ends": ends,
                "piers": "".join(_pier(ship, vertex) for vertex in ends),
                "ships": [_ship(cargo, ship) for cargo in cargos],
            }
            for ends, ship in zip(harbours, ships, strict=True)
        ],
        [[_empty_token(k, token) for token in range(13)] for k in range(len(TILE_CENTRES))],
        _pieces_layer(),
    )


def _opening(small_map: bool) -> str:
    """The beginning of the empty board: its definitions, and the water."""
    return (
        f'{_empty_svg()} role="img" font-family="{artwork.FONTS}" font-weight="600" fill="{INK}">'
        f"<title>Catan board</title>{artwork.DEFINITIONS}{_water(small_map)}"
    )


def _pieces_layer() -> str:
    """The end of the empty board, and the picture above it."""
    return f'</svg>{_empty_svg()} id="pieces"></svg>'


def _empty_svg() -> str:
    width, height = number(layout.SEA_WIDTH), number(layout.SEA_HEIGHT)
    left, top = number(-layout.SEA_WIDTH / 2), number(-layout.SEA_HEIGHT / 2)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}"'


def _empty_token(tile: int, token: int) -> str:
    return f'<g data-on="{tile}">{_token(token, TILE_CENTRES[tile], PAPER, PAPER)}</g>'


def _sea() -> Iterator[str]:
    width, height = layout.SEA_WIDTH, layout.SEA_HEIGHT
    yield (
        f'<rect x="{number(-width / 2)}" y="{number(-height / 2)}" width="{number(width)}"'
        f' height="{number(height)}" rx="16" fill="{artwork.SEA}" stroke="{artwork.SEA_BORDER}"'
        ' stroke-width="2"/>'
    )
    yield from (use("wave", wave) for wave in _WAVES)


def _coast(small_map: bool) -> Iterator[str]:
    """Shallow water, and the beach between the tiles of land."""
    rings = (1.85, artwork.SURF, ".1"), (1.3, artwork.SURF, ".3"), (1.13, artwork.BEACH, "1")
    for radius, colour, opacity in rings:
        hexes = "".join(
            f"M{layout.hexagon(centre, radius * layout.RADIUS)}z"
            for centre in layout.land_centres(small_map)
        )
        yield f'<path d="{hexes}" fill="{colour}" fill-opacity="{opacity}"/>'


@cache
def _water(small_map: bool) -> str:
    """The sea and the coast of a map."""
    return "".join((*_sea(), *_coast(small_map)))


def _corners(position: Position) -> Iterator[str]:
    """The last roll and the turn, in the corners next to the board."""
    yield _medal(layout.ROLL_PLACE, "roll", position.roll, RED if position.roll == 7 else INK)
    yield _medal(layout.TURN_PLACE, "turn", position.turn, INK)


def _medal(at: Point, name: str, value: int, colour: str) -> str:
    x, y = at
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="38" fill="{PAPER}" fill-opacity=".85"/>'
        f"{text((x, y - 12), 19, name, colour=MUTED)}"
        f"{text((x, y + 20), 33, str(value or '–'), colour=colour)}"
    )


def _harbours(board: Board) -> Iterator[str]:
    ships = layout.harbour_ships((h.vertices for h in board.harbours), board.small_map)
    for harbour, ship in zip(board.harbours, ships, strict=True):
        yield from (_pier(ship, vertex) for vertex in harbour.vertices)
    for harbour, ship in zip(board.harbours, ships, strict=True):
        yield _ship(harbour, ship)


def _pier(ship: Point, vertex: int) -> str:
    end = layout.pier_end(vertex, ship)
    line = f"M{number(ship[0])} {number(ship[1])}L{number(end[0])} {number(end[1])}"
    return (
        f'<path d="{line}" stroke="{artwork.WOOD}" stroke-width="9" stroke-linecap="round"/>'
        f'<path d="{line}" stroke="{artwork.PLANKS}" stroke-width="5" stroke-dasharray="4 2"/>'
    )


def _ship(harbour: Harbour, at: Point) -> str:
    cargo = harbour.resource.name.lower() if harbour.resource is not None else "any"
    rate = f"{harbour.rate}:1"
    below, size = (4, 25) if cargo == "any" else (10.5, 21)
    words = text((at[0], at[1] + below), size * min(1, 4 / len(rate)), rate)
    return (
        f'<g data-harbour="{cargo} {rate}"><title>Harbour: {cargo} {rate}</title>'
        f"{use(f'ship-{cargo}', at)}{words}</g>"
    )


def _tiles(board: Board) -> Iterator[str]:
    for index, (tile, centre) in enumerate(zip(board.tiles, TILE_CENTRES, strict=True)):
        yield _tile(index, tile, centre)


def _tile(index: int, tile: Tile, centre: Point) -> str:
    if tile.terrain == Terrain.SEA:
        return ""
    terrain = tile.terrain.name.lower()
    title = f"{terrain}, {tile.token}" if tile.token else terrain
    return (
        f'<g data-tile="{index}"><title>{title}</title>'
        f'<polygon points="{_TILE_SHAPES[index]}" fill="{artwork.TERRAIN_COLOURS[terrain]}"'
        ' stroke="#fff" stroke-opacity=".35" stroke-width="2"/>'
        f"{use(terrain, centre)}</g>"
    )


def _tokens(position: Position) -> Iterator[str]:
    """The number tokens; those of the last roll are highlighted."""
    tiles = position.board.tiles
    for index, (tile, centre) in enumerate(zip(tiles, TILE_CENTRES, strict=True)):
        blocked = index == position.robber
        if tile.token:
            lit = tile.token == position.roll and not blocked
            yield _token(tile.token, centre, GOLD if lit else PAPER, DULL if blocked else PAPER)


def _token(token: int, centre: Point, ring: str, disc: str) -> str:
    x, y = centre
    pips = pips_of(token)
    colour, size = (RED, 31) if pips == 5 else (INK, 28)
    dots = "".join(
        f'<circle cx="{number(x + 6 * (pip - (pips - 1) / 2))}" cy="{number(y + 14.5)}" r="2.2"/>'
        for pip in range(pips)
    )
    return (
        f'<g fill="{colour}" data-token="{token}"><circle cx="{number(x)}" cy="{number(y)}"'
        f' r="24.5" fill="{disc}" stroke="{ring}" stroke-width="{6 if ring == GOLD else 0}"/>'
        f"{text((x, y + 7), size, str(token))}{dots}</g>"
    )


def _robber(position: Position) -> str:
    x, y = TILE_CENTRES[position.robber]
    aside = -37 if position.board.tiles[position.robber].token else 0
    return use("robber", (x + aside, y), f' data-robber="{position.robber}"')


def _pieces(position: Position) -> Iterator[str]:
    seats = range(position.seats)
    for seat in seats:
        for edge in position.roads(seat):
            place, angle = layout.EDGE_PLACES[edge]
            where = f' data-seat="{seat}" data-edge="{edge}"'
            yield use(f"road-{seat}", place, where, angle=angle)
    for seat in seats:
        for name, vertices in (
            ("settlement", position.settlements(seat)),
            ("city", position.cities(seat)),
        ):
            for vertex in vertices:
                where = f' data-seat="{seat}" data-vertex="{vertex}"'
                yield use(f"{name}-{seat}", VERTEX_POINTS[vertex], where)


_TILE_SHAPES = tuple(layout.hexagon(centre, 0.965 * layout.RADIUS) for centre in TILE_CENTRES)
