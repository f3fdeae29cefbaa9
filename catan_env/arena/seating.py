"""Agents' processes brought to a room's seats: who is started when, and which line is whose.

Agents are started one after the other. While one is awaited, the next connection is its line; any
other connection is closed at once. An agent's lifeline is a file on which one line says why its
process is gone; what it says is a better reason than "it closed its connection", so that a line's
end is passed on to the room a moment later than it came.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Collection
from typing import Any

from catan_env.net.framing import End
from catan_env.net.room import Effect
from catan_env.net.serve import Server
from catan_env.protocols.catan_binary.room import CatanRoom

LAST_WORDS = 0.3
"""Seconds to wait for a lifeline to say why a connection broke."""

Start = Callable[[int], int | None]
"""Starts the agent of a seat; returns its lifeline, or None when it comes by itself."""


class Watched:
    """A room that hears of a line's end only when its agent's process could say why.

    The rest of `net.room.Room` is the room's own. No sockets, no processes: `living` are the seats
    whose lifelines have said nothing yet.
    """

    def __init__(self, room: CatanRoom) -> None:
        self.room = room
        self.living: set[int] = set()
        self._seats: dict[int, int] = {}
        self._ended: dict[int, tuple[float, str]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the server may stop."""
        return self.room.is_over

    @property
    def deadline(self) -> float | None:
        """When `time` is due."""
        dues = [due for due, _ in self._ended.values()]
        if self.room.deadline is not None:
            dues.append(self.room.deadline)
        return min(dues, default=None)

    def reserve(self, line: int, seat: int) -> None:
        """`line` is the agent of `seat`."""
        self._seats[line] = seat
        self.room.reserve(line, seat)

    def hears(self, line: int) -> bool:
        """Whether what `line` sends can matter now."""
        return self.room.hears(line)

    def opened(self, line: int, now: float) -> list[Effect]:
        """A new line is open."""
        return self.room.opened(line, now)

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """`line` has sent a message."""
        return self.room.received(line, message, now)

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """`line` is gone; its agent's lifeline may know more."""
        if self._seats.get(line) not in self.living:
            return self.room.closed(line, reason, now)
        self._ended[line] = now + LAST_WORDS, reason
        return []

    def died(self, seat: int, reason: str, now: float) -> list[Effect]:
        """The lifeline of `seat` has spoken."""
        self.living.discard(seat)
        return self.room.leave(seat, reason, now)

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Time has passed."""
        effects: list[Effect] = []
        for line, (due, reason) in list(self._ended.items()):
            if due <= now:
                del self._ended[line]
                effects += self.room.closed(line, reason, now)
        return effects + self.room.time(now, amid_message)


class Seating:
    """One game's agents, started by `start`, at one listening socket."""

    def __init__(
        self, room: CatanRoom, make_end: Callable[[], End[Any]], start: Start, patience: float
    ) -> None:
        self._room = Watched(room)
        self._seats = range(room.game.seats)
        self._start = start
        self._patience = patience
        self._server = Server(self._room, make_end, self._admit)
        self._awaited: int | None = None
        self._has_come = asyncio.Event()
        self._lifelines: dict[int, int] = {}

    async def play(self, listener: socket.socket) -> None:
        """Bring everybody to the table and play to the end; `listener` stays open."""
        seating = asyncio.create_task(self._seat_all())
        try:
            await self._server.serve(listener)
        finally:
            seating.cancel()
            for lifeline in self._lifelines.values():
                asyncio.get_running_loop().remove_reader(lifeline)

    async def _seat_all(self) -> None:
        """One after the other; who has not come in `patience` seconds never will."""
        for seat in self._seats:
            self._awaited = seat
            self._has_come.clear()
            self._watch(seat, self._start(seat))
            try:
                await asyncio.wait_for(self._has_come.wait(), self._patience)
            except TimeoutError:
                self._awaited = None
                self._server.do(self._room.room.leave(seat, "never connected", self._now()))

    def _admit(self, line: int, _: socket.socket) -> bool:
        """Give a connection the seat that is waited for."""
        if self._awaited is None:
            return False
        self._room.reserve(line, self._awaited)
        self._awaited = None
        self._has_come.set()
        return True

    def _watch(self, seat: int, lifeline: int | None) -> None:
        if lifeline is not None:
            self._lifelines[seat] = lifeline
            self._room.living.add(seat)
            asyncio.get_running_loop().add_reader(lifeline, self._hear, seat, lifeline)

    def _hear(self, seat: int, lifeline: int) -> None:
        """A process is gone, perhaps before it connected."""
        words = os.read(lifeline, 1024).decode(errors="replace").strip()
        asyncio.get_running_loop().remove_reader(lifeline)
        del self._lifelines[seat]
        if self._awaited == seat:
            self._awaited = None
            self._has_come.set()
        reason = words.partition("\n")[0] or "its keeper is gone"
        self._server.do(self._room.died(seat, reason, self._now()))

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
