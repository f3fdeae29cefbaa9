"""A room and its agents over slow connections, with agents' waits ending early at random.

The server behaves correctly whatever the delays, so no agent may leave, hang or be removed.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from catan_env.net.framing import End
from catan_env.net.room import Close, Effect, Room, Send
from catan_env.net.visit import Visit
from tests.protocols.late.lines import Lines

EARLY = 0.3
"""The probability that a wait ends early."""
MOST_EARLY = 2
"""The most early ends without any arrival: a server that is silent for longer is at fault."""
MOST_STEPS = 300_000


class LateTable:
    """Plays a room's games with agents over slow connections; line k is the k-th agent's.

    `end` and `client_end` make the two ends of a line. `may_end_early` is False for an agent's
    wait that must last: if a line that is silent for as long is dead.
    """

    def __init__(
        self,
        room: Room,
        agents: list[Any],
        end: Callable[[], End[Any]],
        client_end: Callable[[], End[Any]],
        chance: Random,
        is_served: Callable[[], bool] | None = None,
        may_end_early: Callable[[Any], bool] = lambda agent: True,
    ) -> None:
        self.room, self.agents = room, list(agents)
        self.lines = Lines(chance)
        self.early = 0
        """Waits that ended early."""
        self.waited = 0
        """Waits that ended on time."""
        self._chance = chance
        self._ends = [end() for _ in agents]
        self.visits = [Visit(client_end(), agent) for agent in agents]
        self._ahead = [0.0] * len(agents)
        """The lead of each agent's clock, from waits that ended early."""
        self._ended_early = [0] * len(agents)
        self._end, self._client_end = end, client_end
        self._may_end_early = may_end_early
        self._is_served = is_served or (lambda: self.room.is_over)
        self.reconnected = 0
        """Connections that agents gave up and opened again."""
        self._open = set(range(len(agents)))
        """Lines that the agents have not yet found closed."""
        self._closed: set[int] = set()
        """Lines that the server has closed."""

    def play(self) -> "LateTable":
        """Play to the end; AssertionError if nothing more happens before it."""
        for agent in self.agents:
            agent.present.clock = lambda: 0.0
        for line, visit in enumerate(self.visits):
            self._do(self.room.opened(line, self.lines.now))
            self._say(line, visit.begin(0.0))
        for _ in range(MOST_STEPS):
            if self._is_done() or not self._step():
                break
        assert self._is_served(), "the game does not end"
        assert all(agent.is_over for agent in self.agents), "an agent does not end"
        return self

    def _is_done(self) -> bool:
        return self._is_served() and all(agent.is_over for agent in self.agents)

    def is_quiet(self, line: int) -> bool:
        """True if the server and the agent of a line have received everything from each other."""
        return self.lines.is_quiet(line)

    def _step(self) -> bool:
        """Let something arrive, or time pass; False if neither is possible."""
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
        """An agent's deadline on the server's clock."""
        agent = self.agents[line]
        if agent.is_over or agent.deadline is None:
            return None
        return float(agent.deadline) - self._ahead[line]

    def _arrive(self, line: int, to_server: bool) -> None:
        data = self.lines.take((line, to_server))
        if not to_server:
            self._ended_early[line] = 0
            if line in self._open:
                self._say(line, self.visits[line].receive(data, self._clock(line)))
            return
        for message in self._ends[line].receive(data):
            if line in self._closed:
                break
            self._do(self.room.received(line, message, self.lines.now))

    def _clock(self, line: int) -> float:
        return self.lines.now + self._ahead[line]

    def _find_closed(self) -> None:
        """Deliver everything that the server sent before it closed the line."""
        for line in self._closed & self._open:
            if self.lines.is_quiet(line):
                self._open.discard(line)
                self.visits[line].close(self._clock(line))

    def _end_waits_early(self) -> None:
        """End a wait before its time, even one that was restarted."""
        for line in sorted(self._open):
            due = self._due(line)
            is_due = due is not None and self._may_end_early(self.agents[line])
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
        now = max(self._clock(line), float(self.agents[line].deadline))  # may be rounded
        self._say(line, self.visits[line].time(now))

    def _say(self, line: int, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            if line not in self._closed:
                self.lines.send((line, True), piece)
        agent = self.agents[line]
        if agent.is_over and not getattr(agent, "is_done", True):
            self._reconnect(line)

    def _reconnect(self, line: int) -> None:
        """Open another connection of the agent, to read the whole game again."""
        self.reconnected += 1
        self._open.discard(line)
        self._closed.add(line)
        self.lines.drop(line)
        self._do(self.room.closed(line, "gone", self.lines.now))
        new = len(self.agents)
        self.agents.append(self.agents[line])
        self._ends.append(self._end())
        self.visits.append(Visit(self._client_end(), self.agents[line]))
        self._ahead.append(self._ahead[line])
        self._ended_early.append(0)
        self._open.add(new)
        self._do(self.room.opened(new, self.lines.now))
        self._say(new, self.visits[new].begin(self._clock(new)))

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self.lines.send((effect.line, False), self._ends[effect.line].send(effect.message))
            else:
                assert isinstance(effect, Close)
                self.lines.drop(effect.line)
                self._closed.add(effect.line)
