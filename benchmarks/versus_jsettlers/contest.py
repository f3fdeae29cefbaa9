"""Agents on one server, and their connections."""

import selectors
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from socket import socket

from benchmarks.versus_jsettlers.games import Games
from catan_env.arena.jsettlers import WAITS, pauses_within
from catan_env.game.view import SeatView
from catan_env.net.connect import attempt
from catan_env.net.visit import READ_SIZE, Visit
from catan_env.protocols.jsettlers.agent import Agent, DecideWithin, RefusedError
from catan_env.protocols.jsettlers.end import client_end
from catan_env.terminal import printable


@dataclass(frozen=True)
class Server:
    """The address of a server, and its cookie for robots."""

    host: str
    port: int
    cookie: str

    def connect(self) -> socket:
        """Return a connection; ValueError if no server answers."""
        for wait in (0, *WAITS):
            time.sleep(wait)
            try:
                return attempt(self.host, self.port)
            except OSError as error:
                reason = str(error.strerror or error)
        raise ValueError(f"no server at {self.host} {self.port}: {reason}")


@dataclass(frozen=True)
class Connection:
    """An agent, and its visit to the server over `wire`."""

    wire: socket
    agent: Agent
    visit: Visit

    def send(self, pieces: Iterable[bytes]) -> None:
        """Send bytes; a closed connection is noticed when it is read from."""
        for piece in pieces:
            with suppress(ConnectionError):
                self.wire.sendall(piece)

    def read(self) -> bytes:
        """Return the bytes that have arrived; none if the connection was closed."""
        try:
            return self.wire.recv(READ_SIZE)
        except ConnectionError:
            return b""

    def receive(self, data: bytes) -> None:
        """Handle the server's bytes; ValueError if it rejects the agent."""
        try:
            self.send(self.visit.receive(data, time.monotonic()))
        except RefusedError as error:
            raise ValueError(str(error)) from None


class Contest:
    """Agents with these names, each with a connection, until enough games are played."""

    def __init__(
        self, server: Server, names: Sequence[str], decide: DecideWithin, games: Games
    ) -> None:
        self._server, self._games, self._decide = server, games, decide
        self._agents = [Agent(self._think, name, server.cookie, report=games.add) for name in names]
        self._selector = selectors.DefaultSelector()
        self._pauses: dict[Agent, Iterator[int]] = {}
        """The next pauses of agents that the server refuses, as it still holds their names."""
        self._returns: dict[Agent, float] = {}
        """The times at which agents connect again after such a refusal."""

    def play(self) -> None:
        """Play until no agent has a game left."""
        for agent in self._agents:
            self._join(agent)
        while self._selector.get_map() or (self._returns and not self._games.is_enough):
            self._step()

    def _join(self, agent: Agent) -> None:
        """Connect, or reconnect; ValueError if no server answers."""
        wire = self._server.connect()
        connection = Connection(wire, agent, Visit(client_end(), agent))
        self._selector.register(wire, selectors.EVENT_READ, connection)
        connection.send(connection.visit.begin(time.monotonic()))

    def _connections(self) -> list[Connection]:
        return [key.data for key in self._selector.get_map().values()]

    def _step(self) -> None:
        deadlines = [connection.agent.deadline for connection in self._connections()]
        due = [moment for moment in (*deadlines, *self._returns.values()) if moment is not None]
        wait = max(0.0, min(due) - time.monotonic()) if due else None
        for key, _ in self._selector.select(wait):
            self._receive(key.data)
        for connection in self._connections():
            connection.send(connection.visit.time(time.monotonic()))
        for connection in self._connections():
            self._finish(connection)
        self._return()

    def _receive(self, connection: Connection) -> None:
        """Handle a connection's data; a closed connection is opened again."""
        if data := connection.read():
            connection.receive(data)
        else:
            connection.visit.close(time.monotonic())
            self._replace(connection)

    def _finish(self, connection: Connection) -> None:
        """Start no game beyond those wanted; hang up if nothing is left to play."""
        if self._games.is_enough:
            connection.agent.finish()
        if connection.agent.is_over:
            self._replace(connection)

    def _replace(self, connection: Connection) -> None:
        """Hang up, and connect again while games are wanted: later if the server refuses us."""
        self._selector.unregister(connection.wire)
        connection.wire.close()
        agent = connection.agent
        if agent.refusal is not None:
            wait = next(self._pauses.setdefault(agent, pauses_within(inf)))
            self._returns[agent] = time.monotonic() + wait
            print(printable(f"{agent.refusal}; again in {wait} s"), file=sys.stderr, flush=True)
        elif not self._games.is_enough:
            self._pauses.pop(agent, None)
            self._join(agent)

    def _return(self) -> None:
        """Connect the agents whose pause is over, while games are wanted."""
        now = time.monotonic()
        due = [agent for agent, moment in self._returns.items() if moment <= now]
        for agent in due:
            del self._returns[agent]
            if not self._games.is_enough:
                self._join(agent)

    def _think(self, view: SeatView, within: float) -> int:
        """The decision of the policy that all agents share."""
        return self._decide(view, within / len(self._agents))
