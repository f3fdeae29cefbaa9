"""`python -m benchmarks.renaissance_load`: many games of Masters of Renaissance in one process.

Three agents per game play at random from another process; the server stores its games in SQLite.
"""

import argparse
import asyncio
import multiprocessing
import resource
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.policies import Random
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.guests.renaissance.server import BOUNDS, client_end, server_end
from catan_env.net.serve import Server, listen
from catan_env.net.visit import Visit

SEATS = 3


async def play(port: int, agent: Agent) -> None:
    """One agent, from joining to the server's goodbye."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    visit = Visit(client_end(), agent)
    with closing(writer):
        writer.writelines(visit.begin(time.monotonic()))
        while not visit.is_over:
            assert agent.deadline is not None
            wait = max(agent.deadline - time.monotonic(), 0.0)
            try:
                data = await asyncio.wait_for(reader.read(1 << 16), wait)
            except TimeoutError:
                writer.writelines(visit.time(time.monotonic()))
                continue
            if not data:
                raise ConnectionError(f"{agent.follower.nickname}: the server hung up")
            writer.writelines(visit.receive(data, time.monotonic()))
    assert agent.is_done, f"{agent.follower.nickname}: a message is missing"


def agents(port: int, games: int) -> None:
    """Run all agents in one process; it fails at the end if one of them did."""

    async def play_all() -> None:
        players = (Agent(f"player {k}", Random(seed=k), SEATS) for k in range(SEATS * games))
        playing = (play(port, player) for player in players)
        ended = await asyncio.gather(*playing, return_exceptions=True)
        failed = [error for error in ended if isinstance(error, Exception)]
        if failed:
            raise ExceptionGroup("agents failed", failed)

    Game(SEATS, 0)  # an agent that compiles during a game would delay all others
    asyncio.run(play_all())


async def serve(games: int, folder: Path) -> tuple[Server, float, float, int]:
    """Serve until all have left; returns server, wall and processor seconds, parallel games."""
    room = RenaissanceRoom(Records(f"sqlite:///{folder / 'games.db'}"), seed=1)
    listener = listen("127.0.0.1", 0)
    listener.listen(SEATS * games)
    server = Server(room, server_end, bounds=BOUNDS)
    serving = asyncio.ensure_future(server.serve(listener))
    arguments = listener.getsockname()[1], games
    process = multiprocessing.get_context("spawn").Process(target=agents, args=arguments)
    process.start()
    begun, spent, most = time.perf_counter(), time.process_time(), 0
    while process.is_alive():
        most = max(most, len(room.tables))
        await asyncio.sleep(0.05)
    took = time.perf_counter() - begun, time.process_time() - spent
    assert process.exitcode == 0 and not room.tables
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    return server, *took, most


def main() -> None:
    """Play, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    Game(SEATS, 0)  # compile before the clock runs
    with tempfile.TemporaryDirectory() as folder:
        server, took, spent, most = asyncio.run(serve(games, Path(folder)))
    times = np.array(server.handling_times)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{games} games, {SEATS * games} connections, {most} games in parallel\n"
        f"{len(times)} messages received in {took:.1f} s, {len(times) / spent:.0f} per second of "
        f"the server's processor time\n"
        f"{1000 * times.mean():.3f} ms each on average, 99 % under "
        f"{1000 * np.quantile(times, 0.99):.3f} ms, most {1000 * times.max():.1f} ms\n"
        f"{memory:.0f} MiB at most; no game is left"
    )


if __name__ == "__main__":
    main()
