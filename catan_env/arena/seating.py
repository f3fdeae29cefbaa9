"""Brings agents' processes to a room's seats: starts them and assigns their connections.

All agents are started simultaneously. An agent's line is the first connection held by one of its
processes, even if other clients connect earlier; a second one is closed immediately. A seat whose
agent is started elsewhere takes a connection of no known agent, one that is still open when all
others are seated. An agent's lifeline is a file on which one line states why its process is gone.
That is a better reason than "it closed its connection", and an unreadable message is a better one
than either, whichever is noticed first: the end of a line waits a moment for the lifeline's report,
and the report for the end of the line.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from catan_env.arena.origin import is_from_elsewhere, is_open, keeper_of
from catan_env.arena.sandbox import Agent
from catan_env.arena.together import together
from catan_env.game.game import Game
from catan_env.net.framing import End
from catan_env.net.room import Effect, Removal, Room
from catan_env.net.serve import CONNECTION_BROKE, CONNECTION_CLOSED, Server

LAST_WORDS = 0.3
"""Seconds to wait for a lifeline to state why a connection broke, or for the end of the line."""
WITHOUT_CAUSE = (CONNECTION_CLOSED, CONNECTION_BROKE)
"""Ends of a line for which the end of its process may be the cause."""

LOOK_EVERY = 0.05
"""Seconds between two checks for new agents."""
LONG_PATIENCE = 600.0
"""Seconds in which an agent that is started elsewhere must connect."""
MOST_SURPLUS = 16
"""Further connections after which an agent is removed."""
SETTLING = 0.5
"""Seconds that a connection must stay open before it counts as an agent started elsewhere."""
REFUSED = "refused a connection that no visible process outside the agents holds (docs/security.md)"

Start = Callable[[int], Agent | None]
"""Starts the agent of a seat; None if it connects by itself."""


class GameRoom(Room, Protocol):
    """A room with a game, and seats or places that lines are assigned to."""

    @property
    def game(self) -> Game:
        """The game being played."""

    @property
    def winner(self) -> int | None:
        """The seat that has won."""

    @property
    def removals(self) -> Sequence[Removal]:
        """Seats that were removed."""

    @property
    def timeouts(self) -> Sequence[int]:
        """By seat: the number of time-outs."""

    @property
    def decision_times(self) -> Sequence[Sequence[float]]:
        """By seat: seconds from request to answer."""

    def reserve(self, line: int, seat: int) -> None:
        """Make `line` the agent of `seat`."""

    def leave(self, seat: int, reason: str, now: float) -> list[Effect]:
        """Remove the agent of `seat`, which is gone."""


class Watched:
    """A room that is notified of an agent's end only once the best reason for it is known.

    Otherwise it forwards to its `net.room.Room`. No sockets, no processes: `living` are the seats
    whose lifelines have not reported yet.
    """

    def __init__(self, room: GameRoom) -> None:
        self.room = room
        self.living: set[int] = set()
        self.guests: dict[int, float] = {}
        """Lines of agents that are started elsewhere, with the times at which they were opened."""
        self._seats: dict[int, int] = {}
        self._open: set[int] = set()
        """Seats of open lines."""
        self._ended: dict[int, tuple[float, str]] = {}
        """Lines that ended before their lifelines reported: until when to wait, and why."""
        self._dead: dict[int, tuple[float, str]] = {}
        """Seats whose lifelines have reported before the ends of their lines, likewise."""

    @property
    def is_over(self) -> bool:
        """True if the server may stop."""
        return self.room.is_over

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due."""
        dues = [due for due, _ in (*self._ended.values(), *self._dead.values())]
        if self.room.deadline is not None:
            dues.append(self.room.deadline)
        return min(dues, default=None)

    def reserve(self, line: int, seat: int) -> None:
        """Make `line` the agent of `seat`."""
        self._seats[line] = seat
        self._open.add(seat)
        self.room.reserve(line, seat)

    def hears(self, line: int) -> bool:
        """True if the input of `line` can matter now; for a guest, its end."""
        return line in self.guests or self.room.hears(line)

    def opened(self, line: int, now: float) -> list[Effect]:
        """Handle a new line."""
        return [] if line in self.guests else self.room.opened(line, now)

    def seat_guests(self, seats: Collection[int], now: float) -> list[Effect] | None:
        """Seat guests that have stayed long enough; None while a seat lacks one."""
        ready = [line for line, since in self.guests.items() if now >= since + SETTLING]
        if len(ready) < len(seats):
            return None
        effects: list[Effect] = []
        for line, seat in zip(ready, sorted(seats), strict=False):
            del self.guests[line]
            self.reserve(line, seat)
            effects += self.room.opened(line, now)
        return effects

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Handle a message from `line`."""
        return self.room.received(line, message, now)

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Handle the end of `line`; its agent's lifeline may know more."""
        if self.guests.pop(line, None) is not None:
            return []
        seat = self._seats.get(line, -1)
        self._open.discard(seat)
        is_fault = reason not in WITHOUT_CAUSE
        if seat in self.living and not is_fault:
            self._ended[line] = now + LAST_WORDS, reason
            return []
        if is_fault:
            return self.room.closed(line, reason, now) + self._leave(seat, now)
        return self._leave(seat, now) + self.room.closed(line, reason, now)

    def died(self, seat: int, report: str, now: float) -> list[Effect]:
        """Handle the report of a seat's lifeline; its line may still have a message that counts."""
        self.living.discard(seat)
        if seat not in self._open:
            return self.room.leave(seat, report, now)
        self._dead[seat] = now + LAST_WORDS, report
        return []

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Handle the passage of time."""
        effects: list[Effect] = []
        for line, (due, reason) in list(self._ended.items()):
            if due <= now:
                del self._ended[line]
                effects += self.room.closed(line, reason, now)
        for seat, (due, _) in list(self._dead.items()):
            if due <= now:
                effects += self._leave(seat, now)
        return effects + self.room.time(now, amid_message)

    def _leave(self, seat: int, now: float) -> list[Effect]:
        """Pass on the report of a seat's lifeline, if it has waited for the end of the line."""
        if seat not in self._dead:
            return []
        _, report = self._dead.pop(seat)
        return self.room.leave(seat, report, now)


