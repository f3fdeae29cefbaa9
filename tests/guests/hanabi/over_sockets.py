"""A room behind a real socket, and agents that connect with a third-party WebSocket client."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect

from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.messages import client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.serve import Bounds, listen, serve
from catan_env.net.websocket import WebSocketServer
from tests.guests.hanabi.conversation import spelling_of

PATIENCE = 600.0
SPELLING = client_spelling()


@contextlib.contextmanager
def served(room: HanabiRoom, bounds: Bounds | None = None) -> Iterator[int]:
    """The port of the room, which is served until it is over."""
    spelling = spelling_of(room.dialect)
    with listen("127.0.0.1", 0) as listener:

        def run() -> None:
            asyncio.run(serve(room, lambda: WebSocketServer(spelling), listener, bounds))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(PATIENCE)
        assert not thread.is_alive()


class Seat:
    """An agent and its connection."""

    def __init__(self, agent: Agent, wire: ClientConnection) -> None:
        self.agent, self._wire = agent, wire
        self.say(agent.opened(0.0))
        self.requests: list[Any] = []
        while not self._hear_joining():
            pass

    def say(self, requests: list[Any]) -> None:
        for request in requests:
            self._wire.send(SPELLING.encode(request).decode())

    def hear(self) -> Any:
        """The next response, after the agent has handled it."""
        data = self._wire.recv(timeout=PATIENCE)
        assert isinstance(data, str)
        response = SPELLING.decode(data.encode())
        self.requests += self.agent.received(response, 0.0)
        return response

    def hear_of_game(self) -> None:
        """The next response of the game, after those of other players' joining."""
        while isinstance(self.hear(), m.ConnectionResponse):
            pass

    def _hear_joining(self) -> bool:
        response = self.hear()
        assert isinstance(response, m.ConnectionResponse)
        return self.agent.follower.name in response.names


def play(port: int, decides: list[Callable[..., int]]) -> Iterator[list[Agent]]:
    """A game between agents, the last of whom joins last: after each response, and at the end."""
    count, seats = len(decides), []
    with contextlib.ExitStack() as wires:
        for line, decide in enumerate(decides):
            wire = wires.enter_context(connect(f"ws://127.0.0.1:{port}/"))
            agent = Agent(decide, f"player{line}", start_when=count)
            seats.append(Seat(agent, wire))
        agents = [seat.agent for seat in seats]
        while not all(agent.is_over for agent in agents):
            for seat in seats:
                requests, seat.requests = seat.requests, []
                seat.say(requests)
            for seat in seats:
                seat.hear_of_game()
            yield agents
