"""Agents and a room connected in memory: every message is encoded and decoded."""

from collections.abc import Callable, Iterator
from typing import Any

from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import Dialect
from catan_env.guests.hanabi.wire.messages import ServerSpelling, client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.room import Close, Send

Effects = list[Any]


def spelling_of(dialect: Dialect) -> ServerSpelling:
    return ServerSpelling(dialect.takes_digits, dialect.short_names)


class Conversation:
    """Lines of a room, each with the messages it has received."""

    def __init__(self, room: HanabiRoom, lines: int) -> None:
        self.room, self.now = room, 0.0
        self.heard: dict[int, list[Any]] = {line: [] for line in range(lines)}
        self.closed: set[int] = set()
        self._server, self._client = spelling_of(room.dialect), client_spelling()
        for line in range(lines):
            self.do(room.opened(line, self.now))

    def say(self, line: int, data: bytes) -> None:
        self.do(self.room.received(line, self._server.decode(data), self.now))

    def ask(self, line: int, request: Any) -> None:
        self.say(line, self._client.encode(request))

    def leave(self, line: int) -> None:
        self.closed.add(line)
        self.do(self.room.closed(line, "gone", self.now))

    def do(self, effects: Effects) -> None:
        for effect in effects:
            if isinstance(effect, Close):
                self.closed.add(effect.line)
            elif isinstance(effect, Send):
                assert effect.line not in self.closed
                data = self._server.encode(effect.message)
                self.heard[effect.line].append(self._client.decode(data))

    def news(self, line: int) -> list[Any]:
        news, self.heard[line] = self.heard[line], []
        return news


def play(room: HanabiRoom, decides: list[Callable[..., int]]) -> Iterator[list[Agent]]:
    """A game between agents, the last of whom joins last: before each action, and at the end."""
    count = len(decides)
    conversation = Conversation(room, count)
    agents = [
        Agent(decide, f"player{line}", start_when=count) for line, decide in enumerate(decides)
    ]
    for line, agent in enumerate(agents):
        for request in agent.opened(0.0):
            conversation.ask(line, request)
    while not all(agent.is_over for agent in agents):
        requests = []
        for line, agent in enumerate(agents):
            for response in conversation.news(line):
                requests += [(line, request) for request in agent.received(response, 0.0)]
        yield agents
        assert requests or all(agent.is_over for agent in agents)
        for line, request in requests:
            conversation.ask(line, request)
