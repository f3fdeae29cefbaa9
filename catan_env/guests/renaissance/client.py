"""The agent as a process: one socket, a policy, and coming back when the connection breaks."""

import socket
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.server import client_end
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.room import Garbled

READ_SIZE = 1 << 16
PAUSE = 0.2
"""Seconds between two attempts to come back."""


def play(host: str, port: int, agent: Agent, wait: float = WAIT) -> None:
    """Play until the server takes leave; ValueError where it is out of reach for `wait` seconds."""
    ensure_ready()  # an agent that compiles in a game is silent, and is taken for gone
    while not agent.is_done:
        with connect(host, port, wait) as wire:
            try:
                talk(wire, agent)
            except ConnectionError:
                pass
            except RemoteProtocolError as error:
                raise ValueError(f"the server at {host} {port}: {error}") from None
        if not agent.is_done:
            sleep(PAUSE)


def talk(wire: socket.socket, agent: Agent, clock: Callable[[], float] = monotonic) -> None:
    """Hear and answer until the game or the connection ends."""
    end = client_end()

    def say(messages: list[Any]) -> None:
        data = b"".join(end.send(message) for message in messages)
        if data:
            wire.settimeout(None)
            wire.sendall(data)

    say(agent.opened(clock()))
    while not agent.is_done and not agent.is_lost:
        due = agent.deadline
        wire.settimeout(None if due is None else max(due - clock(), 0.001))
        try:
            data = wire.recv(READ_SIZE)
        except TimeoutError:
            say(agent.time(clock()))
            continue
        if not data:
            return
        for message in end.receive(data):
            if not isinstance(message, Garbled):
                say(agent.received(message, clock()))
