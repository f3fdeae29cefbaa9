"""Small positions to test rules: places by position, hands by name, and the legal actions.

The 54 vertices form six zigzag lines between the rows of tiles; `at(line, place)` counts the lines
from the north and the places of a line from the west:

                line 0            1   3   5
                                0   2   4   6
                                |   |   |   |
                line 1          1   3   5   7
                              0   2   4   6   8
                              |   |   |   |   |
                line 2        1   3   5   7   9
                            0   2   4   6   8   10
                            |   |   |   |   |   |
                line 3      0   2   4   6   8   10
                              1   3   5   7   9
                              |   |   |   |   |
                line 4        0   2   4   6   8
                                1   3   5   7
                                |   |   |   |
                line 5          0   2   4   6
                                  1   3   5

The tiles between them are numbered 0-2, 3-6, 7-11, 12-15, 16-18, row by row.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from catan_env import Action, Board, Game, IllegalActionError, Resource, Terrain, geometry
from catan_env.game.board import Harbour, Tile

CORNERS = ("N", "NE", "SE", "S", "SW", "NW")
LINES = tuple(
    tuple(Board.vertex_at(q, r, name) for q, r, name in line)
    for line in (
        [place for q in (0, 1, 2) for place in ((q, -3, "S"), (q, -2, "N"))] + [(3, -3, "S")],
        [place for q in (-1, 0, 1, 2) for place in ((q, -2, "S"), (q, -1, "N"))] + [(3, -2, "S")],
        [p for q in (-2, -1, 0, 1, 2) for p in ((q, -1, "S"), (q, 0, "N"))] + [(3, -1, "S")],
        [p for q in (-3, -2, -1, 0, 1) for p in ((q, 1, "N"), (q + 1, 0, "S"))] + [(2, 1, "N")],
        [place for q in (-3, -2, -1, 0) for place in ((q, 2, "N"), (q + 1, 1, "S"))]
        + [(1, 2, "N")],
        [place for q in (-3, -2, -1) for place in ((q, 3, "N"), (q + 1, 2, "S"))] + [(0, 3, "N")],
    )
)


def at(line: int, place: int) -> int:
    """The vertex at a place of a line."""
    return LINES[line][place]


def between(a: int, b: int) -> int:
    """The edge that joins two vertices."""
    (edge,) = set(geometry.VERTEX_EDGES[a]) & set(geometry.VERTEX_EDGES[b])
    return edge


def along(line: int, start: int, end: int) -> list[int]:
    """The edges of a line from one place to a later one."""
    return [between(at(line, k), at(line, k + 1)) for k in range(start, end)]


def trail(*vertices: int) -> list[int]:
    """The edges from vertex to vertex."""
    return [between(a, b) for a, b in pairwise(vertices)]


def ring(tile: int) -> list[int]:
    """The six edges of a tile, clockwise from the north-east."""
    return list(geometry.TILE_EDGES[tile])


def corner(tile: int, name: str) -> int:
    """The vertex at a corner of a tile."""
    return geometry.TILE_VERTICES[tile][CORNERS.index(name)]


def hand(brick: int = 0, grain: int = 0, lumber: int = 0, ore: int = 0, wool: int = 0) -> Any:
    """Resource cards, counted by Resource."""
    return brick, grain, lumber, ore, wool


ROAD, SETTLEMENT = hand(brick=1, lumber=1), hand(brick=1, grain=1, lumber=1, wool=1)
CITY, CARD = hand(grain=2, ore=3), hand(grain=1, ore=1, wool=1)
EMPTY = hand()


def times(n: int, cards: Any) -> Any:
    """`n` times these cards."""
    return tuple(n * count for count in cards)


def plus(*hands: Any) -> Any:
    """All these cards together."""
    return tuple(map(sum, zip(*hands, strict=True)))


def minus(cards: Any, fewer: Any) -> Any:
    """These cards less those."""
    return tuple(a - b for a, b in zip(cards, fewer, strict=True))


BOX = times(19, (1, 1, 1, 1, 1))


def board_of(tiles: Mapping[int, tuple[Terrain, int]], *harbours: Harbour) -> Board:
    """A board with these tiles, terrain and token; all others are desert."""
    desert = Tile(Terrain.DESERT, 0)
    return Board(tuple(Tile(*tiles.get(k, desert)) for k in range(19)), harbours)


def generic_harbour(a: int, b: int) -> Harbour:
    """Any three equal cards for one."""
    return Harbour((a, b), None, 3)


def harbour_of(resource: Resource, a: int, b: int) -> Harbour:
    """Two cards of one resource for one."""
    return Harbour((a, b), resource, 2)


def position(**facts: Any) -> Game:
    """A position; by default on the rulebook's map for a first game."""
    return Game.from_position(**{"board": Board.beginner(), **facts})


def is_legal(game: Game, action: Action) -> bool:
    """True if the game plays the action; the list and the mask must agree.

    A rejection must leave the game unchanged, byte for byte.
    """
    before = game.state_bytes()
    tried = game.copy()
    try:
        tried.play(action)
    except IllegalActionError:
        assert tried.state_bytes() == before, f"refusing to {action} changed the game"
        assert tried.events == game.events
        legal = False
    else:
        assert tried.state_bytes() != before, f"to {action} changed nothing"
        legal = True
    assert (action in game.legal_actions) == legal, f"the list is wrong about: {action}"
    if action.index is not None:
        assert game.action_mask[action.index] == legal, f"the mask is wrong about: {action}"
    assert game.state_bytes() == before
    return legal


def legal_kinds(game: Game) -> set[str]:
    """The verbs of the legal actions."""
    return {action.kind.name for action in game.legal_actions}


def roll_and_end(game: Game, dice: tuple[int, int] = (1, 1)) -> None:
    """Play a turn without any action."""
    game.play(Action.roll(), outcome=dice)
    game.play(Action.end_turn())
