"""Functions over ranges of N games, run in several threads.

The functions they call release the GIL.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np


class Workers:
    """Threads started on first use, also in a copy, a pickle or a forked child."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._threads: ThreadPoolExecutor | None = None
        self._process = 0

    def submit(self, function: Callable[..., None], *arguments: Any) -> "Future[None]":
        """Call a function in one of the threads."""
        if self._threads is None or self._process != os.getpid():
            self._threads, self._process = ThreadPoolExecutor(self._count, "games"), os.getpid()
        return self._threads.submit(function, *arguments)

    def __reduce__(self) -> Any:
        return Workers, (self._count,)


class Pool:
    """Runs a function over chunks of games, in worker threads if there are several."""

    def __init__(self, num_games: int, threads: int) -> None:
        edges = np.linspace(0, num_games, threads + 1).astype(int)
        self._mine, *self._theirs = [(int(a), int(b)) for a, b in pairwise(edges) if b > a]
        self._workers = Workers(len(self._theirs))

    def run(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call `function(*arguments, start, stop)` for all games."""
        if not self._theirs:
            function(*arguments, *self._mine)
            return
        submit = self._workers.submit
        others = [submit(function, *arguments, *chunk) for chunk in self._theirs]
        function(*arguments, *self._mine)
        for other in others:
            other.result()


def run_in_parts(
    play_part: Callable[[int, int], None], games: int, most: int, threads: int
) -> None:
    """Call `play_part(start, stop)` for all games, at most `most` per call, in several threads.

    Each thread, this one included, takes the next part when it has finished one, until none are
    left or a call raises.
    """
    size = min(most, -(-games // (16 * threads)))  # small enough for all threads to end together
    starts = iter(range(0, games, size))

    def play_on() -> None:
        with _used_up(starts):
            for start in starts:
                play_part(start, min(start + size, games))

    with ThreadPoolExecutor(threads, "games") as workers, _used_up(starts):
        others = [workers.submit(play_on) for _ in range(1, min(threads, games))]
        play_on()
        for other in others:
            other.result()


@contextmanager
def _used_up(shared: Iterator[int]) -> Iterator[None]:
    """Exhaust an iterator on exit, so that the other threads that share it stop too."""
    try:
        yield
    finally:
        for _ in shared:
            pass
