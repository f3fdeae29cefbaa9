"""A connection in memory: what a server says crosses as bytes, and so does the answer."""

from typing import Any

from catan_env.net import Connection
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import AT_ONCE, Agent
from catan_env.protocols.jsettlers.framing import FrameCodec


class Line:
    """The agent's connection, seen from the server; no time passes while the agent decides."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.now = 0.0
        agent.clock = lambda: self.now
        self.heard: list[Any] = []
        """What the agent said, in order."""
        self._out = Connection(FrameCodec(m.FROM_SERVER))
        self._in = Connection(FrameCodec(m.FROM_CLIENT))

    def begin(self) -> list[Any]:
        """What the agent says first."""
        return self._note(self.agent.begin())

    def say(self, *messages: Any) -> list[Any]:
        """What the agent answers."""
        return self.send(b"".join(map(self._out.send, messages)))

    def send(self, data: bytes) -> list[Any]:
        """What the agent answers to any bytes."""
        answers = self._note(self.agent.receive(data, self.now))
        while self.agent.deadline == AT_ONCE:
            answers += self._note(self.agent.time(self.now))
        return answers

    def wait(self, seconds: float) -> list[Any]:
        """What the agent says when so much time passes in silence."""
        until, answers = self.now + seconds, []
        while (due := self.agent.deadline) is not None and due <= until:
            self.now = max(self.now, due)
            answers += self._note(self.agent.time(self.now))
        self.now = until
        return answers

    def _note(self, data: bytes) -> list[Any]:
        said = list(self._in.receive(data))
        self.heard += said
        return said
