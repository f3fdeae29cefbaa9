"""Rooms behind sockets, over three toy protocols, with misbehaving clients."""

import asyncio
import resource
import socket
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from websockets.frames import Frame, Opcode

from catan_env.net import RemoteProtocolError, serve
from catan_env.net.framing import State
from catan_env.net.room import Close
from catan_env.net.serve import MADE_ROOM, SPARE_FILES, Bounds, Server, listen
from tests.net.toy import PROTOCOLS, Heard, Join, Say, ToyRoom, Welcome

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
            await client._read()
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


@pytest.fixture(params=PROTOCOLS)
def protocol(request):
    """Factories of the ends of one of the three toy protocols."""
    return PROTOCOLS[request.param]


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


def test_a_late_client_receives_all_messages_from_then_on(protocol):
    async def visit(server, port, make_client):
        await until(lambda: sum(server.room.spoken.values()) > 10)
        watcher = await Client.connect(port, make_client)
        late = await Client.connect(port, make_client, joins=3)
        while await late.hear() != Welcome(3, 0):
            pass
        late.say(Say(77))
        while await watcher.hear() != Heard(3, 77):
            pass

    assert with_a_pair(protocol, visit).spoken[3] == 1


def test_a_client_that_left_may_return(protocol):
    async def visit(server, port, make_client):
        for visits in range(5):
            client = await Client.connect(port, make_client, joins=3)
            while (heard := await client.hear()) != Welcome(3, visits):
                assert isinstance(heard, Heard)
            client.say(Say(visits))
            while await client.hear() != Heard(3, visits):
                pass
            client.leave()
            await until(lambda: 3 not in server.room.names.values())

    room = with_a_pair(protocol, visit)
    assert room.spoken[3] == 5
    assert [what for what, line in room.log if line not in (0, 1)] == ["opened", "closed"] * 5


def test_a_line_number_is_never_reused(protocol):
    async def visit(server, port, make_client):
        for _ in range(3):
            (await Client.connect(port, make_client)).leave()

    room = with_a_pair(protocol, visit)
    opened = [line for what, line in room.log if what == "opened"]
    assert opened == sorted(set(opened))


def test_an_incomplete_message_delays_no_one_else(protocol):
    async def visit(server, port, make_client):
        client = await Client.connect(port, make_client)
        said = client.end.send(Join(3))
        client.writer.write(said[:-1])
        await until(lambda: any(line.end.is_amid_message for line in server._lines.values()))
        client.writer.write(said[-1:])
        while await client.hear() != Welcome(3, 0):
            pass

    with_a_pair(protocol, visit)


def test_invalid_bytes_end_their_own_line(protocol):
    async def visit(server, port, make_client):
        client = await Client.connect(port, make_client)
        client.writer.write(RUBBISH)
        await client.wait_for_the_end()
        assert len(server._lines) == 2

    room = with_a_pair(protocol, visit)
    assert list(room.reasons) == [2] and room.reasons[2]


def test_an_invalid_handshake_never_reaches_the_room(protocol):
    async def visit(server, port, make_client):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(RUBBISH)
        await Client(None, reader, writer).wait_for_the_end()

    room = with_a_pair(protocol, visit)
    assert protocol is not PROTOCOLS["websocket"] or not room.reasons


def test_a_client_that_never_reads_is_cut(protocol):
    async def visit(server, port, make_client):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        end = make_client()
        sock.send(end.answer())
        line = 2
        await until(lambda: line in server.room.lines)
        talker = await Client.connect(port, make_client, joins=3)
        reading = asyncio.create_task(talker.wait_for_the_end())
        waiting = 0
        for number in range(100_000):
            talker.say(*[Say(number)] * 50)
            await talker.writer.drain()
            if line in server._lines:
                waiting = max(waiting, server._lines[line].transport.get_write_buffer_size())
            elif number > 100:
                break
            await asyncio.sleep(0)
        reading.cancel()
        talker.leave()
        sock.close()
        assert server.room.reasons[line] == "it does not read"
        assert waiting < BOUNDS.unread + 8192

    with_fast_talk(protocol, visit)


