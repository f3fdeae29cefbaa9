"""Games in Settlers Game Notation: written, read back, checked."""

from catan_env.notation.errors import NotationError
from catan_env.notation.files import (
    dumps,
    loads,
    read,
    read_games,
    read_records,
    write,
    write_game,
)
from catan_env.notation.record import Chat, Record
from catan_env.notation.schema import check, problems
from catan_env.notation.setup import from_board, to_board
from catan_env.notation.writer import GrowingRecord, to_sgn

__all__ = [
    "Chat",
    "GrowingRecord",
    "NotationError",
    "Record",
    "check",
    "dumps",
    "from_board",
    "loads",
    "problems",
    "read",
    "read_games",
    "read_records",
    "to_board",
    "to_sgn",
    "write",
    "write_game",
]
