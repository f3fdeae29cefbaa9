"""Worker threads for slow computations, to keep the server responsive."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from catan_env.machine import usable_processors
from catan_env.net.room import Effect
from catan_env.net.serve import Server
from catan_env.web.jobs import Job, Then
from catan_env.web.room import TableRoom

MOST = 4
"""The number of threads; they run in parallel, since machine code and NumPy release the GIL."""


class Workers:
    """Runs a room's jobs in threads, and passes their results to the server's loop."""

    def __init__(self, room: TableRoom, server: Server) -> None:
        count = min(MOST, len(usable_processors()))
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="table")
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._studies = ThreadPoolExecutor(1, thread_name_prefix="study")
        self._advice = ThreadPoolExecutor(1, thread_name_prefix="advice")
        jobs = room.jobs
        jobs.start, jobs.start_study = self.start, self.start_study
        jobs.start_advice = self.start_advice

    def start(self, job: Job, then: Then) -> list[Effect]:
        """Start a job; its continuation is called when it is done."""
        return self._submit(self._pool, job, then)

    def start_study(self, job: Job, then: Then) -> list[Effect]:
        """Start a job that takes long; one runs at a time, and no policy waits for it."""
        return self._submit(self._studies, job, then)

    def start_advice(self, job: Job, then: Then) -> list[Effect]:
        """Start a job that a person asks for, as often as they like; no policy waits for it."""
        return self._submit(self._advice, job, then)

    def _submit(self, pool: ThreadPoolExecutor, job: Job, then: Then) -> list[Effect]:
        def pass_on(done: Future[Any]) -> None:
            if not done.cancelled() and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._finish, done, then)

        pool.submit(job).add_done_callback(pass_on)
        return []

    def close(self) -> None:
        """Start no further jobs."""
        for pool in (self._pool, self._studies, self._advice):
            pool.shutdown(wait=False, cancel_futures=True)

    def _finish(self, done: Future[Any], then: Then) -> None:
        error = done.exception()
        if error is not None and not isinstance(error, (ValueError, OSError)):
            self._loop.call_exception_handler({"message": "a job failed", "exception": error})
        self._server.do(then(done.result() if error is None else error, self._loop.time()))