def test_a_client_that_pings_and_never_reads_is_cut():
    async def visit(server, port, make_client):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        sock.sendall(make_client().answer())
        line = 2
        await until(lambda: line in server.room.lines)
        unread = server._lines[line].transport.get_write_buffer_size
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_sendall(sock, ping(b"p" * 125) * 4000)
        await until(lambda: line not in server._lines or unread() > 2 * BOUNDS.unread)
        sock.close()
        assert server.room.reasons.get(line) == "it does not read"

    with_fast_talk(PROTOCOLS["websocket"], visit)


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


def test_a_client_that_never_stops_sending_is_limited_to_its_rate(protocol):
    bounds = replace(BOUNDS, messages=200)

    async def visit(server, port, make_client):
        talker = await Client.connect(port, make_client, joins=3)
        reading = asyncio.create_task(talker.wait_for_the_end())
        loop = asyncio.get_running_loop()
        begun = loop.time()
        talker.say(*map(Say, range(2000)))
        await until(lambda: server.room.spoken.get(3, 0) >= 800)
        spoken, took = server.room.spoken[3], loop.time() - begun
        assert spoken <= bounds.messages * (1 + took) + 256
        reading.cancel()
        talker.leave()

    with_a_pair(protocol, visit, bounds)


def test_pings_count_towards_the_rate_of_a_line():
    bounds = replace(BOUNDS, messages=400)

    async def visit(server, port, make_client):
        client = await Client.connect(port, make_client)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        client.writer.write(ping() * 1500)
        while client.end.asides < 1000:
            await client._read()
        assert client.end.asides <= bounds.messages * (1 + loop.time() - begun) + 256
        client.leave()

    with_a_pair(PROTOCOLS["websocket"], visit, bounds)


def test_many_silent_connections_are_turned_away(protocol):
    async def visit(server, port, make_client):
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(40)]
        await until(lambda: len(server._lines) <= BOUNDS.lines)
        for _, writer in silent:
            writer.transport.abort()
        await until(lambda: len(server._lines) == 2)
        latecomer = await Client.connect(port, make_client, joins=3)
        while await latecomer.hear() != Welcome(3, 0):
            pass

    with_a_pair(protocol, visit)


@pytest.mark.parametrize(
    "bounds",
    [replace(BOUNDS, lines_of_address=8), replace(BOUNDS, lines=8)],
    ids=["address", "all"],
)
def test_silent_lines_make_room_for_new_ones_oldest_first(protocol, bounds):
    """Lines that have sent a message stay, however many silent ones come."""

    async def visit(server, port, make_client):
        silent = []
        for number in range(40):
            silent.append(await asyncio.open_connection("127.0.0.1", port))
            await until(lambda number=number: max(server._lines) >= number + 2)
        assert len(server._lines) == 8
        for reader, writer in silent[:34]:
            await Client(None, reader, writer).wait_for_the_end()
        latecomer = await Client.connect(port, make_client, joins=3)
        while await latecomer.hear() != Welcome(3, 0):
            pass
        assert {line for line in server._lines if line >= 2} == {*range(37, 43)}
        for _, writer in silent[34:]:
            writer.transport.abort()

    room = with_a_pair(protocol, visit, bounds)
    assert {reason for line, reason in room.reasons.items() if line < 36} <= {MADE_ROOM}


@pytest.mark.parametrize(
    "bounds",
    [
        replace(BOUNDS, lines_of_address=8, farewell=PATIENCE),
        replace(BOUNDS, lines=8, farewell=PATIENCE),
    ],
    ids=["address", "all"],
)
def test_lines_that_are_being_closed_count_and_make_room_for_new_ones(protocol, bounds):
    """Their clients send a wrong request, and stay."""

    async def visit(server, port, make_client):
        silent = await asyncio.open_connection("127.0.0.1", port)
        await until(lambda: 2 in server._lines)
        rude = []
        for number in range(3, 53):
            rude.append(await Client.connect(port, make_client))
            rude[-1].say(Say(0))
            await until(
                lambda number=number: (
                    ("opened", number) in server.room.log and number not in server._lines
                )
            )
            assert len(server._lines) + len(server._leaving) <= 8
        assert 2 in server._lines
        honest = await Client.connect(port, make_client, joins=3)
        while await honest.hear() != Welcome(3, 0):
            pass
        for client in (honest, *rude):
            client.leave()
        silent[1].transport.abort()
        await until(lambda: len(server._lines) == 2 and not server._leaving)
        assert server._crowds == {"127.0.0.1": 2}

    with_a_pair(protocol, visit, bounds)


