"""The server as a process: the room behind a listening socket, over JSON lines."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.net.address import in_url, is_loopback
from catan_env.net.background import ended
from catan_env.net.framing import Connection
from catan_env.net.lines import LineCodec
from catan_env.net.serve import Bounds, Server, listen
from catan_env.net.spelling import JsonSpelling

if TYPE_CHECKING:
    from catan_env.guests.renaissance.room import RenaissanceRoom

BOUNDS = Bounds(lines=4096, lines_of_address=2048, messages=200.0)


def server_end() -> Connection[object]:
    """The server's end of a line."""
    return Connection(LineCodec(JsonSpelling(m.TO_SERVER)))


def client_end() -> Connection[object]:
    """A client's end; UpdateGame is a long line."""
    return Connection(LineCodec(JsonSpelling(m.TO_CLIENT, most_bytes=1 << 20, tag="type")))


async def serve_until_stopped(
    room: "RenaissanceRoom",
    listener: socket.socket,
    ready: "asyncio.Future[None] | None" = None,
    beside: Coroutine[Any, Any, None] | None = None,
) -> Server:
    """Serve a room until SIGTERM or SIGINT; its games stay saved. `beside` runs meanwhile.

    Raises the error of `ready` as soon as it has one, that of `beside` at the end.
    """
    server = Server(room, server_end, bounds=BOUNDS)
    loop = asyncio.get_running_loop()
    serving = asyncio.ensure_future(server.serve(listener))
    if ready is not None:
        ready.add_done_callback(
            lambda done: serving.cancel() if done.exception() else _begin(room, server)
        )
    for sign in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows, where Ctrl-C cancels by itself
            loop.add_signal_handler(sign, serving.cancel)
    also = None if beside is None else asyncio.ensure_future(beside)
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    if also is not None:
        also.cancel()
        await asyncio.wait([also])
    if ready is not None and ready.done():
        ready.result()
    if also is not None:
        await ended(also)
    return server


def _begin(room: "RenaissanceRoom", server: Server) -> None:
    """Load the saved games, and handle the waiting commands before any new message."""
    loop = asyncio.get_running_loop()
    waiting = room.be_ready(loop.time())
    server.do([])
    for _ in range(waiting):
        loop.call_soon(lambda: server.do(room.obey_waiting(loop.time())))


async def serve_while_compiling(
    room: "RenaissanceRoom", listener: socket.socket, watchers: socket.socket | None = None
) -> Server:
    """Serve a room immediately, and start its games once the rules are compiled.

    At `watchers` its games are shown in a browser.
    """
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def compile_rules() -> None:
        settle: Callable[[], None] = partial(ready.set_result, None)
        try:
            ensure_ready()
        except Exception as error:
            settle = partial(ready.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the server was stopped in the meantime
            loop.call_soon_threadsafe(settle)

    Thread(target=compile_rules, daemon=True).start()
    if watchers is None:
        return await serve_until_stopped(room, listener, ready)
    return await serve_until_stopped(room, listener, ready, serve_games(room, watchers))


async def serve_games(room: "RenaissanceRoom", listener: socket.socket) -> None:
    """Show a room's games in a browser, until cancelled."""
    from catan_env.guests.renaissance.watch.serve import serve_watchers

    is_public = not is_loopback(listener.getsockname()[0])
    await serve_watchers(lambda: room.tables, listener, is_public)


def run(
    host: str,
    port: int,
    database: str,
    cards: str,
    watch: int | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve at an address, with games in a database; ValueError if either is unavailable.

    `watch` is the port of the page that shows the games, 0 for any free one; None: no page.
    """
    from catan_env.guests.renaissance.records import Records  # an agent needs no database
    from catan_env.guests.renaissance.room import RenaissanceRoom

    records = Records(database)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(listen(host, port))
        address = listener.getsockname()
        say(f"listening at {address[0]} {address[1]}; {records.count()} games resumed")
        watchers = None
        if watch is not None:
            watchers = stack.enter_context(listen(host, watch))
            say(f"watch: http://{in_url(host)}:{watchers.getsockname()[1]}/")
        room = RenaissanceRoom(records, cards, is_ready=False)
        asyncio.run(serve_while_compiling(room, listener, watchers))
    records.close()
