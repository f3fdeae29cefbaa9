"""The threads for slow jobs: none of them waits for another kind of job."""

import asyncio
from threading import Event
from typing import Any

from catan_env.web.room import TableRoom
from catan_env.web.workers import Workers


class Carrier:
    """A server that collects the results of jobs."""

    def __init__(self) -> None:
        self.done: list[Any] = []

    def do(self, effects: list[Any]) -> None:
        self.done += effects


def test_a_policy_waits_neither_for_advice_nor_for_a_study() -> None:
    async def results() -> list[Any]:
        room, server, may_end = TableRoom(), Carrier(), Event()
        workers = Workers(room, server)  # type: ignore[arg-type]
        try:
            for start in (room.jobs.start_advice, room.jobs.start_study):
                for _ in range(10):
                    start(may_end.wait, lambda done, now: [])
            room.jobs.start(lambda: "decided", lambda done, now: [done])
            async with asyncio.timeout(60):
                while not server.done:
                    await asyncio.sleep(0.01)
            return server.done
        finally:
            may_end.set()
            workers.close()

    assert asyncio.run(results()) == ["decided"]
