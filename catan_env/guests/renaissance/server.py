"""The server as a process: the room behind a listening socket, over JSON lines."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.net.framing import Connection
from catan_env.net.lines import LineCodec
from catan_env.net.serve import Bounds, Server, listen
from catan_env.net.spelling import JsonSpelling

DEFAULT_PORT = 51015
BOUNDS = Bounds(lines=4096, messages=200.0)


def server_end() -> Connection[object]:
    """The server's end of a line."""
    return Connection(LineCodec(JsonSpelling(m.TO_SERVER)))


def client_end() -> Connection[object]:
    """A client's end; UpdateGame is a long line."""
    return Connection(LineCodec(JsonSpelling(m.TO_CLIENT, most_bytes=1 << 20)))


async def serve_until_stopped(room: RenaissanceRoom, listener: socket.socket) -> Server:
    """Let a room be visited until SIGTERM or SIGINT, which leave its games as they stand."""
    server = Server(room, server_end, bounds=BOUNDS)
    loop = asyncio.get_running_loop()
    serving = asyncio.ensure_future(server.serve(listener))
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, serving.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    return server


def run(
    host: str, port: int, database: str, cards: str, say: Callable[[str], None] = print
) -> None:
    """Serve at an address, its games kept in a database; ValueError where that cannot be."""
    ensure_ready()  # a room that compiles answers nobody, and takes its guests for deaf
    records = Records(database)
    try:
        listener = listen(host, port)
    except OSError as error:
        raise ValueError(f"cannot listen at {host} {port}: {error.strerror or error}") from None
    with listener:
        room = RenaissanceRoom(records, cards)
        address = listener.getsockname()
        say(f"listening at {address[0]} {address[1]}; {len(room.tables)} games go on")
        asyncio.run(serve_until_stopped(room, listener))
    records.close()