class Seating:
    """One game's agents, started by `start`, at one listening socket."""

    def __init__(
        self, room: GameRoom, make_end: Callable[[], End[Any]], start: Start, patience: float
    ) -> None:
        self.room = room
        self._room = Watched(room)
        self._num_seats = room.game.seats
        self._start = start
        self._patience = patience
        self._server = Server(self._room, make_end, self._let_in)
        self._agents: dict[int, Agent] = {}
        self._lifelines: dict[int, int] = {}
        self._awaited: set[int] = set()
        self._awaited_guests: set[int] = set()
        self._surplus: dict[int, int] = {}
        self._has_refused = False

    async def play(self, listener: socket.socket) -> None:
        """Seat all agents and play to the end; `listener` is closed once all are seated.

        The error that prevents an agent from being started ends the game.
        """
        async with together() as group:
            seating = group.create_task(self._seat_all())
            try:
                await self._server.serve(listener)
            finally:
                seating.cancel()
                for lifeline in self._lifelines.values():
                    asyncio.get_running_loop().remove_reader(lifeline)

    async def _seat_all(self) -> None:
        """Start all agents and wait for them; after the time limit a missing one has failed."""
        self._start_all()
        await self._wait_for(self._awaited - self._awaited_guests, self._patience)
        await self._wait_for(self._awaited_guests, LONG_PATIENCE)
        self._server.shut_doors()
        for agent in self._agents.values():
            agent.begin()

    def _start_all(self) -> None:
        self._awaited = set(range(self._num_seats))
        for seat in range(self._num_seats):
            agent = self._start(seat)
            if agent is None:
                self._awaited_guests.add(seat)
            else:
                self._agents[seat] = agent
                self._watch(seat, agent.lifeline)

    async def _wait_for(self, seats: Collection[int], patience: float) -> None:
        """Wait until all of them have connected, or will not."""
        until = self._now() + patience
        while self._awaited & set(seats):
            if self._awaited <= self._awaited_guests:
                self._seat_guests()
            if self._now() > until:
                for seat in sorted(self._awaited & set(seats)):
                    self._awaited.discard(seat)
                    self._server.do(self._room.room.leave(seat, "never connected", self._now()))
            await asyncio.sleep(LOOK_EVERY)

    def _seat_guests(self) -> None:
        effects = self._room.seat_guests(self._awaited, self._now())
        if effects is not None:
            self._awaited.clear()
            self._server.shut_doors()  # before the game begins
            self._server.do(effects)

    def _let_in(self, line: int, sock: socket.socket) -> bool:
        """True if a connection stays; one that is closed already costs next to nothing."""
        return is_open(sock) and self._admit(line, sock)

    def _admit(self, line: int, sock: socket.socket) -> bool:
        """True if a connection stays: the first of an agent's process, or a guest's."""
        seats = {agent.keeper: seat for seat, agent in self._agents.items()}
        keeper = keeper_of(sock, seats)
        if keeper is not None:
            return self._take_seat(line, seats[keeper])
        return self._admit_guest(line, sock)

    def _admit_guest(self, line: int, sock: socket.socket) -> bool:
        """True if there is a seat left for an agent that is started elsewhere, as this one is."""
        if len(self._room.guests) >= len(self._awaited_guests & self._awaited):
            return False
        if not self._is_guest(sock):
            return False
        self._room.guests[line] = self._now()
        return True

    def _is_guest(self, sock: socket.socket) -> bool:
        """True if a connection belongs to no started agent, of this game or another."""
        is_guest = is_from_elsewhere(sock, Agent.keepers)
        if not is_guest and not self._has_refused:
            self._has_refused = True
            print(REFUSED, file=sys.stderr, flush=True)
        return is_guest

    def _take_seat(self, line: int, seat: int) -> bool:
        if seat not in self._awaited:
            self._turn_away(seat)
            return False
        self._room.reserve(line, seat)
        self._awaited.discard(seat)
        return True

    def _turn_away(self, seat: int) -> None:
        """Handle another connection of an agent; one with too many is removed: it blocks others."""
        self._surplus[seat] = self._surplus.get(seat, 0) + 1
        if self._surplus[seat] == MOST_SURPLUS:
            self._agents[seat].hang_up()
            reason = f"connected {MOST_SURPLUS} times more"
            self._server.do(self._room.room.leave(seat, reason, self._now()))

    def _watch(self, seat: int, lifeline: int) -> None:
        self._lifelines[seat] = lifeline
        self._room.living.add(seat)
        asyncio.get_running_loop().add_reader(lifeline, self._hear, seat, lifeline)

    def _hear(self, seat: int, lifeline: int) -> None:
        """Handle the end of a process, which may not have connected yet."""
        words = os.read(lifeline, 1024).decode(errors="replace").strip()
        asyncio.get_running_loop().remove_reader(lifeline)
        del self._lifelines[seat]
        self._awaited.discard(seat)
        reason = words.partition("\n")[0] or "its keeper is gone"
        self._server.do(self._room.died(seat, reason, self._now()))

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
