"""More connections than a server has lines: which of them stay, by age and by address."""

import asyncio
import resource
import socket
from dataclasses import replace

import pytest

from catan_env.net import serve
from catan_env.net.serve import MADE_ROOM, SPARE_FILES, Bounds
from tests.net.clients import BOUNDS, PATIENCE, Client, serving, until, with_a_pair
from tests.net.toy import PROTOCOLS, Say, ToyRoom, Welcome


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


def test_games_for_which_too_few_files_can_be_opened_are_refused(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (SPARE_FILES + 4, 1 << 20))
    serve.check_lines(1, 4)
    with pytest.raises(ValueError, match=r"^5 seats need 133 open files.* have 132 \(ulimit -n\)$"):
        serve.check_lines(1, 5)
    with pytest.raises(ValueError, match=r"^3 games of 2 seats at a time need 134 open files"):
        serve.check_lines(3, 2)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, 0))
    serve.check_lines(1000, 4)


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
