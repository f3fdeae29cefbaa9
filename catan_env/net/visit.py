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
"""Seconds to wait at least, so that what has arrived is read before time is up."""

Clock = Callable[[], float]
Connect = Callable[[], socket.socket]
"""Opens a connection, as `net.connect` does."""


class Visit:
    """A visitor at its end of one connection: bytes in, bytes out.

    Each method gives the pieces to send, one for each message; send a piece before the next one
    is asked for. RemoteProtocolError where the server sends what the protocol does not allow.
    """

    def __init__(self, end: End[Any], visitor: Visitor) -> None:
        self.end, self.visitor = end, visitor
        self._is_open = False

    @property
    def is_over(self) -> bool:
        """True once the visitor or the server has ended the conversation."""
        return self.visitor.is_over or self.end.state is State.CLOSED

    def begin(self, now: float) -> Iterator[bytes]:
        """The handshake where there is one; else what the visitor sends first."""
        if handshake := self.end.answer():
            yield handshake
        if not self._is_open and self.end.state is State.OPEN:
            self._is_open = True
            yield from self._spelled(self.visitor.opened(now))

    def receive(self, data: bytes, now: float) -> Iterator[bytes]:
        """Let the visitor hear the messages that are complete with `data`, until it is over."""
        for message in self.end.receive(data):
            yield from self.begin(now)
            yield from self._spelled(self.visitor.received(message, now))
            if self.visitor.is_over:
                return
        yield from self.begin(now)

    def time(self, now: float) -> Iterator[bytes]:
        """Let the visitor do what is due."""
        return self._spelled(self.visitor.time(now))

    def close(self, now: float) -> bytes:
        """The last bytes to send; a visitor that is not over learns that the connection ended."""
        if not self.visitor.is_over:
            self.visitor.closed(now)
        return self.end.close()

    def _spelled(self, messages: Iterable[Any]) -> Iterator[bytes]:
        for message in messages:
            if self.end.state is State.OPEN:
                yield self.end.send(message)


def visit(connect: Connect, end: End[Any], visitor: Visitor, clock: Clock = time.monotonic) -> None:
    """Connect and let a visitor talk until it, or the server, ends the conversation.

    A connection that breaks is one that the server closed. Raises RemoteProtocolError, and what
    `connect` raises.
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
    clock: Clock = time.monotonic,
) -> None:
    """Visit again and again until the visitor is done; `pause` waits before each return."""
    visit(connect, make_end(), visitor, clock)
    while not visitor.is_done:
        pause()
        visit(connect, make_end(), visitor, clock)


def _read(wire: socket.socket, deadline: float | None, clock: Clock) -> bytes | None:
    """What comes next: nothing where the connection has ended, None at the deadline."""
    wire.settimeout(None if deadline is None else max(deadline - clock(), SHORTEST))
    try:
        return wire.recv(READ_SIZE)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _send(wire: socket.socket, pieces: Iterable[bytes]) -> None:
    """Send pieces; those of a broken connection are lost, but what came before is still read."""
    wire.settimeout(None)
    for piece in pieces:
        with suppress(OSError):
            wire.sendall(piece)
