"""Over TCP: whole games, and hostile lines."""

import asyncio
import contextlib
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import numpy as np
import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.policies import Random
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.guests.renaissance.server import BOUNDS, server_end
from catan_env.guests.renaissance.view import SeatView
from catan_env.net.lines import LineCodec
from catan_env.net.serve import Server, listen
from catan_env.net.spelling import JsonSpelling
from tests.guests.renaissance.in_memory import Checked, House
from tests.guests.renaissance.processes import start_agents

PATIENCE = 600.0


class Seen(House):
    """The house of the room behind the socket: it only finds games for agents."""

    def __init__(self, room: RenaissanceRoom) -> None:
        self.room = room


@contextmanager
def room_at_a_socket() -> Iterator[tuple[RenaissanceRoom, int]]:
    """A room behind a socket in a thread of this process."""
    ensure_ready()
    room, listener = RenaissanceRoom(Records(), seed=1), listen("127.0.0.1", 0)

    async def serve() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await Server(room, server_end, bounds=BOUNDS).serve(listener)

    loop = asyncio.new_event_loop()
    task = loop.create_task(serve())
    thread = Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])), daemon=True)
    thread.start()
    try:
        yield room, listener.getsockname()[1]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(PATIENCE)
        listener.close()


def test_games_over_tcp_give_what_the_environment_gives(games: int) -> None:
    compared = 0
    with room_at_a_socket() as (room, port):
        for number in range(max(games // 1000, 3)):
            seats = 1 + number % 4
            agents = [
                Checked(f"p{number}-{k}", Random(seed=9 * number + k), seats, Seen(room))
                for k in range(seats)
            ]
            for thread in start_agents(port, agents):
                thread.join(PATIENCE)
            assert all(agent.is_done and not agent.refusals for agent in agents)
            compared += sum(agent.compared for agent in agents)
        assert compared > 100 and not room.tables


class BrokenOffError(Exception):
    """Break a connection."""


class Dropping(Checked):
    """An agent whose connection sometimes breaks at its decision; the client then reconnects.

    News of other players may be on its way while it decides.
    """

    def __init__(self, name: str, seed: int, seats: int, house: House) -> None:
        super().__init__(name, Random(seed=seed), seats, house)
        self.random = random.Random(seed)
        self.unheard = [296 + 118 * seat + 1 for seat in range(4)]

    def received(self, message: Any, now: float) -> list[Any]:
        try:
            return super().received(message, now)
        except BrokenOffError:
            self.has_returned = self.is_lost = True
            return []

    def _think(self, view: SeatView) -> list[int]:
        if self.random.random() < 0.02:
            raise BrokenOffError
        return super()._think(view)


def test_clients_that_return_over_tcp_know_what_the_page_promises(games: int) -> None:
    compared = returned = 0
    with room_at_a_socket() as (room, port):
        for number in range(max(games // 3000, 3)):
            seats = 1 + (number + 1) % 4
            agents = [
                Dropping(f"p{number}-{k}", 9 * number + k, seats, Seen(room)) for k in range(seats)
            ]
            for thread in start_agents(port, agents):
                thread.join(PATIENCE)
            assert all(agent.is_done and not agent.refusals for agent in agents)
            compared += sum(agent.compared for agent in agents)
            returned += sum(agent.has_returned for agent in agents)
        assert compared > 100 and returned and not room.tables and not room._waiting


def lines_of(sock: socket.socket) -> Iterator[bytes]:
    """Lines as they arrive, until the other side closes."""
    data = b""
    while True:
        while b"\n" in data:
            line, _, data = data.partition(b"\n")
            yield line
        more = sock.recv(1 << 16)
        if not more:
            return
        data += more


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"  ",
        b"nonsense",
        b"[]",
        b"7",
        b"{}",
        b'{"type":"ReqFoo"}',
        b'{"type":"ReqJoin"}',
        b'{"type":"ReqJoin","nickname":7}',
        b'{"type":"ReqNewGame","playersCount":"2"}',
        b'{"type":"ReqTakeFromMarket","isRow":1,"index":0}',
        b'{"type":"ReqTakeFromMarket","isRow":true,"index":0,"shelves":{"x":{}}}',
        b'{"type":"ReqJoin","nickname":"\xff"}',
        b'{"type":"ReqJoin","nickname":' + b"[" * 100 + b"]" * 100 + b"}",
    ],
)
def test_an_undecodable_line_gives_an_err_protocol(line: bytes) -> None:
    with room_at_a_socket() as (_, port), socket.create_connection(("127.0.0.1", port)) as sock:
        sock.settimeout(PATIENCE)
        sock.sendall(line + b'\n{"type":"ReqHeartbeat"}\r\n')
        answers = lines_of(sock)
        assert next(answers) == b'{"type":"ReqWelcome"}'
        assert next(answers).startswith(b'{"type":"ErrProtocol","msg":')
        assert next(answers) == b'{"type":"ResHeartbeat"}', "the connection stays"


def test_other_games_continue_while_lines_are_hostile() -> None:
    """Too long, half a line, a flood, and one that never reads."""
    with room_at_a_socket() as (room, port):
        foes = [socket.create_connection(("127.0.0.1", port)) for _ in range(4)]
        foes[0].sendall(b"x" * (1 << 17))
        foes[1].sendall(b'{"type":"ReqJo')
        foes[2].sendall(b'{"type":"ReqHeartbeat"}\n' * 2000)
        foes[3].setblocking(False)
        for _ in range(200):
            try:
                foes[3].send(b'{"type":"ReqEndTurn"}\n' * 20)
            except (BlockingIOError, ConnectionError):
                break
        agents = [Agent(name, Random(seed=3), 2) for name in ("ann", "bob")]
        for thread in start_agents(port, agents):
            thread.join(PATIENCE)
        assert all(agent.follower.is_over for agent in agents)
        assert len(room._guests) <= 4
        for foe in foes:
            foe.close()


def test_mutated_lines_give_documented_errors_only(games: int) -> None:
    """A mutated line gets an answer of the protocol, or none is due."""
    spelling = JsonSpelling(m.TO_SERVER)
    codec, draw = LineCodec(spelling), np.random.default_rng(4)
    room, lines = RenaissanceRoom(Records(), seed=1), [0, 1]
    for line in lines:
        room.opened(line, 0.0)
        room.received(line, m.ReqJoin(f"p{line}"), 0.0)
    room.received(0, m.ReqNewGame(2), 0.0)
    good = [codec.encode(message)[:-1] for message in samples(room)]
    for number in range(games):
        data = mutated(good[int(draw.integers(len(good)))], draw)
        decoded = codec.decode(bytearray(data.replace(b"\n", b" ") + b"\n"))
        if decoded is None:
            continue
        for effect in room.received(number % 2, decoded[0], 0.0):
            codec_of_client.encode(effect.message)
        for line in lines:
            guest = room._guests.get(line)
            if guest is None or guest.is_deaf or guest.table is None:
                room.closed(line, "done", 0.0)
                room.opened(line, 0.0)
                room.received(line, m.ReqJoin(f"p{line}"), 0.0)


codec_of_client = LineCodec(JsonSpelling(m.TO_CLIENT))


def samples(room: RenaissanceRoom) -> list[m.Command]:
    """Commands of every kind, as a player of that room's game would send them."""
    table = next(iter(room.tables))
    ids, dealt = table.ids, table.game.state["dealt"][0].tolist()
    box, shelf = ids.strongbox[0], ids.shelves[0]
    request = m.ProductionRequest(
        production=ids.base[0], inputContainers={box: {"Coin": 2}}, outputRep={"Stone": 1}
    )
    return [
        m.ReqJoin("p0"),
        m.ReqNewGame(2),
        m.ReqChooseLeaders(dealt[:2]),
        m.ReqChooseLeaders(table.game.state["dealt"][1].tolist()[:2]),
        m.ReqChooseResources({ids.shelves[1][0]: {"Coin": 1}}),
        m.ReqSwapShelves(shelf[0], shelf[1]),
        m.ReqLeaderAction(dealt[0], False),
        m.ReqTakeFromMarket(True, 1, {}, {shelf[1]: {"Coin": 1}}),
        m.ReqBuyDevCard("Green", 1, 0, {box: {"Shield": 2}}),
        m.ReqActivateProductions([request]),
        m.ReqEndTurn(),
    ]


def mutated(data: bytes, draw: np.random.Generator) -> bytes:
    """A line with some bytes changed, removed or doubled, or with numbers inserted."""
    line = bytearray(data)
    for _ in range(int(draw.integers(4))):
        at = int(draw.integers(len(line)))
        how = int(draw.integers(5))
        if how == 0:
            line[at] = int(draw.integers(256))
        elif how == 1:
            del line[at : at + int(draw.integers(1, 9))]
        elif how == 2:
            line[at:at] = line[at : at + int(draw.integers(1, 12))]
        elif how == 3:
            line[at:at] = str(int(draw.integers(-(10**12), 10**12))).encode()
        else:
            digits = [k for k, sign in enumerate(line) if 48 <= sign <= 57]
            if digits:
                line[digits[int(draw.integers(len(digits)))]] = int(draw.integers(48, 58))
        if not line:
            return b"{}"
    return bytes(line)
