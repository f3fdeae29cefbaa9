"""The agent as a process: a policy that reconnects when the connection breaks."""

from functools import partial
from time import sleep

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.server import client_end
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.visit import reconnect

PAUSE = 0.2
"""Seconds between two connections."""


def play(host: str, port: int, agent: Agent, wait: float = WAIT) -> None:
    """Play until the server says goodbye; ValueError if it is unreachable for `wait` seconds."""
    ensure_ready()  # an agent that compiles during a game is silent, and counts as gone
    try:
        reconnect(partial(connect, host, port, wait), client_end, agent, partial(sleep, PAUSE))
    except RemoteProtocolError as error:
        raise ValueError(f"the server at {host} {port}: {error}") from None
