"""The check that a foreign record's map is the standard one."""

from collections import Counter
from collections.abc import Iterable, Sequence

from catan_env.game.board import Board, Harbour, Tile
from catan_env.game.geometry import EDGE_VERTICES, STANDARD_HARBOUR_EDGES


def checked_board(tiles: Sequence[Tile], harbours: Iterable[Harbour]) -> Board:
    """The board of these tiles and harbours, in the order of our boards.

    Raises ValueError unless it has the tiles, numbers and harbours of the rulebook's map.
    """
    slots = [tuple(sorted(EDGE_VERTICES[edge])) for edge in STANDARD_HARBOUR_EDGES]
    at = [(tuple(sorted(harbour.vertices)), harbour) for harbour in harbours]
    if sorted(slot for slot, _ in at) != sorted(slots):
        raise ValueError("the harbours of the map are not at the places of the standard one")
    board, standard = Board(tuple(tiles), tuple(dict(at)[slot] for slot in slots)), Board.beginner()
    if (
        Counter(tile.terrain for tile in board.tiles) != Counter(t.terrain for t in standard.tiles)
        or Counter(tile.token for tile in board.tiles) != Counter(t.token for t in standard.tiles)
        or Counter(h.resource for h in board.harbours)
        != Counter(h.resource for h in standard.harbours)
    ):
        raise ValueError(
            "the tiles, numbers or harbours of the map are not those of the standard one"
        )
    return board
