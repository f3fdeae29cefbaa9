"""Visits: a visitor's connection to a server, and the connections that follow when it breaks."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from catan_env.net.framing import End, State
from catan_env.net.visitor import ReturningVisitor, Visitor

READ_SIZE = 1 << 16
SHORTEST = 0.001
"""Minimum wait in seconds, so that received bytes are read before the deadline counts."""

Clock = Callable[[], float]
Connect = Callable[[], socket.socket]
"""Opens a connection, as `net.connect` does."""


class Visit:
    """A visitor on one connection: bytes in, bytes out.

    Each method yields the pieces to send, one per message; send each piece before taking the next
    one. Raises RemoteProtocolError if the server sends a message that the protocol does not allow.
    """

    def __init__(self, end: End[Any], visitor: Visitor) -> None:
        self.end, self.visitor = end, visitor
        self._is_open = False

    @property
    def is_over(self) -> bool:
        """True once the visitor or the server has ended the conversation."""
        return self.visitor.is_over or self.end.state is State.CLOSED

    def begin(self, now: float) -> Iterator[bytes]:
        """Yield the handshake if there is one, otherwise the visitor's first messages."""
        if handshake := self.end.answer():
            yield handshake
        if not self._is_open and self.end.state is State.OPEN:
            self._is_open = True
            yield from self._spelled(self.visitor.opened(now))

    def receive(self, data: bytes, now: float) -> Iterator[bytes]:
        """Pass the messages that `data` completes to the visitor, until it is over."""
        for message in self.end.receive(data):
            yield from self.begin(now)
            yield from self._spelled(self.visitor.received(message, now))
            if self.visitor.is_over:
                return
        yield from self.begin(now)

    def time(self, now: float) -> Iterator[bytes]:
        """Let the visitor act on its deadline."""
        return self._spelled(self.visitor.time(now))

    def close(self, now: float) -> bytes:
        """Return the last bytes to send; notify a visitor that is not over yet of the end."""
        if not self.visitor.is_over:
            self.visitor.closed(now)
        return self.end.close()

    def _spelled(self, messages: Iterable[Any]) -> Iterator[bytes]:
        for message in messages:
            if self.end.state is State.OPEN:
                yield self.end.send(message)


def visit(connect: Connect, end: End[Any], visitor: Visitor, clock: Clock = time.monotonic) -> None:
    """Connect and let a visitor talk until it, or the server, ends the conversation.

    A broken connection counts as closed by the server. Raises RemoteProtocolError, and the errors
    of `connect`.
    """
    with connect() as wire:
        talk = Visit(end, visitor)
        _send(wire, talk.begin(clock()))
        while not talk.is_over:
            data = _read(wire, visitor.deadline, clock)
            if data == b"":
                break
            now = clock()
            _send(wire, talk.time(now) if data is None else talk.receive(data, now))
        _send(wire, [talk.close(clock())])


def reconnect(
    connect: Connect,
    make_end: Callable[[], End[Any]],
    visitor: ReturningVisitor,
    pause: Callable[[], None],
) -> None:
    """Connect repeatedly until the visitor is done; `pause` waits before each return."""
    visit(connect, make_end(), visitor)
    while not visitor.is_done:
        pause()
        visit(connect, make_end(), visitor)


def _read(wire: socket.socket, deadline: float | None, clock: Clock) -> bytes | None:
    """Return the next bytes: empty if the connection has ended, None at the deadline."""
    wire.settimeout(None if deadline is None else max(deadline - clock(), SHORTEST))
    try:
        return wire.recv(READ_SIZE)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _send(wire: socket.socket, pieces: Iterable[bytes]) -> None:
    """Send pieces; on a broken connection they are lost, but received bytes are still read."""
    wire.settimeout(None)
    for piece in pieces:
        with suppress(OSError):
            wire.sendall(piece)
