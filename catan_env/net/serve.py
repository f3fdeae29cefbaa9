"""Rooms behind sockets: asyncio's part of a server; rooms know neither sockets nor tasks."""

import asyncio
import contextlib
import socket
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
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
"""Bytes read from one line before the other lines have their turn."""
KERNEL_SIZE = 1 << 16
"""Bytes in the operating system's buffer of one line, before more are counted as unread."""
MOST_TIMES = 1 << 18
"""Number of recent messages whose handling times are kept: a server may run for months."""
CONNECTION_CLOSED = "it closed its connection"
CONNECTION_BROKE = "its connection broke"
MADE_ROOM = "it was silent while others came"
SPARE_FILES = 128
"""Files that a process may need besides its lines, including those just accepted."""
ACCEPTED_AT_ONCE = 64
"""Connections accepted before the open lines have their turn."""

Admit = Callable[[int, socket.socket], bool]
"""Decides by its number and socket whether a new line may stay."""


@dataclass(frozen=True)
class Bounds:
    """Per-connection limits of a server."""

    lines: int = 256
    """Limit on open lines, with those being closed. At the limit, a new line takes the place of one
    being closed, else of a silent one (that has not sent a message yet): of the oldest, from the
    address with most lines. If there is none, the new one is closed."""
    lines_of_address: int = 64
    """Limit on open lines from one address; these make room for each other in the same way."""
    unread: int = 1 << 20
    """Unread bytes at which a line is cut."""
    messages: float = 1000.0
    """Messages read per second from a line, and other frames, such as pings; the rest wait in its
    socket."""
    opening: float = 10.0
    """Time limit of a handshake, in seconds."""
    farewell: float = 1.0
    """Seconds in which a line that is being closed may read the remaining bytes."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise an OSError that names the address if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), f"{host} {port}") from None


def lines_that_fit(wanted: int) -> int:
    """Return the number of lines wanted, or the process's limit on open files if that is lower."""
    files = _most_files()
    return wanted if files is None else max(1, min(wanted, files - SPARE_FILES))


def check_lines(games: int, seats: int) -> None:
    """Raise ValueError if the process may not open a line for each seat of parallel games."""
    files, needed = _most_files(), games * seats + SPARE_FILES
    if files is not None and files < needed:
        at_a_time = f"{games} games of {seats} seats at a time" if games > 1 else f"{seats} seats"
        raise ValueError(
            f"{at_a_time} need {needed} open files; this process may have {files} (ulimit -n)"
        )


def _most_files() -> int | None:
    """The process's limit on open files; None without one."""
    try:
        import resource
    except ImportError:  # not Unix
        return None
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if files == resource.RLIM_INFINITY else files


