"""A connection in memory: the server's messages and the answers cross as bytes."""

from collections.abc import Iterable
from typing import Any

from catan_env.net import Connection
from catan_env.net.visit import Visit
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import Agent
from catan_env.protocols.jsettlers.end import client_end
from catan_env.protocols.jsettlers.framing import FrameCodec


class Line:
    """The agent's connection, seen from the server; no time passes while the agent decides."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.now = 0.0
        agent.present.clock = lambda: self.now
        self.visit = Visit(client_end(), agent)
        self.heard: list[Any] = []
        """The agent's messages, in order."""
        self._out = Connection(FrameCodec(m.FROM_SERVER))
        self._in = Connection(FrameCodec(m.FROM_CLIENT))

    def begin(self) -> list[Any]:
        """Return the agent's first messages."""
        return self._note(self.visit.begin(self.now))

    def say(self, *messages: Any) -> list[Any]:
        """Return the agent's answers."""
        return self.send(b"".join(map(self._out.send, messages)))

    def send(self, data: bytes) -> list[Any]:
        """Return the agent's answers to any bytes."""
        return self._note(self.visit.receive(data, self.now))

    def wait(self, seconds: float) -> list[Any]:
        """Return the agent's messages after that many seconds of silence."""
        until, answers = self.now + seconds, []
        while (due := self.agent.deadline) is not None and due <= until:
            self.now = max(self.now, due)
            answers += self._note(self.visit.time(self.now))
        self.now = until
        return answers

    def _note(self, pieces: Iterable[bytes]) -> list[Any]:
        said = [message for piece in pieces for message in self._in.receive(piece)]
        self.heard += said
        return said