def test_one_address_gets_no_more_lines_than_its_limit(protocol):
    bounds = replace(BOUNDS, lines_of_address=4)

    async def visit(server, port, make_client):
        guests = [await Client.connect(port, make_client, joins=name) for name in (3, 4)]
        for name, guest in enumerate(guests, 3):
            while await guest.hear() != Welcome(name, 0):
                pass
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await Client(None, reader, writer).wait_for_the_end()
        assert [*server._lines] == [0, 1, 2, 3]
        guests[0].leave()
        await until(lambda: len(server._lines) == 3)
        again = await Client.connect(port, make_client, joins=3)
        while await again.hear() != Welcome(3, 0):
            pass
        for guest in (again, guests[1]):
            guest.leave()

    with_a_pair(protocol, visit, bounds)


def test_a_full_server_cuts_lines_of_the_address_with_most():
    """An older silent line stays while another address crowds the server."""

    async def come() -> None:
        async with serving(ToyRoom(), PROTOCOLS["lines"][0], Bounds(lines=6)) as (server, port):
            await until(lambda: server._doors is not None)
            crowd = []
            for number in range(12):
                address = "127.0.0.1" if number == 0 else "127.0.0.2"
                crowd.append(socket.create_connection(("127.0.0.1", port), PATIENCE, (address, 0)))
                await until(lambda number=number: max(server._lines, default=-1) == number)
            assert [*server._lines] == [0, 7, 8, 9, 10, 11]
            for guest in crowd:
                guest.close()
            await until(lambda: not server._lines)
            assert not server._crowds

    asyncio.run(come())


def test_the_lines_of_a_server_are_limited_by_its_open_files(monkeypatch):
    for files, lines in ((1024, 1024 - SPARE_FILES), (4096, 1000), (64, 1)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, 1 << 20))
        assert serve.lines_that_fit(1000) == lines
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, 0))
    assert serve.lines_that_fit(1000) == 1000


def test_a_server_listens_on_an_ipv6_address(protocol):
    async def play():
        make_server, make_client = protocol
        with listen("::1", 0) as listener:
            server = Server(ToyRoom(), make_server)
            task = asyncio.create_task(server.serve(listener))
            client = await Client.connect(listener.getsockname()[1], make_client, 1, "::1")
            assert await client.hear() == Welcome(1, 0)
            assert [*server._crowds] == ["::/64"]
            task.cancel()
            await asyncio.wait([task])

    asyncio.run(play())


def test_an_unusable_address_is_named_in_the_error():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"'127.0.0.1 {port}'"):
            listen("127.0.0.1", port)
    with pytest.raises(OSError, match=r"'nowhere\.invalid 0'"):
        listen("nowhere.invalid", 0)


def test_a_burst_of_connections_waits_in_the_backlog():
    """While the server is busy, no connection within its limit is lost."""

    async def come_together() -> None:
        bounds = Bounds(lines=300, lines_of_address=300)
        async with serving(ToyRoom(), PROTOCOLS["lines"][0], bounds) as (server, port):
            await until(lambda: server._doors is not None)
            crowd = [
                socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(bounds.lines)
            ]
            await until(lambda: len(server._lines) == bounds.lines)
            for guest in crowd:
                guest.close()

    asyncio.run(come_together())


def test_an_unfinished_handshake_is_cut():
    async def visit(server, port, make_client):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        await Client(None, reader, writer).wait_for_the_end()

    room = with_a_pair(PROTOCOLS["websocket"], visit, replace(BOUNDS, opening=1.0))
    assert not room.reasons


