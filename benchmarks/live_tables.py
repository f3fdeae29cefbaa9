"""Live tables under load: 100 of them with 400 onlookers in one process, over real sockets.

    python -m benchmarks.live_tables --tables 100 --watchers 4 --seconds 20

A person sits at each table against three greedy policies and chooses at random, soon after being
asked. Measured is the time that the server's process takes for a message, with the answers to
everybody at the table.
"""

import argparse
import asyncio
import random
from typing import Any

import msgspec
import numpy as np
from websockets.asyncio.client import connect

from catan_env.game.game import Game
from catan_env.net.serve import Server, listen
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import WebSocketServer
from catan_env.policy import load_policy
from catan_env.web.messages import Act, Choices, Heard, Said, Sit
from catan_env.web.room import Seating, TableRoom
from catan_env.web.serve import BOUNDS, MOST_BYTES
from catan_env.web.table import LiveTable

WRITE, READ = msgspec.json.Encoder(), msgspec.json.Decoder(Said)


def seating(k: int) -> Seating:
    """Table k: a person against three greedy policies."""
    policies = {seat: load_policy("greedy", k + seat) for seat in (1, 2, 3)}
    table = LiveTable(Game(4, seed=k), ["Guest", "greedy 2", "greedy 3", "greedy 4"], policies)
    return Seating(table, {f"seat {k}": 0, f"watch {k}": None})


async def sit(address: str, secret: str, chance: random.Random) -> None:
    """A page that chooses at random when it is asked; one that watches is never asked."""
    async with connect(address, max_size=None) as line:
        await line.send(WRITE.encode(Sit(secret)).decode())
        async for frame in line:
            message = READ.decode(frame)
            if isinstance(message, Choices):
                await asyncio.sleep(0.05)
                chosen = chance.choice(message.actions)
                await line.send(WRITE.encode(Act(chosen.index, message.step)).decode())


async def measure(tables: int, watchers: int, length: float) -> list[float]:
    """Seconds per message heard."""
    spelling: JsonSpelling[Any] = JsonSpelling(Heard, MOST_BYTES)
    room = TableRoom([seating(k) for k in range(tables)], pace=0.2)
    server = Server(room, lambda: WebSocketServer(spelling), bounds=BOUNDS)
    with listen("127.0.0.1", 0) as listener:
        address = f"ws://127.0.0.1:{listener.getsockname()[1]}/"
        serving = asyncio.create_task(server.serve(listener))
        secrets = [f"seat {k}" for k in range(tables)]
        secrets += [f"watch {k}" for k in range(tables) for _ in range(watchers)]
        pages = []
        for k, secret in enumerate(secrets):
            pages.append(asyncio.create_task(sit(address, secret, random.Random(k))))
            await asyncio.sleep(0.002)
        await asyncio.sleep(length)
        for task in (*pages, serving):
            task.cancel()
        await asyncio.gather(*pages, serving, return_exceptions=True)
    return server.handling_times


def main() -> None:
    """Print the median and the 99th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=4, help="at each table")
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    times = asyncio.run(measure(chosen.tables, chosen.watchers, chosen.seconds))
    half, most = np.percentile(np.array(times) * 1000, [50, 99])
    print(f"{len(times)} messages: median {half:.1f} ms, 99th percentile {most:.1f} ms")


if __name__ == "__main__":
    main()
