"""Rooms behind sockets: the only file that knows asyncio."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import Codec, Connection
from catan_env.net.room import Effect, Room, Send

READ_SIZE = 1024
"""Bytes taken from one agent before the others have their turn."""
MOST_UNREAD = 1 << 20
"""Bytes that may wait for an agent that does not read."""
LAST_WORDS = 0.3
"""Seconds to wait for a lifeline to say why a connection broke."""
FAREWELL = 1.0
"""Seconds in which an agent may read the last message."""

Start = Callable[[int], int | None]
"""Starts the agent of a seat; returns its lifeline, or None when it comes by itself.

A lifeline is a file on which one line says why the agent is gone.
"""


def listen(host: str, port: int) -> socket.socket:
    """A socket that agents connect to; OSError when the address is in use."""
    return socket.create_server((host, port), backlog=16)


class Wire(asyncio.BufferedProtocol):
    """One agent's connection: bytes to its sitting, once it has one."""

    def __init__(self, arrivals: "asyncio.Queue[Wire]") -> None:
        self._arrivals = arrivals
        self._buffer = bytearray(READ_SIZE)
        self.received: Callable[[bytes], None] | None = None
        self.lost: Callable[[str], None] | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: Any) -> None:
        """An agent has connected; it is not read from until it has a seat."""
        self.transport = transport
        transport.pause_reading()
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arrivals.put_nowait(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next bytes go."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes have come."""
        if self.received is not None:
            self.received(bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool:
        """The agent has closed its side; so do we."""
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is closed."""
        if self.lost is not None:
            self.lost("its connection broke" if error else "it closed its connection")


class Sitting:
    """A room whose seats are connections; `done` is set when its game is over."""

    def __init__(self, room: Room, make_codec: Callable[[], Codec[Any]]) -> None:
        self.room = room
        self.done = asyncio.Event()
        self.handling_times: list[float] = []
        """Seconds that this process took for each message received."""
        self._make_codec = make_codec
        self._loop = asyncio.get_running_loop()
        self._wires: dict[int, Wire] = {}
        self._connections: dict[int, Connection[Any]] = {}
        self._lifelines: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def seat(self, seat: int, wire: Wire) -> None:
        """Give a connection a seat."""
        self._wires[seat] = wire
        self._connections[seat] = Connection(self._make_codec())
        wire.received = lambda data: self._received(seat, data)
        wire.lost = lambda reason: self._lost(seat, reason)
        self.room.join(seat)

    def watch(self, seat: int, lifeline: int) -> None:
        """The seat's agent is gone when its lifeline says so."""
        self._lifelines[seat] = lifeline
        self._loop.add_reader(lifeline, self._hear_lifeline, seat, lifeline)

    def is_alive(self, seat: int) -> bool:
        """Whether nothing has been heard of the seat's end."""
        return seat in self._lifelines

    def begin(self) -> None:
        """Everybody who is coming is there."""
        for wire in self._wires.values():
            assert wire.transport is not None
            if not wire.transport.is_closing():
                wire.transport.resume_reading()
        self._do(self.room.begin(self._loop.time()))

    def close(self) -> None:
        """Let go of everything, whatever state it is in."""
        for lifeline in self._lifelines.values():
            self._loop.remove_reader(lifeline)
        self._lifelines.clear()
        if self._timer is not None:
            self._timer.cancel()
        for wire in self._wires.values():
            wire.received = wire.lost = None
            assert wire.transport is not None
            wire.transport.abort()

    async def drain(self) -> None:
        """Give the agents a moment to read the last message."""
        until = self._loop.time() + FAREWELL
        transports = [wire.transport for wire in self._wires.values() if wire.transport]
        while any(t.get_write_buffer_size() for t in transports) and self._loop.time() < until:
            await asyncio.sleep(0.01)

    def _received(self, seat: int, data: bytes) -> None:
        try:
            for message in self._connections[seat].receive(data):
                begun = perf_counter()
                self._do(self.room.receive(seat, message, self._loop.time()))
                self.handling_times.append(perf_counter() - begun)
        except RemoteProtocolError as error:
            self._wires[seat].received = None
            self._leave(seat, str(error))
        if not self.room.hears(seat):
            self._deafen(seat)

    def _deafen(self, seat: int) -> None:
        transport = self._wires[seat].transport
        assert transport is not None
        if not transport.is_closing():
            transport.pause_reading()

    def _lost(self, seat: int, reason: str) -> None:
        """The connection is gone; the lifeline may know more."""
        if seat in self._lifelines:
            self._loop.call_later(LAST_WORDS, self._leave, seat, reason)
        else:
            self._leave(seat, reason)

    def _hear_lifeline(self, seat: int, lifeline: int) -> None:
        words = os.read(lifeline, 1024).decode(errors="replace").strip()
        self._loop.remove_reader(lifeline)
        self._lifelines.pop(seat, None)
        self._leave(seat, words.partition("\n")[0] or "its keeper is gone")

    def _leave(self, seat: int, reason: str) -> None:
        self._do(self.room.leave(seat, reason, self._loop.time()))

    def _do(self, effects: Iterable[Effect]) -> None:
        """Carry out effects; what goes to one seat goes in one piece."""
        said: dict[int, bytearray] = {}
        for effect in effects:
            if isinstance(effect, Send):
                more = self._connections[effect.seat].send(effect.message)
                said.setdefault(effect.seat, bytearray()).extend(more)
            else:
                self._write(effect.seat, said.pop(effect.seat, bytearray()))
                self._hang_up(effect.seat)
        for seat, data in said.items():
            self._write(seat, data)
        if self.room.is_over:
            self.done.set()
        self._set_timer()

    def _write(self, seat: int, data: bytearray) -> None:
        transport = self._wires[seat].transport
        assert transport is not None
        if data and not transport.is_closing():
            transport.write(data)
            if transport.get_write_buffer_size() > MOST_UNREAD:
                self._loop.call_soon(self._leave, seat, "it does not read")

    def _hang_up(self, seat: int) -> None:
        wire = self._wires[seat]
        wire.received = wire.lost = None
        assert wire.transport is not None
        wire.transport.close()

    def _set_timer(self) -> None:
        due = self.room.deadline
        if self._timer is not None:
            if self._timer.when() == due:
                return
            self._timer.cancel()
            self._timer = None
        if due is not None:
            self._timer = self._loop.call_at(due, self._time_out)

    def _time_out(self) -> None:
        self._timer = None
        amid = [seat for seat, c in self._connections.items() if c.is_amid_message]
        now = max(self._loop.time(), self.room.deadline or 0.0)
        self._do(self.room.timeout(now, amid))


async def serve(
    room: Room,
    make_codec: Callable[[], Codec[Any]],
    listener: socket.socket,
    start: Start,
    patience: float,
) -> Sitting:
    """Start and seat an agent for each of the room's seats, one by one, and play to the end.

    The first connection after the start of agent i has seat i; one that does not come in
    `patience` seconds is absent. `listener` stays open.
    """
    loop = asyncio.get_running_loop()
    arrivals: asyncio.Queue[Wire] = asyncio.Queue()
    server = await loop.create_server(lambda: Wire(arrivals), sock=listener.dup())
    sitting = Sitting(room, make_codec)
    try:
        for seat in range(len(room.decision_times)):
            await _seat_one(sitting, seat, start, arrivals, patience)
        server.close()
        sitting.begin()
        await sitting.done.wait()
        await sitting.drain()
    finally:
        server.close()
        sitting.close()
    return sitting


async def _seat_one(
    sitting: Sitting, seat: int, start: Start, arrivals: "asyncio.Queue[Wire]", patience: float
) -> None:
    """Wait for one agent, no longer than it lives."""
    lifeline = start(seat)
    if lifeline is not None:
        sitting.watch(seat, lifeline)
    until = asyncio.get_running_loop().time() + patience
    while asyncio.get_running_loop().time() < until:
        if lifeline is not None and not sitting.is_alive(seat) and arrivals.empty():
            return
        try:
            wire = await asyncio.wait_for(arrivals.get(), 0.05)
        except TimeoutError:
            continue
        sitting.seat(seat, wire)
        return
