"""A visitor: a client's side of a conversation. Messages in, messages out; no sockets.

`net.visit` connects a visitor to a server, as `net.serve` connects a `Room` to its clients. A
visitor never waits and reads no clock to learn the time: it is called, and `deadline` is when
`time` is due if nothing is received before.
"""

from collections.abc import Iterable
from typing import Any, Protocol


class Visitor(Protocol):
    """The requirements on a protocol's agent; `now` is in seconds of any steady clock.

    Messages that were read together are received with the same `now`: a visitor that thinks for
    long adds that time itself (`net.present`). Each message that a method yields is sent before
    the next one is taken, so that a generator may think in between.
    """

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due, or None if only the server is waited for."""

    @property
    def is_over(self) -> bool:
        """True if this connection is to be closed."""

    def opened(self, now: float) -> Iterable[Any]:
        """Return the first messages to send; the connection is open."""

    def received(self, message: Any, now: float) -> Iterable[Any]:
        """Return the messages that answer one of the server, or one that is Garbled."""

    def time(self, now: float) -> Iterable[Any]:
        """Return the messages that are due because nothing was received until `deadline`."""

    def closed(self, now: float) -> None:
        """Note that the connection ended before the visitor was over."""


class ReturningVisitor(Visitor, Protocol):
    """A visitor for several connections in sequence; each begins with `opened`."""

    @property
    def is_done(self) -> bool:
        """True if no further connection is needed."""
