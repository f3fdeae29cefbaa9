"""Processes of this machine that play tasks, as many in parallel as there are tables.

If a process dies, the games that it had not handed over are played again by another.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from catan_env.arena import one_thread
from catan_env.arena.league.entrant import EntrantFiles
from catan_env.arena.league.live import Snapshot
from catan_env.arena.league.result import Result
from catan_env.arena.league.task import Task, perform
from catan_env.machine import end_with_parent, usable_processors

SPAWN = get_context("spawn")


class News(NamedTuple):
    """A worker's report about its task."""

    task: Task
    results: list[Result]
    is_done: bool
    """True if the worker is free: it has finished, or is gone."""
    failure: str = ""
    """The reason, if it is gone."""
    snapshot: Snapshot | None = None
    """The state of one of its games."""


class Workers(Protocol):
    """The players of tasks: processes here, or Ray's on other machines."""

    @property
    def free(self) -> int:
        """The number of further tasks that are accepted."""

    def give(self, task: Task) -> None:
        """Start a task; only while a worker is free."""

    def poll(self, timeout: float | None = None) -> Iterator[News]:
        """Wait for at least one worker to report; empty after a time-out."""

    def close(self) -> None:
        """End everything; tasks in progress are lost."""


class Alone:
    """This process, one task at a time."""

    def __init__(self) -> None:
        self._entrant_files = EntrantFiles()
        self._tasks: list[Task] = []

    @property
    def free(self) -> int:
        """1 until a task is there."""
        return 1 - len(self._tasks)

    def give(self, task: Task) -> None:
        """Accept a task, which is played when the caller waits for news."""
        self._tasks.append(task)

    def poll(self, timeout: float | None = None) -> Iterator[News]:
        """Play the task."""
        while self._tasks:
            task = self._tasks[0]
            for results in perform(task, self._entrant_files):
                yield News(task, results, False)
            self._tasks.clear()
            yield News(task, [], True)

    def close(self) -> None:
        """Delete the entrants' files."""
        self._entrant_files.close()


class Processes:
    """A number of processes of this machine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._files = TemporaryDirectory(prefix="catan-env-league-")
        self._idle: list[Worker] = []
        self._at_work: dict[Connection, tuple[Worker, Task]] = {}

    @property
    def free(self) -> int:
        """The number without a task."""
        return self._count - len(self._at_work)

    def give(self, task: Task) -> None:
        """Start a task in a process that is idle, or a new one."""
        worker = self._idle.pop() if self._idle else self._new_worker()
        self._at_work[worker.wire] = worker, task
        try:
            worker.wire.send(task)
        except OSError:  # it died idle; that is handled like a death at work
            pass

    def _new_worker(self) -> "Worker":
        """A process in the first slot that is free: all existing ones are at work."""
        return Worker(self._files.name, first_free({w.slot for w, _ in self._at_work.values()}))

    def poll(self, timeout: float | None = None) -> Iterator[News]:
        """Their reports."""
        for wire in wait(list(self._at_work), timeout):
            assert isinstance(wire, Connection)
            worker, task = self._at_work[wire]
            try:
                said = wire.recv()
            except (EOFError, OSError):
                del self._at_work[wire]
                yield News(task, [], True, f"a worker is gone: {worker.why_gone()}")
                continue
            if isinstance(said, Snapshot):
                yield News(task, [], False, snapshot=said)
                continue
            if said is None:
                del self._at_work[wire]
                self._idle.append(worker)
            yield News(task, said or [], said is None)

    def close(self) -> None:
        """End all of them."""
        for worker in (*self._idle, *(worker for worker, _ in self._at_work.values())):
            worker.close()
        self._files.cleanup()


class Worker:
    """One process, and the connection to it."""

    def __init__(self, files: str, slot: int = 0) -> None:
        self.slot = slot
        """Its number among the workers that exist; a later worker may have it again."""
        self.wire, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(theirs, files, slot))
        with one_thread.unless_said():
            self.process.start()
        theirs.close()

    def why_gone(self) -> str:
        """Its exit status as text; ends it if it is running."""
        self.process.join(1.0)
        code = self.process.exitcode
        self.close()
        return f"exit status {code}"

    def close(self) -> None:
        """End it; agents that it started end with it."""
        self.process.kill()
        self.process.join()
        self.wire.close()


def work(wire: Any, files: str, slot: int) -> None:
    """The main loop of a worker: tasks from the connection, until it is closed."""
    end_with_parent()
    entrant_files = EntrantFiles(Path(files))

    def say(snapshot: Snapshot) -> None:
        """Report without making a game wait for a reader."""
        if select([], [wire], [], 0)[1]:
            wire.send(snapshot)

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            for results in perform(wire.recv(), entrant_files, say, slot):
                wire.send(results)
            wire.send(None)


def first_free(slots: Collection[int]) -> int:
    """The first slot that is not among these.

    >>> first_free([]), first_free([0, 1, 3])
    (0, 2)
    """
    return next(slot for slot in count() if slot not in slots)


def tables_that_fit(tables: int | None) -> int:
    """The number of parallel games: as requested, or one per processor."""
    return tables or len(usable_processors())
