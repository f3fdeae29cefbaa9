"""Rooms behind sockets: the only file that knows asyncio."""

import asyncio
import contextlib
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import Any

from catan_env.net.address import origin_of
from catan_env.net.allowance import Allowance
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import End, State
from catan_env.net.room import Close, Effect, Room, Send

READ_SIZE = 1024
"""Bytes taken from one line before the others have their turn."""
KERNEL_SIZE = 1 << 16
"""Bytes that may wait for one line in the operating system, before they are counted as unread."""
MOST_TIMES = 1 << 18
"""How many messages' handling times are remembered: a server may run for months."""
CONNECTION_CLOSED = "it closed its connection"
CONNECTION_BROKE = "its connection broke"
MADE_ROOM = "it was silent while others came"
SPARE_FILES = 128
"""Files that a process may need besides its lines, those just accepted included."""
ACCEPTED_AT_ONCE = 64
"""Connections accepted before the lines that are open have their turn."""

Admit = Callable[[int, socket.socket], bool]
"""Whether a new line may stay, by its number and its socket."""


@dataclass(frozen=True)
class Bounds:
    """What one server lets its lines have."""

    lines: int = 256
    """Lines at once. When there are that many, a silent one makes room for a new one (one that has
    not sent a message yet: the oldest, from the address with most lines); without a silent one
    the new one is closed."""
    lines_of_address: int = 64
    """Lines at once from one address, which make room for each other likewise."""
    unread: int = 1 << 20
    """Bytes that may wait for a line that does not read; then it is cut."""
    messages: float = 1000.0
    """Messages a second that are read from a line; the rest waits in its socket."""
    opening: float = 10.0
    """Seconds that a handshake may take."""
    farewell: float = 1.0
    """Seconds in which a line that is being closed may read what it has been sent."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients connect to; OSError, which names the address, if that is impossible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), f"{host} {port}") from None


def lines_that_fit(wanted: int) -> int:
    """As many lines as wanted, or as this process may have files open."""
    try:
        import resource
    except ImportError:  # not a Unix
        return wanted
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if files == resource.RLIM_INFINITY else max(1, min(wanted, files - SPARE_FILES))


class Wire(asyncio.BufferedProtocol):
    """One socket's bytes, handed to the server that it belongs to."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._buffer = bytearray(READ_SIZE)
        self.line = -1
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Somebody has connected."""
        self.transport = transport
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_SIZE)
        self._server.connected(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next bytes go."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes have come."""
        self._server.received(self.line, bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool:
        """The other side sends no more; so do we."""
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is closed."""
        self._server.lost(self, CONNECTION_BROKE if error else CONNECTION_CLOSED)


@dataclass
class Line:
    """One open connection: what carries its messages, and its bytes."""

    end: End[Any]
    transport: Any
    allowance: Allowance
    opening: asyncio.TimerHandle
    origin: str = ""
    """The address that it comes from, as far as limits distinguish them."""
    is_known: bool = False
    """Whether the room knows that it is open."""
    has_spoken: bool = False
    """Whether it has sent a message."""
    is_resting: bool = False
    """Whether it has sent more than its allowance."""

    def write(self, data: bytes | bytearray) -> int:
        """Send bytes; how many wait to be read by the other side."""
        if data and not self.transport.is_closing():
            self.transport.write(data)
        return int(self.transport.get_write_buffer_size())


class Server:
    """A room whose lines are connections to one listening socket.

    `admit` may turn a connection away by its socket, and say to the room whose line it is. What is
    learnt of a line elsewhere (its process has died) reaches the room by `do(room.closed(...))`.
    """

    def __init__(
        self,
        room: Room,
        make_end: Callable[[], End[Any]],
        admit: Admit | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        self.room = room
        self.handling_times: deque[float] = deque(maxlen=MOST_TIMES)
        """Seconds that this process took for each of the last messages received."""
        self._make_end = make_end
        self._admit = admit
        self._bounds = bounds or Bounds()
        self._most_lines = lines_that_fit(self._bounds.lines)
        self._loop = asyncio.get_running_loop()
        self._numbers = count()
        self._lines: dict[int, Line] = {}
        self._crowds: Counter[str] = Counter()
        """Lines by their origin."""
        self._leaving: set[Any] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._will_listen = False
        self._doors: asyncio.Server | None = None
        self._done = asyncio.Event()

    async def serve(self, listener: socket.socket) -> None:
        """Let lines come and go until the room is over; `listener` stays open."""
        self._doors = await self._loop.create_server(
            lambda: Wire(self), sock=listener.dup(), backlog=ACCEPTED_AT_ONCE
        )
        listener.listen(self._most_lines)  # a crowd waits in the queue that both share
        try:
            self.do([])
            await self._done.wait()
            self.shut_doors()
            await self._say_farewell()
        finally:
            self.shut_doors()
            self.close()

    def shut_doors(self) -> None:
        """Let nobody in from now on; who is there stays."""
        if self._doors is not None:
            self._doors.close()

    def do(self, effects: Iterable[Effect]) -> None:
        """Carry out what the room wants; what goes to one line goes in one piece."""
        said: dict[int, bytearray] = {}
        for effect in effects:
            if isinstance(effect, Send):
                self._say(effect, said)
            else:
                self._write(effect.line, said.pop(effect.line, b""))
                self._hang_up(effect)
        for line, data in said.items():
            self._write(line, data)
        if self.room.is_over:
            self._done.set()
        self._set_timer()
        self._listen_soon()

    def close(self) -> None:
        """Let go of everything, whatever state it is in."""
        self._set_timer_at(None)
        for line in self._lines.values():
            line.opening.cancel()
            line.transport.abort()
        self._lines.clear()
        for transport in self._leaving:
            transport.abort()

    def connected(self, wire: Wire) -> None:
        """A connection: a line, if there is room for it and it may stay."""
        number = next(self._numbers)
        origin = origin_of(wire.transport.get_extra_info("peername"))
        if not self._is_welcome(number, wire.transport, origin):
            wire.transport.abort()
            return
        wire.line = number
        self._crowds[origin] += 1
        line = self._lines[number] = Line(
            self._make_end(),
            wire.transport,
            Allowance(self._bounds.messages, self._loop.time()),
            self._loop.call_later(self._bounds.opening, self._cut, number, "no handshake"),
            origin,
        )
        self._introduce(number, line)

    def _is_welcome(self, number: int, transport: Any, origin: str) -> bool:
        if self._done.is_set() or not self._has_room_for(origin):
            return False
        return self._admit is None or self._admit(number, transport.get_extra_info("socket"))

    def _has_room_for(self, origin: str) -> bool:
        """Whether one more line fits, perhaps because a silent one has made room for it."""
        if self._crowds[origin] >= self._bounds.lines_of_address:
            return self._make_room([origin])
        if len(self._lines) >= self._most_lines:
            return self._make_room(self._crowds)
        return True

    def _make_room(self, origins: Iterable[str]) -> bool:
        """Cut the oldest silent line of the origin with most lines; False without a silent one."""
        silent = [
            (self._crowds[line.origin], -number)
            for number, line in self._lines.items()
            if not line.has_spoken and line.origin in origins
        ]
        if not silent:
            return False
        number = -max(silent)[1]
        line = self._strike(number, MADE_ROOM)
        if line is not None:
            line.transport.abort()  # without a farewell, in which it would hold a file open
        return True

    def received(self, number: int, data: bytes) -> None:
        """Bytes of a line: its messages go to the room one by one."""
        line = self._lines.get(number)
        if line is None:
            return
        messages = 0
        try:
            for message in line.end.receive(data):
                messages += 1
                line.has_spoken = True
                self._introduce(number, line)
                self._hear(number, message)
        except RemoteProtocolError as error:
            self._cut(number, str(error))
        self._introduce(number, line)
        self._spend(number, line, messages)

    def lost(self, wire: Wire, reason: str) -> None:
        """A connection is gone."""
        self._leaving.discard(wire.transport)
        self._strike(wire.line, reason)

    def _strike(self, number: int, reason: str) -> Line | None:
        """Forget a line and let the room know; None where it was forgotten before."""
        line = self._drop(number)
        if line is not None:
            line.opening.cancel()
            if line.is_known:
                self.do(self.room.closed(number, reason, self._loop.time()))
        return line

    def _hear(self, number: int, message: Any) -> None:
        if number in self._lines:
            begun = perf_counter()
            self.do(self.room.received(number, message, self._loop.time()))
            self.handling_times.append(perf_counter() - begun)

    def _introduce(self, number: int, line: Line) -> None:
        """Tell the room of a line whose handshake is over."""
        line.write(line.end.answer())
        if line.end.state is State.OPEN and not line.is_known and number in self._lines:
            line.is_known = True
            line.opening.cancel()
            self.do(self.room.opened(number, self._loop.time()))

    def _spend(self, number: int, line: Line, messages: int) -> None:
        """Read on when the line has been given time for what it sent."""
        if line.end.state is State.CLOSED:
            self._cut(number, CONNECTION_CLOSED)
        wait = line.allowance.spend(messages, self._loop.time())
        if wait and not line.is_resting:
            line.is_resting = True
            self._loop.call_later(wait, self._wake, line)
        self._listen_soon()

    def _wake(self, line: Line) -> None:
        line.is_resting = False
        self._listen_soon()

    def _listen_soon(self) -> None:
        """See to it, once, that lines are read from as the room wishes."""
        if not self._will_listen:
            self._will_listen = True
            self._loop.call_soon(self._listen)

    def _listen(self) -> None:
        self._will_listen = False
        for number, line in self._lines.items():
            is_heard = not line.is_known or self.room.hears(number)
            if is_heard and not line.is_resting:
                line.transport.resume_reading()
            else:
                line.transport.pause_reading()

    def _say(self, effect: Send, said: dict[int, bytearray]) -> None:
        line = self._lines.get(effect.line)
        if line is not None and line.end.state is State.OPEN:
            said.setdefault(effect.line, bytearray()).extend(line.end.send(effect.message))

    def _write(self, number: int, data: bytes | bytearray) -> None:
        line = self._lines.get(number)
        if line is not None and line.write(data) > self._bounds.unread:
            self._loop.call_soon(self._cut, number, "it does not read")

    def _hang_up(self, effect: Close) -> None:
        """The room has closed a line: it hears no more of it."""
        line = self._drop(effect.line)
        if line is not None:
            self._see_off(line)

    def _drop(self, number: int) -> Line | None:
        """Take a line out of the server's books; None if it is not there any more."""
        line = self._lines.pop(number, None)
        if line is not None:
            self._crowds[line.origin] -= 1
            if not self._crowds[line.origin]:
                del self._crowds[line.origin]
        return line

    def _cut(self, number: int, reason: str) -> None:
        """The conversation of a line cannot go on."""
        line = self._strike(number, reason)
        if line is not None:
            self._see_off(line)

    def _see_off(self, line: Line) -> None:
        """Close a line; it may read for a moment what it has been sent.

        What it still sends meanwhile is thrown away: unread, it would reset the connection.
        """
        line.opening.cancel()
        line.write(line.end.answer() + line.end.close())
        if line.transport.is_closing():
            return
        with contextlib.suppress(OSError):  # it is gone already; the others must hear what is left
            line.transport.write_eof()
        line.transport.resume_reading()
        self._leaving.add(line.transport)
        self._loop.call_later(self._bounds.farewell, self._forget, line.transport)

    def _forget(self, transport: Any) -> None:
        transport.abort()
        self._leaving.discard(transport)

    async def _say_farewell(self) -> None:
        """Close what is open, and give everybody a moment to read to the end."""
        for number in list(self._lines):
            line = self._drop(number)
            assert line is not None
            self._see_off(line)
        until = self._loop.time() + self._bounds.farewell
        while self._loop.time() < until and self._leaving:
            await asyncio.sleep(0.01)

    def _set_timer(self) -> None:
        due = None if self.room.is_over else self.room.deadline
        if self._timer is None or self._timer.when() != due:
            self._set_timer_at(due)

    def _set_timer_at(self, due: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if due is None else self._loop.call_at(due, self._time_out)

    def _time_out(self) -> None:
        self._timer = None
        amid = [number for number, line in self._lines.items() if line.end.is_amid_message]
        now = max(self._loop.time(), self.room.deadline or 0.0)
        self.do(self.room.time(now, amid))


async def serve(
    room: Room,
    make_end: Callable[[], End[Any]],
    listener: socket.socket,
    bounds: Bounds | None = None,
) -> Server:
    """Let a room be visited at `listener`, by anybody, until it is over."""
    server = Server(room, make_end, bounds=bounds)
    await server.serve(listener)
    return server
