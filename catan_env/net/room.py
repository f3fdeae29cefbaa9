"""A room: the server's side of a protocol, without sockets; time is an argument.

A *line* is one open connection, an int that is never reused. A room assigns roles to its lines:
seats, spectators, returning players. For each line it is called with `opened`, then with the
messages received, then once with `closed`, unless the room itself has closed the line.
"""

from collections.abc import Collection
from typing import Any, NamedTuple, Protocol


class Send(NamedTuple):
    """Send `message` on one line; a broadcast is one Send per line."""

    line: int
    message: Any


class Close(NamedTuple):
    """Close a line after all earlier messages to it have been sent."""

    line: int


class Removal(NamedTuple):
    """A seat that was removed from its game."""

    seat: int
    turn: int
    reason: str


class Garbled(NamedTuple):
    """Replaces an unreadable message when the next one can still be read."""

    reason: str
    name: str | None = None
    """The message's name, if that can be read."""


Effect = Send | Close


class Room(Protocol):
    """The interface between a server and a protocol's room; `now` is any steady clock's seconds."""

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due, or None if no clock runs."""

    @property
    def is_over(self) -> bool:
        """True if the server may stop."""

    def hears(self, line: int) -> bool:
        """True if messages of `line` can matter now; otherwise it is not read from."""

    def opened(self, line: int, now: float) -> list[Effect]:
        """Accept a new line."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Handle a message of `line`, or one that is Garbled."""

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Handle the end of `line`: closed, broken, or its bytes are unreadable from here on."""

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Handle the passing of time; `amid_message`: lines with an incomplete message."""