class Wire(asyncio.BufferedProtocol):
    """The asyncio protocol of one socket; passes its bytes to the server."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._buffer = bytearray(READ_SIZE)
        self.line = -1
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Register a new connection."""
        self.transport = transport
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_SIZE)
        self._server.connected(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the buffer for the next bytes."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Handle received bytes."""
        self._server.received(self.line, bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool:
        """Return False, so that our side is closed, too, when the peer has closed its side."""
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """Handle the end of the connection."""
        self._server.lost(self, CONNECTION_BROKE if error else CONNECTION_CLOSED)


@dataclass
class Line:
    """One open connection: its end of the conversation and its transport."""

    end: End[Any]
    transport: Any
    allowance: Allowance
    opening: asyncio.TimerHandle
    origin: str = ""
    """The origin of its address, by which limits count it."""
    is_known: bool = False
    """True if the room has been notified of it."""
    has_spoken: bool = False
    """True if it has sent a message."""
    is_resting: bool = False
    """True if it has exceeded its message rate."""

    def write(self, data: bytes | bytearray) -> int:
        """Send bytes; return the number of bytes that the peer has not read yet."""
        if data and not self.transport.is_closing():
            self.transport.write(data)
        return int(self.transport.get_write_buffer_size())


class Server:
    """A room whose lines are connections to one listening socket.

    `admit` may reject a connection by its socket, and may assign the line's role in the room.
    Ends of lines found elsewhere (a process has died) reach the room by `do(room.closed(...))`.
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
        """Seconds of this process for each of the last messages received."""
        self._make_end = make_end
        self._admit = admit
        self._bounds = bounds or Bounds()
        self._most_lines = lines_that_fit(self._bounds.lines)
        self._loop = asyncio.get_running_loop()
        self._numbers = count()
        self._lines: dict[int, Line] = {}
        self._crowds: Counter[str] = Counter()
        """Number of lines by origin, with those being closed."""
        self._leaving: dict[Any, str] = {}
        """The transports of lines that are being closed, the oldest first, and their origins."""
        self._timer: asyncio.TimerHandle | None = None
        self._will_listen = False
        self._doors: asyncio.Server | None = None
        self._done = asyncio.Event()

    async def serve(self, listener: socket.socket) -> None:
        """Serve lines until the room is over; `listener` is closed with the doors."""
        self._doors = await self._loop.create_server(
            lambda: Wire(self), sock=listener, backlog=ACCEPTED_AT_ONCE, start_serving=False
        )
        try:
            await self._doors.start_serving()
            listener.listen(self._most_lines)  # a burst waits in the queue
            self.do([])
            await self._done.wait()
            self.shut_doors()
            await self._say_farewell()
        finally:
            self.shut_doors()
            self.close()

    def shut_doors(self) -> None:
        """Stop listening: connections are refused from now on; open lines stay."""
        if self._doors is not None:
            self._doors.close()

    def do(self, effects: Iterable[Effect]) -> None:
        """Apply the room's effects; messages to one line are written together."""
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
        """Release everything, in any state; what a transport cannot take at once is lost."""
        self._set_timer_at(None)
        for line in self._lines.values():
            line.opening.cancel()
            line.write(line.end.close())
            line.transport.abort()
        self._lines.clear()
        for transport in self._leaving:
            transport.abort()

    def connected(self, wire: Wire) -> None:
        """Accept a connection as a line, if there is room for it and it is admitted."""
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
        """True if one more line fits, possibly after another one has been cut."""
        if self._crowds[origin] >= self._bounds.lines_of_address:
            return self._make_room([origin])
        if len(self._lines) + len(self._leaving) >= self._most_lines:
            return self._make_room(self._crowds)
        return True

    def _make_room(self, origins: Collection[str]) -> bool:
        """Cut a line that is being closed, or a silent one; False if there is none."""
        return self._cut_leaving(origins) or self._cut_silent(origins)

    def _cut_leaving(self, origins: Collection[str]) -> bool:
        """Cut the oldest line being closed of the origin with most lines; False without one."""
        leaving = [each for each, origin in self._leaving.items() if origin in origins]
        if leaving:
            self._forget(max(leaving, key=lambda each: self._crowds[self._leaving[each]]))
        return bool(leaving)

    def _cut_silent(self, origins: Collection[str]) -> bool:
        """Cut the oldest silent line of the origin with most lines; False if no line is silent."""
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
            line.transport.abort()  # no closing message: waiting for it would keep a file open
        return True

    def received(self, number: int, data: bytes) -> None:
        """Handle the bytes of a line: pass its messages to the room one by one."""
        line = self._lines.get(number)
        if line is None:
            return
        messages, asides = 0, line.end.asides
        try:
            for message in line.end.receive(data):
                messages += 1
                line.has_spoken = True
                self._introduce(number, line)
                self._hear(number, message)
        except RemoteProtocolError as error:
            self._cut(number, str(error))
        self._introduce(number, line)
        self._spend(number, line, messages + line.end.asides - asides)

    def lost(self, wire: Wire, reason: str) -> None:
        """Handle the end of a connection."""
        self._has_left(wire.transport)
        self._strike(wire.line, reason)

    def _strike(self, number: int, reason: str) -> Line | None:
        """Remove a line and notify the room; None if it was removed before."""
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
        """Notify the room of a line whose handshake is done."""
        self._write(number, line.end.answer())
        if line.end.state is State.OPEN and not line.is_known and number in self._lines:
            line.is_known = True
            line.opening.cancel()
            self.do(self.room.opened(number, self._loop.time()))

    def _spend(self, number: int, line: Line, messages: int) -> None:
        """Resume reading once the line's rate allows it."""
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
        """Schedule, once, an update of the lines that are read from."""
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
        """Close a line for the room, which receives nothing more from it."""
        line = self._drop(effect.line)
        if line is not None:
            self._see_off(line)

    def _drop(self, number: int) -> Line | None:
        """Remove a line from the server's tables; None if it is not there any more."""
        line = self._lines.pop(number, None)
        if line is not None:
            self._count_out(line.origin)
        return line

    def _count_out(self, origin: str) -> None:
        self._crowds[origin] -= 1
        if not self._crowds[origin]:
            del self._crowds[origin]

    def _cut(self, number: int, reason: str) -> None:
        """End a line whose conversation cannot continue."""
        line = self._strike(number, reason)
        if line is not None:
            self._see_off(line)

    def _see_off(self, line: Line) -> None:
        """Close a line; the peer has a moment to read the remaining bytes.

        Bytes received meanwhile are discarded: unread, they would reset the connection.
        """
        line.opening.cancel()
        line.write(line.end.answer() + line.end.close())
        if not line.transport.is_closing():
            with contextlib.suppress(OSError):  # already closed; the others must still be served
                line.transport.write_eof()
            line.transport.resume_reading()
        self._leaving[line.transport] = line.origin
        self._crowds[line.origin] += 1
        self._loop.call_later(self._bounds.farewell, self._forget, line.transport)

    def _forget(self, transport: Any) -> None:
        """Close a transport without waiting for its peer."""
        transport.abort()
        self._has_left(transport)

    def _has_left(self, transport: Any) -> None:
        """Count out a line that was being closed, if this is one."""
        origin = self._leaving.pop(transport, None)
        if origin is not None:
            self._count_out(origin)

    async def _say_farewell(self) -> None:
        """Close all lines, and give the peers a moment to read the remaining bytes."""
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
    """Serve a room at `listener`, to any client, until it is over."""
    server = Server(room, make_end, bounds=bounds)
    await server.serve(listener)
    return server
