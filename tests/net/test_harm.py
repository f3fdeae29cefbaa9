"""Clients that misbehave harm only themselves."""

import asyncio
import socket
from dataclasses import replace

from catan_env.net.room import Close
from tests.net.clients import BOUNDS, RUBBISH, Client, ping, until, with_a_pair, with_fast_talk
from tests.net.toy import PROTOCOLS, Join, Say, Welcome


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


def test_an_unfinished_handshake_is_cut():
    async def visit(server, port, make_client):
        server._bounds = replace(BOUNDS, opening=1.0)  # the pair had more time
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        await Client(None, reader, writer).wait_for_the_end()

    room = with_a_pair(PROTOCOLS["websocket"], visit)
    assert not room.reasons


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
