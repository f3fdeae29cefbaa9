"""Rooms behind sockets, over three toy protocols: lines come, go, and end with the room."""

import asyncio
import socket

import pytest

from catan_env.net import RemoteProtocolError, serve
from catan_env.net.serve import Server, listen
from tests.net.clients import PATIENCE, Client, serving, until, with_a_pair
from tests.net.toy import PROTOCOLS, Heard, Join, Say, ToyRoom, Welcome


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


def test_a_line_closed_by_the_room_reads_to_the_end_first(protocol):
    async def visit(server, port, make_client):
        client = await Client.connect(port, make_client, joins=3)
        client.say(*[Say(number) for number in range(50)], Join(1), *[Say(99)] * 500)
        heard = []
        while (message := await client.hear()) is not None:
            heard.append(message)
        assert [m.number for m in heard if isinstance(m, Heard) and m.name == 3] == [*range(50)]

    with_a_pair(protocol, visit)


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


def test_a_server_that_is_stopped_while_it_begins_listens_no_longer(protocol):
    make_server, _ = protocol

    async def begin_and_stop(listener):
        task = asyncio.create_task(Server(ToyRoom(), make_server).serve(listener))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert listener.fileno() == -1

    with listen("127.0.0.1", 0) as listener:
        asyncio.run(begin_and_stop(listener))


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
