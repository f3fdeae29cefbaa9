"""Boards as a server sends them."""

from typing import Any

from catan_env.game.geometry import EDGE_VERTICES
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places

LAND = {place: k for k, place in enumerate(places.HEXES) if place in places.TILES}


def laid(board: Any) -> tuple[list[int], list[int]]:
    """Return a board as the server sends it: 37 kinds and 37 tokens."""
    kinds, tokens = [places.SEA] * 37, [0] * 37
    for number, (terrain, token) in enumerate(board.tiles):
        k = LAND[places.TILES[number]]
        kinds[k] = 0 if terrain == 5 else places.to_code(terrain)
        tokens[k] = token
    for vertices, resource, _ in board.harbours:
        edge = next(e for e, ends in enumerate(EDGE_VERTICES) if set(ends) == set(vertices))
        for facing, step in enumerate(places.FACING_STEP, 1):
            place = places.EDGES[edge] - step
            if place in places.HEXES and place not in places.TILES:
                code = 6 + facing if resource is None else 16 * facing + places.to_code(resource)
                kinds[places.HEXES.index(place)] = code
    return kinds, tokens


def board_message(name: str, board: Any, robber: int, encoding: int = 0) -> Any:
    """Return the board by 1014, or by 1084 if an encoding is given."""
    kinds, tokens = laid(board)
    if not encoding:
        numbers = [places.TOKENS.index(token) if token else -1 for token in tokens]
        return m.BoardLayout(name, (*kinds, *numbers, places.TILES[robber]))
    parts = ["HL", "[37", *kinds, "RH", places.TILES[robber], "NL", "[37", *tokens]
    return m.BoardLayout2(name, encoding, tuple(map(str, parts)))


def no_board(name: str) -> Any:
    """Return a board that is all sea: not laid out yet."""
    return m.BoardLayout(name, (places.SEA,) * 37 + (-1,) * 37 + (0,))
