"""Live tables on a port: pages and WebSockets from the same listener.

`net.serve` limits what a line may send and leave unread, so no other web server is needed.
"""

import asyncio
import re
import socket
from collections.abc import Mapping
from typing import Any

from catan_env.net.address import is_loopback, literal
from catan_env.net.serve import Bounds, Server
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketServer
from catan_env.web.messages import Heard
from catan_env.web.room import TableRoom
from catan_env.web.workers import Workers

MOST_BYTES = 1 << 12
"""The size limit of a page's message, in bytes."""
BOUNDS = Bounds(lines=1024, lines_of_address=512, unread=8 << 20, messages=50.0)
AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?::([0-9]{0,5}))?")
"""A Host header: a name, an IPv4 address or an IPv6 address in brackets, with or without a port."""
HTTP_PORT = 80


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
        is_own = origin is None or origin.lower() == f"http://{host.lower()}"
        return is_own and is_here(host, port, is_public)

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
    """True if a Host header names this server, not a name that another site's owner resolves.

    >>> is_here("127.0.0.1:8000", 8000, False), is_here("evil.example:8000", 8000, False)
    (True, False)
    >>> is_here("LOCALHOST", 80, False), is_here("[::1]", 80, False), is_here("[::1]", 8000, False)
    (True, True, False)
    >>> is_here("192.168.1.7:80", 80, False), is_here("192.168.1.7:80", 80, True)
    (False, True)
    """
    found = AUTHORITY.fullmatch(host)
    if found is None or int(found[2] or HTTP_PORT) != port:
        return False
    name = found[1].strip("[]")
    return is_loopback(name) or (is_public and literal(name) is not None)


def run(
    room: TableRoom, pages: Mapping[str, Page], listener: socket.socket, is_public: bool = False
) -> None:
    """Serve in this thread until interrupted."""
    asyncio.run(serve_tables(room, pages, listener, is_public))
