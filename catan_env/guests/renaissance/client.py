"""The agent as a process: a policy that reconnects when the connection breaks."""

import sys
import time
from collections.abc import Callable
from functools import partial

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.server import client_end
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.visit import reconnect

FIRST, LONGEST = 0.2, 3.0
"""Seconds between two connections, at first and at most."""
STEADY = 10.0
"""Seconds after which a connection does not count as a failed attempt."""


class Pauses:
    """Waits between connections, each twice as long as the last unless the connection held."""

    def __init__(self, where: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self._where, self._sleep = where, sleep
        self._next, self._since = FIRST, time.monotonic()

    def __call__(self) -> None:
        """Print a line, and wait."""
        if time.monotonic() - self._since >= STEADY:
            self._next = FIRST
        line = f"{self._where}: the connection was closed; again in {self._next:g} s"
        print(line, file=sys.stderr, flush=True)
        self._sleep(self._next)
        self._next, self._since = min(2 * self._next, LONGEST), time.monotonic()


def play(host: str, port: int, agent: Agent, wait: float = WAIT) -> None:
    """Play until the server says goodbye; ValueError if it is unreachable for `wait` seconds."""
    ensure_ready()  # an agent that compiles during a game is silent, and counts as gone
    pause = Pauses(f"{host} {port}")
    try:
        reconnect(partial(connect, host, port, wait), client_end, agent, pause)
    except RemoteProtocolError as error:
        raise ValueError(f"the server at {host} {port}: {error}") from None
