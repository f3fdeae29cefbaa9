"""A room: where messages meet. Messages in, effects out; no sockets, and time is an argument.

A *line* is one open connection, an int never used twice. A room decides what its lines are: which
one is which seat, who only watches, who may come back. It hears of every line first `opened`, then
what it sends, then `closed`, once, unless the room itself has closed it.
"""

from collections.abc import Collection
from typing import Any, NamedTuple, Protocol


class Send(NamedTuple):
    """Say `message` on one line; a broadcast is one Send a line."""

    line: int
    message: Any


class Close(NamedTuple):
    """Close a line once everything said on it before has gone out."""

    line: int


class Garbled(NamedTuple):
    """Stands for a message that could not be read though the next one can."""

    reason: str


Effect = Send | Close


class Room(Protocol):
    """What a server needs of a protocol's room; `now` is in seconds of any steady clock."""

    @property
    def deadline(self) -> float | None:
        """When `time` is due; None while nobody's clock runs."""

    @property
    def is_over(self) -> bool:
        """Whether the server may stop."""

    def hears(self, line: int) -> bool:
        """Whether what `line` sends can matter now; if not, it is not read from."""

    def opened(self, line: int, now: float) -> list[Effect]:
        """A new line is open."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """`line` has sent a message, or something Garbled."""

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """`line` is gone: closed, broken, or it said what no later message could follow."""

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Time has passed; `amid_message` are the lines that have sent half a message."""