def test_a_line_closed_by_the_room_reads_to_the_end_first(protocol):
    async def visit(server, port, make_client):
        client = await Client.connect(port, make_client, joins=3)
        client.say(*[Say(number) for number in range(50)], Join(1), *[Say(99)] * 500)
        heard = []
        while (message := await client.hear()) is not None:
            heard.append(message)
        assert [m.number for m in heard if isinstance(m, Heard) and m.name == 3] == [*range(50)]

    with_a_pair(protocol, visit)


def test_a_closed_line_that_has_ended_its_side_and_does_not_read_is_cut(protocol):
    async def visit(server, port, make_client):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        sock.send(make_client().answer())
        await until(lambda: 2 in server.room.lines)
        transport = server._lines[2].transport
        talker = await Client.connect(port, make_client, joins=3)
        reading = asyncio.create_task(talker.wait_for_the_end())
        while not transport.get_write_buffer_size():
            talker.say(*[Say(0)] * 50)
            await asyncio.sleep(0.001)
        sock.shutdown(socket.SHUT_WR)
        await until(transport.is_closing)
        server.do([Close(2)])
        await until(lambda: not transport.get_write_buffer_size())
        reading.cancel()
        talker.leave()
        sock.close()

    with_fast_talk(protocol, visit)


def test_only_admitted_connections_become_lines(protocol):
    admitted = []

    def admit(line, sock):
        admitted.append((line, sock.getpeername()[1]))
        return len(admitted) > 1

    async def play():
        make_server, make_client = protocol
        async with serving(ToyRoom(), make_server, admit=admit) as (server, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await Client(None, reader, writer).wait_for_the_end()
            client = await Client.connect(port, make_client, joins=1)
            assert await client.hear() == Welcome(1, 0)
            assert server.room.log == [("opened", 1)]
            assert admitted[1] == (1, client.writer.get_extra_info("sockname")[1])

    asyncio.run(play())


def test_a_connection_is_refused_once_the_doors_are_shut(protocol):
    async def visit(server, port, make_client):
        server.shut_doors()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), PATIENCE)

    with_a_pair(protocol, visit)


def test_at_the_end_every_client_reads_the_last_message_and_the_server_stops(protocol):
    async def play():
        make_server, make_client = protocol
        with listen("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
            server = Server(ToyRoom(limit=3), make_server)
            ended = asyncio.create_task(server.serve(listener))
            clients = [await Client.connect(port, make_client, joins=name) for name in (1, 2)]
            clients[0].say(Say(1), Say(2), Say(3))
            for client in clients:
                heard = []
                while (message := await client.hear()) is not None:
                    heard.append(message)
                assert heard[-1] == Heard(1, 3)
                client.writer.close()
            await asyncio.wait_for(ended, PATIENCE)

    asyncio.run(play())


def test_a_room_receives_the_time_and_the_lines_in_the_middle_of_a_message(protocol):
    async def play():
        make_server, make_client = protocol
        room = ToyRoom()
        with listen("127.0.0.1", 0) as listener:
            server = Server(room, make_server)
            ended = asyncio.create_task(server.serve(listener))
            client = await Client.connect(listener.getsockname()[1], make_client, joins=1)
            await client.hear()
            client.writer.write(client.end.send(Say(1))[:-1])
            await until(lambda: server._lines[0].end.is_amid_message)
            room.deadline = asyncio.get_running_loop().time()
            server.do([])
            await client.wait_for_the_end()
            client.leave()
            await asyncio.wait_for(ended, PATIENCE)
        assert room.log == [("opened", 0), ("amid", 0)]

    asyncio.run(play())


def test_a_server_remembers_only_the_last_handling_times(monkeypatch, protocol):
    monkeypatch.setattr(serve, "MOST_TIMES", 50)
    lengths = []

    async def visit(server, port, make_client):
        await until(lambda: sum(server.room.spoken.values()) >= 60)
        lengths.append(len(server.handling_times))

    with_a_pair(protocol, visit)
    assert lengths == [50]


def test_a_fatal_error_names_its_reason():
    client = PROTOCOLS["packed"][1]()
    with pytest.raises(RemoteProtocolError, match="begins with 9"):
        list(client.receive(b"\x09"))
