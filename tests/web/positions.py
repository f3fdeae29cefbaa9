"""Tables of Ann, Ben and policies, in positions with something to see."""

from typing import Any

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import EDGE_VERTICES as EDGES
from catan_env.policy import load_policy
from catan_env.web.table import LiveTable


def table_of(game: Game, policies: tuple[str, ...] = ("greedy", "greedy"), **more: Any) -> Any:
    seats = {2 + k: load_policy(name, k) for k, name in enumerate(policies)}
    names = ["Ann", "Ben", *(f"{name} {k}" for k, name in enumerate(policies))]
    return LiveTable(game, names, seats, **more)


RICH: dict[str, Any] = {
    "board": Board.beginner(),
    "settlements": {0: [10, 25], 1: [40, 46], 2: [], 3: []},
    "roads": {0: [], 1: []},
    "hands": {0: (4, 4, 4, 4, 3), 1: (2, 2, 2, 2, 2)},
    "seats": 4,
}


def rich(**more: Any) -> Game:
    """A position in which seat 0 has many choices; roads are at its settlements."""
    roads = {0: [], 1: []}
    for seat in (0, 1):
        for vertex in RICH["settlements"][seat]:
            roads[seat].append(next(e for e, ends in enumerate(EDGES) if vertex in ends))
    return Game.from_position(**{**RICH, "roads": roads, **more})


def in_hand(kind: int) -> dict[int, tuple[int, ...]]:
    return {0: tuple(int(k == kind) for k in range(5))}
