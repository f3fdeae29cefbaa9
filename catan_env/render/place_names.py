"""Names of places as people use them: by the tiles they touch, not by numbers.

A corner is named for its tiles: "the corner of 6 ore, 5 grain, 9 lumber". If several corners touch
the same tiles, the first tile's direction is added: "the north corner of 6 ore". A harbour is part
of the name. An edge is named for the tiles on both sides, at the coast for a side of its tile.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from catan_env.core.constants import Resource, Terrain
from catan_env.game import geometry
from catan_env.game.action import Action, ActionKind, seat_named
from catan_env.game.board import Board

CORNERS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
"""The directions of a tile's corners, in the order of `geometry.TILE_VERTICES`."""
SIDES = ("north-east", "east", "south-east", "south-west", "west", "north-west")
"""The directions of a tile's sides, in the order of `geometry.TILE_EDGES`."""


@lru_cache(maxsize=64)
def tile_names(board: Board) -> tuple[str, ...]:
    """Each tile's token and resource: "6 ore", "the desert"."""
    return tuple(
        f"the {tile.terrain.name.lower()}"
        if tile.terrain >= Terrain.DESERT
        else f"{tile.token} {_resource(tile.terrain)}"
        for tile in board.tiles
    )


@lru_cache(maxsize=64)
def vertex_names(board: Board) -> tuple[str, ...]:
    """A different name for each corner."""
    tiles = tile_names(board)
    land = [_land(touched, board) for touched in geometry.VERTEX_TILES]
    names = [f"the corner of {', '.join(tiles[t] for t in sorted(touched))}" for touched in land]
    by_tiles = Counter(names)
    for vertex, touched in enumerate(land):
        if by_tiles[names[vertex]] > 1:
            direction = CORNERS[geometry.TILE_VERTICES[touched[0]].index(vertex)]
            names[vertex] = names[vertex].replace("the corner", f"the {direction} corner")
    names = _numbered(names)
    return tuple(name + _harbour(vertex, board) for vertex, name in enumerate(names))


@lru_cache(maxsize=64)
def edge_names(board: Board) -> tuple[str, ...]:
    """A different name for each edge, to follow "a road"."""
    tiles = tile_names(board)
    land = [_land(touched, board) for touched in geometry.EDGE_TILES]
    names = [f"between {' and '.join(tiles[t] for t in touched)}" for touched in land]
    by_tiles = Counter(names)
    for edge, touched in enumerate(land):
        if by_tiles[names[edge]] > 1 or len(touched) == 1:
            side = SIDES[geometry.TILE_EDGES[touched[0]].index(edge)]
            names[edge] = f"on the {side} side of {tiles[touched[0]]}"
    return tuple(_numbered(names))


def described(action: Action, board: Board, others: Sequence[str] = ()) -> str:
    """The action as text, with names of places; `others` are the other players' names, clockwise.

    >>> described(Action.settlement(0), Board.beginner())
    'build a settlement at the north-west corner of 10 ore (3:1 harbour)'
    >>> described(Action.move_robber(0, 2), Board.beginner(), ["Ben", "Cleo"])
    'move the robber to 10 ore and rob Cleo'
    """
    match action.kind:
        case ActionKind.SETTLEMENT:
            return f"build a settlement at {vertex_names(board)[action.args[0]]}"
        case ActionKind.CITY:
            return f"build a city at {vertex_names(board)[action.args[0]]}"
        case ActionKind.ROAD:
            return f"build a road {edge_names(board)[action.args[0]]}"
        case ActionKind.MOVE_ROBBER:
            tile, victim = action.args
            text = str(action).replace(f"tile {tile}", tile_names(board)[tile])
            return _with_name(text, victim, others)
        case ActionKind.OFFER:
            return _with_name(str(action), action.args[0], others)
    return str(action)


def names_after(seat: int, names: Sequence[str]) -> tuple[str, ...]:
    """The names of the other players, clockwise from the one at that seat."""
    return (*names[seat + 1 :], *names[:seat])


def _with_name(text: str, step: int | None, others: Sequence[str]) -> str:
    """The text with the name of the player that many seats on instead of the seat."""
    if not step or len(others) < step:
        return text
    return text.replace(seat_named(step), others[step - 1])


def _land(touched: tuple[int, ...], board: Board) -> tuple[int, ...]:
    """Those of the tiles that are land; all of them at sea."""
    return tuple(t for t in touched if board.tiles[t].terrain != Terrain.SEA) or touched


def _resource(terrain: Terrain) -> str:
    return Resource(terrain).name.lower()


def _numbered(names: list[str]) -> list[str]:
    """The names, numbered where two are equal: a board may have two tiles of the same kind."""
    times, seen, different = Counter(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        different.append(f"{name} ({seen[name]})" if times[name] > 1 else name)
    return different


def _harbour(vertex: int, board: Board) -> str:
    """The harbour at a corner, in brackets."""
    for harbour in board.harbours:
        if vertex in harbour.vertices:
            kind = "" if harbour.resource is None else f"{harbour.resource.name.lower()} "
            return f" ({harbour.rate}:1 {kind}harbour)"
    return ""
