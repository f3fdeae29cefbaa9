"""A server and an agent over real sockets."""

import asyncio
import os
import random
import socket
import sys
from collections.abc import Callable
from functools import partial

from catan_env.extras import missing
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.policies.network import Network, Shipped
from catan_env.guests.hanabi.rules import OFFICIAL
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.messages import ServerSpelling, client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.visit import visit
from catan_env.net.watchdog import PATIENCE

try:
    from websockets.uri import parse_uri

    from catan_env.net.websocket import WebSocketClient, WebSocketServer
except ImportError as error:
    raise missing("Hanabi over WebSocket", "hanabi", error) from error


def serve_room(room: HanabiRoom, listener: socket.socket) -> None:
    """Serve a room until it is over."""
    from catan_env.net.serve import serve

    spelling = ServerSpelling(room.dialect.takes_digits, room.dialect.short_names)
    asyncio.run(serve(room, lambda: WebSocketServer(spelling), listener))


def play_at(
    address: str,
    policy: str,
    name: str,
    start_when: int,
    seed: int,
    *,
    patience: float = PATIENCE,
    wait: float = WAIT,
    report: Callable[[str], None],
) -> int:
    """Join a server, play one game, and return its score; `report` is the agent's.

    Raises RemoteProtocolError if the server refuses us or disconnects before the end; ValueError
    if it cannot be reached within `wait` seconds, or the policy is for another number of players
    than `start_when`.
    """
    player = load_policy(policy, seed)
    if start_when and isinstance(player, (Network, Shipped)):
        player.check_table(OFFICIAL, start_when)
    agent = Agent(lambda view: decide(player, view), name, start_when, patience, report)
    end = WebSocketClient(address, client_spelling())
    visit(partial(connect, *_place_of(address), wait), end, agent)
    if agent.refusal is not None:
        raise RemoteProtocolError(f"the server refused us: {agent.refusal}")
    if agent.score is None:
        raise RemoteProtocolError("the server closed the connection before the end")
    return agent.score


def _place_of(address: str) -> tuple[str, int]:
    """The host and port of a WebSocket address."""
    uri = parse_uri(address)
    return uri.host, uri.port


def free_name() -> str:
    """A probably unique name, in lower case without spaces."""
    return f"catan{random.Random(os.getpid()).randrange(10_000)}"


def say(text: str) -> None:
    """Print a line and flush it."""
    print(text, flush=True, file=sys.stdout)
