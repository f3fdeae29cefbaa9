"""Agents that think for seconds in a room with slow connections, on a simulated clock."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from catan_env.net.room import Close, Effect, Send

Said = list[Any]


@dataclass
class Player:
    """One agent on a line; `clock` is its own, which its decisions advance."""

    agent: Any
    clock: float = 0.0
    heard: Said = field(default_factory=list)
    said: Said = field(default_factory=list)
    is_gone: bool = False
    read_at: float | None = None
    """The time at which it last read messages."""

    def __post_init__(self) -> None:
        self.agent.present.clock = lambda: self.clock

    @property
    def deadline(self) -> float | None:
        return None if self.is_gone or self.agent.is_over else self.agent.deadline


class SlowWorld:
    """A room and players whose messages arrive `delay` seconds later, in order.

    Messages that arrive while a player decides are received after its decision, as over a socket;
    those that arrived together are read together, with the same time.
    """

    def __init__(self, room: Any, delay: float = 0.03) -> None:
        self.room, self.delay, self.now = room, delay, 0.0
        self.players: list[Player] = []
        self._numbers = count()
        self._under_way: list[tuple[float, int, bool, int, Any]] = []

    def seat(self, player: Player) -> None:
        """Connect a player; the earlier ones are already connected."""
        line = len(self.players)
        self.players.append(player)
        self._carry_out(self.room.opened(line, self.now))
        player.clock = self.now
        self._send(line, player.agent.opened(self.now))

    def run(self, seconds: float) -> None:
        """Let time pass, or until nothing more can happen."""
        until = self.now + seconds
        while self.now < until and self._step():
            pass

    def _step(self) -> bool:
        """The next event: a message arrives, or a deadline passes."""
        arrival = self._under_way[0][0] if self._under_way else None
        due, line = self._next_deadline()
        if arrival is None and due is None:
            return False
        if due is not None and (arrival is None or due < arrival):
            self.now = max(self.now, due)
            self._time_out(line)
        else:
            when, number, is_for_room, line, message = heapq.heappop(self._under_way)
            self.now = max(self.now, when)
            self._arrive(number, is_for_room, line, message)
        return True

    def _next_deadline(self) -> tuple[float | None, int | None]:
        """The next deadline and its line, or None for the room's."""
        dues: list[tuple[float, int | None]] = []
        if self.room.deadline is not None:
            dues.append((self.room.deadline, None))
        for line, player in enumerate(self.players):
            if player.deadline is not None:
                dues.append((max(player.deadline, player.clock), line))
        return min(dues, key=lambda one: one[0]) if dues else (None, None)

    def _time_out(self, line: int | None) -> None:
        if line is None:
            self._carry_out(self.room.time(self.now))
            return
        player = self.players[line]
        player.clock = self.now
        self._send(line, player.agent.time(self.now))

    def _arrive(self, number: int, is_for_room: bool, line: int, message: Any) -> None:
        player = self.players[line]
        if is_for_room:
            self._carry_out(self.room.received(line, message, self.now))
        elif player.clock > self.now != player.read_at:
            heapq.heappush(self._under_way, (player.clock, number, False, line, message))
        elif isinstance(message, Close):
            player.is_gone = True
        elif not player.is_gone:
            player.clock, player.read_at = max(player.clock, self.now), self.now
            player.heard.append(message)
            self._send(line, player.agent.received(message, self.now))

    def _send(self, line: int, messages: Iterable[Any]) -> None:
        player = self.players[line]
        for message in messages:
            player.said.append(message)
            self._post(player.clock + self.delay, True, line, message)

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            message = effect.message if isinstance(effect, Send) else effect
            self._post(self.now + self.delay, False, effect.line, message)

    def _post(self, when: float, is_for_room: bool, line: int, message: Any) -> None:
        heapq.heappush(self._under_way, (when, next(self._numbers), is_for_room, line, message))
