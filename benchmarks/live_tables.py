"""Live tables under load: 100 tables with 400 spectators in one process, over real sockets.

    python -m benchmarks.live_tables --tables 100 --watchers 4 --seconds 20

A person at each table plays against three policies, choosing at random soon after being asked; the
pages run in another process. Measured is the time to handle a message or a policy's answer,
including everything sent to the table as a result: wall time, and processor time, which other
programs on the machine do not affect.
"""

import argparse
import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import msgspec
import numpy as np
from websockets.asyncio.client import connect

from catan_env.game.game import Game
from catan_env.net.serve import Server, listen
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import WebSocketServer
from catan_env.policy import load_policy
from catan_env.web.messages import Act, Choices, Heard, Said, Sit
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.serve import BOUNDS, MOST_BYTES
from catan_env.web.shelf import Shelf, Storage
from catan_env.web.table import LiveTable
from catan_env.web.workers import Workers

WRITE, READ = msgspec.json.Encoder(), msgspec.json.Decoder(Said)


class Timed(Server):
    """Records the time to handle each event."""

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self.times: list[tuple[float, float]] = []
        """Wall and processor seconds."""

    def _hear(self, number: int, message: Any) -> None:
        with self.timed():
            super()._hear(number, message)

    def _time_out(self) -> None:
        with self.timed():
            super()._time_out()

    @contextmanager
    def timed(self) -> Iterator[None]:
        begun = perf_counter(), thread_time()
        yield
        self.times.append((perf_counter() - begun[0], thread_time() - begun[1]))


class TimedWorkers(Workers):
    """Records the same for the policies' answers."""

    def _finish(self, done: Any, then: Any) -> None:
        with self._server.timed():  # type: ignore[attr-defined]
            super()._finish(done, then)


def seating(k: int, policy: str, shelf: Shelf) -> Seating:
    """Table k, stored on disk: a person against three policies of that name."""
    policies = {seat: load_policy(policy, k + seat) for seat in (1, 2, 3)}
    names = ["Guest", *(f"{policy} {seat + 1}" for seat in policies)]
    table = LiveTable(Game(4, seed=k), names, policies)
    return shelf.seating(table, {f"seat {k}": 0, f"watch {k}": None})


async def sit(address: str, secret: str, chance: random.Random) -> None:
    """A page that chooses at random when asked; a spectator is never asked."""
    async with connect(address, max_size=None) as line:
        await line.send(WRITE.encode(Sit(secret)).decode())
        async for frame in line:
            message = READ.decode(frame)
            if isinstance(message, Choices):
                await asyncio.sleep(0.05)
                chosen = chance.choice(message.actions)
                await line.send(WRITE.encode(Act(chosen.index, message.step)).decode())


async def visit(address: str, tables: int, watchers: int) -> None:
    """Run all pages until the server closes."""
    secrets = [f"seat {k}" for k in range(tables)]
    secrets += [f"watch {k}" for k in range(tables) for _ in range(watchers)]
    pages = []
    for k, secret in enumerate(secrets):
        pages.append(asyncio.create_task(sit(address, secret, random.Random(k))))
        await asyncio.sleep(0.002)
    await asyncio.gather(*pages, return_exceptions=True)


def visitors(address: str, tables: int, watchers: int) -> None:
    """The main function of the other process."""
    asyncio.run(visit(address, tables, watchers))


class Measured(NamedTuple):
    """Wall and processor seconds of each event, and the fraction of a core in use."""

    arrivals: list[tuple[float, float]]
    """Of the events until every page had sat down."""
    events: list[tuple[float, float]]
    """Of those after that."""
    share: float


async def measure(tables: int, watchers: int, length: float, policy: str, folder: Path) -> Measured:
    """Play for `length` seconds, from the moment when all pages have sat down."""
    spelling: JsonSpelling[Any] = JsonSpelling(Heard, MOST_BYTES)
    shelf = Shelf({}, Storage(folder, "127.0.0.1", 8000, 1.0))
    seatings = [seating(k, policy, shelf) for k in range(tables)]
    room = TableRoom(seatings, pace=1.0)
    server = Timed(room, lambda: WebSocketServer(spelling), bounds=BOUNDS)
    workers = TimedWorkers(room, server)
    with listen("127.0.0.1", 0) as listener:
        address = f"ws://127.0.0.1:{listener.getsockname()[1]}/"
        serving = asyncio.create_task(server.serve(listener))
        others = get_context("spawn").Process(target=visitors, args=(address, tables, watchers))
        others.start()
        while sum(len(seating.lines) for seating in seatings) < tables * (1 + watchers):
            await asyncio.sleep(0.2)
        arrivals = list(server.times)
        server.times.clear()
        begun = thread_time()
        await asyncio.sleep(length)
        share = (thread_time() - begun) / length
        times = list(server.times)
        others.terminate()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        workers.close()
    return Measured(arrivals, times, share)


def main() -> None:
    """Print the median and the 99th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=4, help="at each table")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--policy", default="greedy", help="of the other three seats")
    parser.add_argument("--folder", help="of the tables' records (default: a temporary one)")
    chosen = parser.parse_args()
    with TemporaryDirectory(dir=chosen.folder) as folder:
        found = asyncio.run(
            measure(chosen.tables, chosen.watchers, chosen.seconds, chosen.policy, Path(folder))
        )
    for title, times in (("sitting down", found.arrivals), ("playing", found.events)):
        print(f"{title}: {len(times)} messages and answers")
        for name, column in zip(("passed", "processor"), np.array(times).T * 1000, strict=True):
            half, most = np.percentile(column, [50, 99])
            print(f"  {name}: median {half:.1f} ms, 99th percentile {most:.1f} ms")
    print(f"while playing, the loop used {found.share:.0%} of a core")
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
