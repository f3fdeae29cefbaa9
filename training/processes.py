"""Processes that training starts."""

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any

from catan_env.machine import end_with_parent


class Processes:
    """Processes of this machine that work in parallel.

    They end with this process, and immediately when the block is left by an exception, such as
    KeyboardInterrupt: Ctrl-C, which a terminal sends to all of them, is for this process alone.
    """

    def __init__(self, count: int, context: BaseContext | None = None) -> None:
        self._pool = ProcessPoolExecutor(count, context, end_with_parent)
        # If a process is killed, the pool would wait forever for a full pipe that has no reader:
        # until Python 3.11.4 of its own accord, and in `kill`.
        self._pool._call_queue.cancel_join_thread()  # type: ignore[attr-defined]

    def __enter__(self) -> "Processes":
        return self

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """The future result of one call."""
        with _interrupts_blocked():
            return self._pool.submit(work, *given)

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """The results of a call with each item, in order."""
        with _interrupts_blocked():
            return self._pool.map(work, items)

    def kill(self) -> None:
        """End the processes immediately."""
        pool: Any = self._pool
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        late = time.monotonic() + 1
        while pool._cancel_pending_futures and time.monotonic() < late:
            time.sleep(0.001)  # the pool's thread would fail at one that is lost and canceled
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if kind is None:
            self._pool.shutdown()
        else:
            self.kill()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes started in this block never receive Ctrl-C, this one does after the block."""
    if sys.platform == "win32":  # which has no signal masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
