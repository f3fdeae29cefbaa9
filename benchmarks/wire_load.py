"""100 games at once on one core: the server's time per message, with agents on loopback.

    python -m benchmarks.wire_load [--games 100]

The server runs in this process, pinned to one processor; the agents, one connection a seat, run
in a second process on another where there is one. Both are asyncio; the agents' policy is cheap
(a random legal action, few offers), and their rules engine compiled.
"""

import argparse
import asyncio
import os
import sys
import time
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from catan_env import Game, Rules, SeatView
from catan_env.net import Connection
from catan_env.net.serve import Server, listen, serve
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.messages import BinaryCodec
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom

SEATS = 4
FIRST_OFFER = 308


def random_policy(seed: int) -> Any:
    """Any legal action; an offer now and then."""
    chance = Random(seed)

    def act(view: SeatView) -> int:
        indices = np.flatnonzero(view.action_mask)
        fewer = indices[indices < FIRST_OFFER]
        some = fewer if len(fewer) and chance.random() < 0.9 else indices
        return int(chance.choice(some))

    return act


class AgentProtocol(asyncio.Protocol):
    """One agent's connection."""

    def __init__(self, seed: int, gone: "asyncio.Event") -> None:
        self._agent = Agent(random_policy(seed), announced=True)
        self._gone = gone

    def connection_made(self, transport: Any) -> None:
        """Remember where to answer."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer."""
        for reply in self._agent.receive(data):
            self._transport.write(reply)

    def connection_lost(self, error: Exception | None) -> None:
        """The game is over."""
        self._gone.set()


def agents(ports: Any, count: int) -> None:
    """The agents' process: one connection for each port that comes."""
    asyncio.run(_agents(ports, count))


async def _agents(ports: Any, count: int) -> None:
    loop = asyncio.get_running_loop()
    gone = [asyncio.Event() for _ in range(count)]
    for seed in range(count):
        port = await loop.run_in_executor(None, ports.recv)
        await loop.create_connection(partial(AgentProtocol, seed, gone[seed]), "127.0.0.1", port)
    for event in gone:
        await event.wait()


async def play_all(games: int, ports: Any) -> list[Server]:
    """All games at once; their agents connect one by one."""
    listeners = [listen("127.0.0.1", 0) for _ in range(games)]

    async def play(number: int) -> Server:
        game = Game(SEATS, number, Rules.tournament())
        room = CatanRoom(game, Settings(timeout_secs=60, max_turns=500))
        for _ in range(SEATS):
            ports.send(listeners[number].getsockname()[1])
        return await serve(room, lambda: Connection(BinaryCodec()), listeners[number])

    try:
        return await asyncio.gather(*(play(number) for number in range(games)))
    finally:
        for listener in listeners:
            listener.close()


def main() -> None:
    """Play, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    games = parser.parse_args().games
    Game(SEATS, 0)  # compile before the clock runs
    usable = sorted(os.sched_getaffinity(0))
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=agents, args=(there, SEATS * games), daemon=True)
    os.sched_setaffinity(0, {usable[-1]})
    process.start()
    os.sched_setaffinity(0, {usable[0]})
    begun = time.perf_counter()
    servers = asyncio.run(play_all(games, here))
    took = time.perf_counter() - begun
    process.join(10)
    times = np.array([t for server in servers for t in server.handling_times])
    rooms: list[Any] = [server.room for server in servers]
    print(
        f"{games} games, {SEATS * games} connections: {sum(room.is_over for room in rooms)} ended, "
        f"{sum(len(room.kicks) for room in rooms)} kicks\n"
        f"{len(times)} messages received in {took:.1f} s: {len(times) / took:.0f} a second; "
        f"the server's own time: {1000 * times.mean():.3f} ms on average, "
        f"99 % under {1000 * np.quantile(times, 0.99):.3f} ms, most {1000 * times.max():.1f} ms"
    )
    sys.exit(any(room.kicks or not room.is_over for room in rooms))


if __name__ == "__main__":
    main()
