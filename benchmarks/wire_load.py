"""100 parallel games on one core: the server's time per message, with agents on loopback.

    python -m benchmarks.wire_load [--games 100] [--protocol german]

The server runs in this process, pinned to one processor; the agents, one connection per seat, run
in a second process, on another processor if there is one. Both are asyncio; the agents' policy is
cheap (a random legal action, few offers), and their rules engine compiled.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from catan_env import Game, Rules, SeatView
from catan_env.core.actions import OFFER_START
from catan_env.net import Connection
from catan_env.net.serve import Server, listen, serve
from catan_env.net.visit import Visit
from catan_env.protocols.catan_binary import agent as catan_binary
from catan_env.protocols.catan_binary.messages import BinaryCodec
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_german import agent as catan_german
from catan_env.protocols.catan_german import play as german
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from catan_env.protocols.catan_german.room import GermanRoom

SEATS = 4


def random_policy(seed: int) -> Any:
    """A policy that plays any legal action, and sometimes an offer."""
    chance = Random(seed)

    def act(view: SeatView) -> int:
        indices = np.flatnonzero(view.action_mask)
        fewer = indices[indices < OFFER_START]
        some = fewer if len(fewer) and chance.random() < 0.9 else indices
        return int(chance.choice(some))

    return act


def answers_of(visit: Visit) -> Callable[[bytes], bytes]:
    """A function from received bytes to an agent's answer."""
    return lambda data: b"".join(visit.receive(data, time.monotonic()))


class BinaryTable:
    """The binary protocol: a room, our end of a connection, and an agent's answers."""

    @staticmethod
    def room(number: int) -> Any:
        """The room of a new game."""
        game = Game(SEATS, number, Rules.tournament())
        return CatanRoom(game, Settings(timeout_secs=60, max_turns=500))

    @staticmethod
    def end() -> Any:
        """Our end of a connection."""
        return Connection(BinaryCodec())

    @staticmethod
    def answers(seed: int) -> Callable[[bytes], bytes]:
        """A function from received bytes to an agent's answer."""
        agent = catan_binary.Agent(random_policy(seed), announced=True, is_ours=True)
        return answers_of(Visit(catan_binary.client_end(), agent))


class GermanTable:
    """The same for the German protocol."""

    @staticmethod
    def room(number: int) -> Any:
        """The room of a new game."""
        game = Game(SEATS, number, Rules.german("1.0"))
        return GermanRoom(game, german.Settings("1.0", max_turns=500))

    @staticmethod
    def end() -> Any:
        """Our end of a connection."""
        codec: Any = GermanCodec(said_by_clients("1.0"))
        return Connection(codec)

    @staticmethod
    def answers(seed: int) -> Callable[[bytes], bytes]:
        """A function from received bytes to an agent's answer."""
        agent = catan_german.Agent(random_policy(seed), f"Spieler {seed}")
        return answers_of(Visit(catan_german.client_end(), agent))


TABLES: dict[str, Any] = {"binary": BinaryTable, "german": GermanTable}


class AgentProtocol(asyncio.Protocol):
    """One agent's connection."""

    def __init__(self, protocol: str, seed: int, gone: "asyncio.Event") -> None:
        self._answers = TABLES[protocol].answers(seed)
        self._gone = gone

    def connection_made(self, transport: Any) -> None:
        """Store the transport for the answers."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Send the answer."""
        self._transport.write(self._answers(data))

    def connection_lost(self, error: Exception | None) -> None:
        """Report the end of the connection."""
        self._gone.set()


def agents(ports: Any, count: int, protocol: str) -> None:
    """The agents' process: one connection for each port received."""
    asyncio.run(_agents(ports, count, protocol))


async def _agents(ports: Any, count: int, protocol: str) -> None:
    loop = asyncio.get_running_loop()
    gone = [asyncio.Event() for _ in range(count)]
    for seed in range(count):
        port = await loop.run_in_executor(None, ports.recv)
        make = partial(AgentProtocol, protocol, seed, gone[seed])
        await loop.create_connection(make, "127.0.0.1", port)
    for event in gone:
        await event.wait()


async def play_all(games: int, ports: Any, table: Any) -> list[Server]:
    """Play all games in parallel; their agents connect one by one."""
    listeners = [listen("127.0.0.1", 0) for _ in range(games)]

    async def play(number: int) -> Server:
        for _ in range(SEATS):
            ports.send(listeners[number].getsockname()[1])
        return await serve(table.room(number), table.end, listeners[number])

    try:
        return await asyncio.gather(*(play(number) for number in range(games)))
    finally:
        for listener in listeners:
            listener.close()


def main() -> None:
    """Play, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--protocol", choices=TABLES, default="binary")
    chosen = parser.parse_args()
    games = chosen.games
    Game(SEATS, 0)  # compile before the clock runs
    usable = sorted(os.sched_getaffinity(0))
    here, there = get_context("spawn").Pipe()
    wanted = (there, SEATS * games, chosen.protocol)
    process = get_context("spawn").Process(target=agents, args=wanted, daemon=True)
    os.sched_setaffinity(0, {usable[-1]})
    process.start()
    os.sched_setaffinity(0, {usable[0]})
    begun = time.perf_counter()
    servers = asyncio.run(play_all(games, here, TABLES[chosen.protocol]))
    took = time.perf_counter() - begun
    process.join(10)
    times = np.array([t for server in servers for t in server.handling_times])
    rooms: list[Any] = [server.room for server in servers]
    print(
        f"{games} games, {SEATS * games} connections: {sum(room.is_over for room in rooms)} ended, "
        f"{sum(len(room.removals) for room in rooms)} kicks\n"
        f"{len(times)} messages received in {took:.1f} s: {len(times) / took:.0f} per second; "
        f"the server's own time: {1000 * times.mean():.3f} ms on average, "
        f"99 % under {1000 * np.quantile(times, 0.99):.3f} ms, most {1000 * times.max():.1f} ms"
    )
    sys.exit(any(room.removals or not room.is_over for room in rooms))


if __name__ == "__main__":
    main()
