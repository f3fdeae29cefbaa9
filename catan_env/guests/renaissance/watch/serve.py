"""The page of a server's games on a port of its own: the page, and its WebSocket."""

import socket
from collections.abc import Callable, Iterable, Mapping

from catan_env.guests.renaissance.watch.replay import page
from catan_env.guests.renaissance.watch.room import Played, Watch, WatchRoom
from catan_env.net.address import is_own_page
from catan_env.net.serve import Bounds, Server
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketServer

TITLE = "Masters of Renaissance, live"
MOST_BYTES = 1 << 10
"""The size limit of a page's message, in bytes."""
BOUNDS = Bounds(lines=512, unread=8 << 20, messages=20.0)


async def serve_watchers(
    games: Callable[[], Iterable[Played]], listener: socket.socket, is_public: bool = False
) -> None:
    """Show the games at `listener`, until cancelled.

    A request must name this machine as its host: loopback, or any address when `is_public`.
    """
    port = listener.getsockname()[1]
    pages = {"/": Page("text/html; charset=utf-8", page(TITLE, {"live": True}).encode())}
    spelling: JsonSpelling[Watch] = JsonSpelling(Watch, MOST_BYTES)

    def is_welcome(headers: Mapping[str, str]) -> bool:
        return is_own_page(headers, port, is_public)

    def end() -> WebSocketServer[Watch]:
        return WebSocketServer(spelling, pages, is_welcome=is_welcome)

    await Server(WatchRoom(games), end, bounds=BOUNDS).serve(listener)
