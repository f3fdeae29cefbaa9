"""A room and its agents over late lines, agents' waits ending early at random.

Whatever is late, the server behaves correctly: so no agent may leave, hang or be removed.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from catan_env.net.room import Close, Effect, Room, Send
from tests.protocols.late.lines import Lines

EARLY = 0.3
"""How likely a wait ends early."""
MOST_EARLY = 2
"""Waits that end early while nothing arrives: a server that is silent for longer is not correct."""
MOST_STEPS = 300_000


class End(Protocol):
    """One end of a connection: messages to bytes and back."""

    def send(self, message: Any) -> bytes: ...

    def receive(self, data: bytes) -> Any: ...


class Player(Protocol):
    """An agent at its end of a line; times are of its own clock."""

    deadline: float | None
    is_over: bool

    def opened(self, now: float) -> bytes: ...

    def receive(self, data: bytes, now: float) -> bytes: ...

    def time(self, now: float) -> bytes: ...

    def closed(self) -> None: ...


class LateTable:
    """Plays a room's games with players over late lines; line k is the k-th player's."""

    def __init__(
        self,
        room: Room,
        players: list[Any],
        end: Callable[[], End],
        chance: Random,
        is_served: Callable[[], bool] | None = None,
    ) -> None:
        self.room, self.players = room, players
        self.lines = Lines(chance)
        self.early = 0
        """Waits that ended early."""
        self.waited = 0
        """Waits that ended when they should."""
        self._chance = chance
        self._ends = [end() for _ in players]
        self._ahead = [0.0] * len(players)
        """How far each player's clock is ahead, by waits that ended early."""
        self._ended_early = [0] * len(players)
        self._end = end
        self._is_served = is_served or (lambda: self.room.is_over)
        self.reconnected = 0
        """Connections that players gave up and opened again."""
        self._open = set(range(len(players)))
        """Lines that the players have not found closed."""
        self._closed: set[int] = set()
        """Lines that the server has closed."""

    def play(self) -> "LateTable":
        """Play to the end; AssertionError if nothing happens any more before it."""
        for line, player in enumerate(self.players):
            self._do(self.room.opened(line, self.lines.now))
            self._say(line, player.opened(0.0))
        for _ in range(MOST_STEPS):
            if self._is_done() or not self._step():
                break
        assert self._is_served(), "the game does not end"
        assert all(player.is_over for player in self.players), "an agent does not end"
        return self

    def _is_done(self) -> bool:
        return self._is_served() and all(player.is_over for player in self.players)

    def is_quiet(self, line: int) -> bool:
        """Whether the server and the player of a line have heard everything from each other."""
        return self.lines.is_quiet(line)

    def _step(self) -> bool:
        """Let something arrive, or time pass; False if nothing can."""
        ways = self.lines.arrived()
        if ways:
            self._arrive(*self._chance.choice(ways))
            return True
        self._find_closed()
        self._end_waits_early()
        dues = [self.lines.next_arrival(), self.room.deadline, *map(self._due, self._open)]
        due = min((due for due in dues if due is not None), default=None)
        if due is None:
            return False
        self.lines.now = max(self.lines.now, due)
        self._let_time_pass()
        return True

    def _due(self, line: int) -> float | None:
        """A player's deadline by the server's clock."""
        player = self.players[line]
        if player.is_over or player.deadline is None:
            return None
        return float(player.deadline) - self._ahead[line]

    def _arrive(self, line: int, to_server: bool) -> None:
        data = self.lines.take((line, to_server))
        if not to_server:
            self._ended_early[line] = 0
            if line in self._open:
                self._say(line, self.players[line].receive(data, self._clock(line)))
            return
        for message in self._ends[line].receive(data):
            if line in self._closed:
                break
            self._do(self.room.received(line, message, self.lines.now))

    def _clock(self, line: int) -> float:
        return self.lines.now + self._ahead[line]

    def _find_closed(self) -> None:
        """A player hears all that the server sent before it closed the line."""
        for line in self._closed & self._open:
            if self.lines.is_quiet(line):
                self._open.discard(line)
                self.players[line].closed()

    def _end_waits_early(self) -> None:
        """A wait may end before its time, however often it is begun again."""
        for line in sorted(self._open):
            due = self._due(line)
            is_due = due is not None and self.players[line].may_end_early
            if is_due and self._ended_early[line] < MOST_EARLY and self._chance.random() < EARLY:
                assert due is not None
                self._ahead[line] += max(0.0, due - self.lines.now)
                self._ended_early[line] += 1
                self.early += 1
                self._wake(line)

    def _let_time_pass(self) -> None:
        if self.room.deadline is not None and self.room.deadline <= self.lines.now:
            self._do(self.room.time(self.lines.now))
        for line in sorted(self._open):
            due = self._due(line)
            if due is not None and due <= self.lines.now:
                self.waited += 1
                self._wake(line)

    def _wake(self, line: int) -> None:
        player = self.players[line]
        now = max(self._clock(line), float(player.deadline))  # the difference may be rounded
        self._say(line, player.time(now))

    def _say(self, line: int, data: bytes) -> None:
        if line not in self._closed:
            self.lines.send((line, True), data)
        if getattr(self.players[line], "is_lost", False):
            self._reconnect(line)

    def _reconnect(self, line: int) -> None:
        """A player opens another connection to read the whole game again."""
        self.reconnected += 1
        self._open.discard(line)
        self._closed.add(line)
        self.lines.drop(line)
        self._do(self.room.closed(line, "gone", self.lines.now))
        new = len(self.players)
        self.players.append(self.players[line])
        self._ends.append(self._end())
        self._ahead.append(self._ahead[line])
        self._ended_early.append(0)
        self._open.add(new)
        self._do(self.room.opened(new, self.lines.now))
        self._say(new, self.players[new].opened(self._clock(new)))

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self.lines.send((effect.line, False), self._ends[effect.line].send(effect.message))
            else:
                assert isinstance(effect, Close)
                self.lines.drop(effect.line)
                self._closed.add(effect.line)
