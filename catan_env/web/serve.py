"""Live tables on a port: pages and WebSockets from the same listener.

`net.serve` bounds what a line may send and leave unread, so no other web server is needed.
"""

import asyncio
import socket
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from catan_env.net.serve import Bounds, Server
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketServer
from catan_env.web.messages import Heard
from catan_env.web.room import TableRoom
from catan_env.web.workers import Workers

MOST_BYTES = 1 << 12
"""Bytes of one message that a page may send."""
BOUNDS = Bounds(lines=1024, unread=8 << 20, messages=50.0)
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


async def serve_tables(
    room: TableRoom, pages: Mapping[str, Page], listener: socket.socket, is_public: bool = False
) -> None:
    """Serve until the room is over; `listener` stays open.

    A request must name this machine as its host: loopback, or any address when `is_public`. A page
    of another web site may not connect.
    """
    port = listener.getsockname()[1]

    def is_welcome(headers: Mapping[str, str]) -> bool:
        host, origin = headers.get("Host", ""), headers.get("Origin")
        return is_here(host, port, is_public) and origin in (None, f"http://{host}")

    spelling: JsonSpelling[Any] = JsonSpelling(Heard, MOST_BYTES)
    server = Server(
        room, lambda: WebSocketServer(spelling, pages, is_welcome=is_welcome), bounds=BOUNDS
    )
    workers = Workers(room, server)
    room.carry_out = server.do
    try:
        await server.serve(listener)
    finally:
        workers.close()


def is_here(host: str, port: int, is_public: bool) -> bool:
    """Whether a Host header names this server, and no name that somebody else resolves.

    >>> is_here("127.0.0.1:80", 80, False), is_here("evil.example:80", 80, False)
    (True, False)
    >>> is_here("192.168.1.7:80", 80, False), is_here("192.168.1.7:80", 80, True)
    (False, True)
    """
    name, _, number = host.rpartition(":") if not host.endswith("]") else (host, "", "80")
    if number != str(port):
        return False
    return name in LOOPBACK or (is_public and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def run(
    room: TableRoom, pages: Mapping[str, Page], listener: socket.socket, is_public: bool = False
) -> None:
    """Serve in this thread until interrupted."""
    asyncio.run(serve_tables(room, pages, listener, is_public))
