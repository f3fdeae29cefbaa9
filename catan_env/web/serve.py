"""Live tables on a port: pages, WebSockets and scripts' calls from the same listener.

`net.serve` limits what a line may send and leave unread, so no other web server is needed.
"""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

from catan_env.net.address import is_own_page
from catan_env.net.serve import Bounds, Server
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketServer
from catan_env.web.http_end import TableEnd
from catan_env.web.messages import Heard
from catan_env.web.room import TableRoom
from catan_env.web.workers import Workers

MOST_BYTES = 1 << 12
"""The size limit of a page's message, in bytes."""
BOUNDS = Bounds(lines=1024, lines_of_address=512, unread=8 << 20, messages=50.0)


async def serve_tables(
    room: TableRoom, pages: Mapping[str, Page], listener: socket.socket, is_public: bool = False
) -> None:
    """Serve until the room is over; `listener` is closed then.

    A request must name this machine as its host: loopback, or any address when `is_public`. A page
    of another web site may not connect.
    """
    port = listener.getsockname()[1]

    def is_welcome(headers: Mapping[str, str]) -> bool:
        return is_own_page(headers, port, is_public)

    spelling: JsonSpelling[Any] = JsonSpelling(Heard, MOST_BYTES)

    def end() -> TableEnd:
        return TableEnd(WebSocketServer(spelling, pages, is_welcome=is_welcome), is_welcome)

    server = Server(room, end, bounds=BOUNDS)
    workers = Workers(room, server)
    room.carry_out = server.do
    try:
        await server.serve(listener)
    finally:
        workers.close()


def run(
    room: TableRoom, pages: Mapping[str, Page], listener: socket.socket, is_public: bool = False
) -> None:
    """Serve in this thread until interrupted."""
    asyncio.run(serve_tables(room, pages, listener, is_public))
