"""Clients of a server over the toy protocols, and a pair that shows that it serves both."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager

from websockets.frames import Frame, Opcode

from catan_env.net.framing import State
from catan_env.net.serve import Bounds, Server, listen
from tests.net.toy import Heard, Join, Say, ToyRoom

RUBBISH = bytes(range(128, 256)) * 8192
PATIENCE = 600.0
"""Time limit in seconds for events that are immediate on an idle machine."""
BOUNDS = Bounds(lines=16, unread=1 << 16, messages=2000, opening=PATIENCE, farewell=0.3)


class Client:
    """A client's connection, with its own end of the protocol."""

    def __init__(self, end, reader, writer) -> None:
        self.end, self.reader, self.writer = end, reader, writer
        self._heard: list = []

    @classmethod
    async def connect(
        cls, port: int, make_end, joins: int | None = None, host: str = "127.0.0.1"
    ) -> "Client":
        """Connect and complete the handshake; join with a name if `joins` is given."""
        client = cls(make_end(), *await asyncio.open_connection(host, port))
        client.writer.write(client.end.answer())
        while client.end.state is State.OPENING:
            assert await client._read(), "the server has closed during the handshake"
        if joins is not None:
            client.say(Join(joins))
        return client

    def say(self, *messages) -> None:
        """Send without waiting."""
        self.writer.write(b"".join(map(self.end.send, messages)))

    async def hear(self):
        """Return the next message, or None if the server has closed."""
        while not self._heard and await self._read():
            pass
        return self._heard.pop(0) if self._heard else None

    async def _read(self) -> bytes:
        data = await self.reader.read(4096)
        self._heard += self.end.receive(data) if data else []
        return data

    async def wait_for_the_end(self) -> None:
        """Read until the server closes or resets."""
        try:
            while await self.reader.read(4096):
                pass
        except ConnectionError:
            pass

    def leave(self) -> None:
        """Close without a message."""
        self.writer.transport.abort()


@asynccontextmanager
async def serving(room: ToyRoom, make_end, bounds: Bounds = BOUNDS, admit=None):
    """A server and its port; closed at the end of the block."""
    with listen("127.0.0.1", 0) as listener:
        server = Server(room, make_end, admit, bounds)
        task = asyncio.create_task(server.serve(listener))
        try:
            yield server, listener.getsockname()[1]
        finally:
            task.cancel()
            await asyncio.wait([task])


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for a condition that must become true soon."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.005)


async def count_together(pair, numbers: int = 60) -> None:
    """Let two clients answer each other, number by number: both must be served."""
    async with asyncio.timeout(PATIENCE):
        for number in range(numbers):
            pair[number % 2].say(Say(number))
            for client in pair:
                while await client.hear() != Heard(1 + number % 2, number):
                    pass


def with_a_pair(
    protocol, visit: Callable[..., Awaitable[None]], bounds: Bounds = BOUNDS
) -> ToyRoom:
    """Run a pair that counts together before, during and after `visit` at the same server."""
    room = ToyRoom()

    async def play() -> None:
        make_server, make_client = protocol
        async with serving(room, make_server, bounds) as (server, port):
            pair = [await Client.connect(port, make_client, joins=name) for name in (1, 2)]
            visiting = asyncio.create_task(visit(server, port, make_client))
            await count_together(pair)
            await asyncio.wait_for(visiting, PATIENCE)
            await count_together(pair)

    asyncio.run(play())
    return room


def ping(data: bytes = b"") -> bytes:
    """A ping as a client sends it."""
    return Frame(Opcode.PING, data).serialize(mask=True)


def with_fast_talk(protocol, visit) -> None:
    """As `with_a_pair`, with a high limit on messages per line."""

    async def play() -> None:
        make_server, make_client = protocol
        bounds = Bounds(lines=16, unread=BOUNDS.unread, messages=1e9)
        async with serving(ToyRoom(), make_server, bounds) as (server, port):
            pair = [await Client.connect(port, make_client, joins=name) for name in (1, 2)]
            await visit(server, port, make_client)
            await count_together(pair)

    asyncio.run(play())
