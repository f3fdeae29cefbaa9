"""Processes of this machine that play tasks, as many at once as there are tables.

A process that dies takes its task with it: what it had not handed over is played again by another.
"""

from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from catan_env.arena import one_thread
from catan_env.arena.league.entrant import Workshop
from catan_env.arena.league.live import Glimpse
from catan_env.arena.league.result import Result
from catan_env.arena.league.task import Task, end_with_parent, perform
from catan_env.machine import usable_processors

SPAWN = get_context("spawn")


class News(NamedTuple):
    """What a worker says of its task."""

    task: Task
    results: list[Result]
    is_done: bool
    """Whether the worker is free: it has finished, or is gone."""
    failure: str = ""
    """Why it is gone, where it is."""
    glimpse: Glimpse | None = None
    """How one of its games stands."""


class Workers(Protocol):
    """Whoever plays tasks: processes here, or Ray's on other machines."""

    @property
    def free(self) -> int:
        """How many more tasks are taken at once."""

    @property
    def busy(self) -> int:
        """How many tasks are being played."""

    def give(self, task: Task) -> None:
        """Begin a task; only while somebody is free."""

    def news(self, timeout: float | None = None) -> Iterator[News]:
        """Wait for at least one worker to say something; none when the time is up."""

    def close(self) -> None:
        """End everything; what is being played is lost."""


class Alone:
    """This process, one task at a time."""

    def __init__(self) -> None:
        self._workshop = Workshop()
        self._tasks: list[Task] = []

    @property
    def free(self) -> int:
        """1 before a task is there."""
        return 1 - len(self._tasks)

    @property
    def busy(self) -> int:
        """1 while a task is there."""
        return len(self._tasks)

    def give(self, task: Task) -> None:
        """It is played when somebody waits for news."""
        self._tasks.append(task)

    def news(self, timeout: float | None = None) -> Iterator[News]:
        """Play it."""
        while self._tasks:
            task = self._tasks[0]
            for results in perform(task, self._workshop):
                yield News(task, results, False)
            self._tasks.clear()
            yield News(task, [], True)

    def close(self) -> None:
        """Take the entrants' files away."""
        self._workshop.close()


class Processes:
    """So many processes of this machine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._files = TemporaryDirectory(prefix="catan-env-league-")
        self._idle: list[Worker] = []
        self._at_work: dict[Connection, tuple[Worker, Task]] = {}

    @property
    def free(self) -> int:
        """How many have no task."""
        return self._count - len(self._at_work)

    @property
    def busy(self) -> int:
        """How many have one."""
        return len(self._at_work)

    def give(self, task: Task) -> None:
        """Begin a task in a process that is idle, or a new one."""
        worker = self._idle.pop() if self._idle else Worker(self._files.name)
        self._at_work[worker.wire] = worker, task
        try:
            worker.wire.send(task)
        except OSError:  # it died idle; that is heard as of one that dies at work
            pass

    def news(self, timeout: float | None = None) -> Iterator[News]:
        """What they say."""
        for wire in wait(list(self._at_work), timeout):
            assert isinstance(wire, Connection)
            worker, task = self._at_work[wire]
            try:
                said = wire.recv()
            except (EOFError, OSError):
                del self._at_work[wire]
                yield News(task, [], True, f"a worker is gone: {worker.why_gone()}")
                continue
            if isinstance(said, Glimpse):
                yield News(task, [], False, glimpse=said)
                continue
            if said is None:
                del self._at_work[wire]
                self._idle.append(worker)
            yield News(task, said or [], said is None)

    @property
    def pids(self) -> list[int]:
        """The processes at work."""
        return [int(worker.process.pid or 0) for worker, _ in self._at_work.values()]

    def close(self) -> None:
        """End all of them."""
        for worker in (*self._idle, *(worker for worker, _ in self._at_work.values())):
            worker.close()
        self._files.cleanup()


class Worker:
    """One process, and the wire to it."""

    def __init__(self, files: str) -> None:
        self.wire, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(theirs, files))
        with one_thread.unless_said():
            self.process.start()
        theirs.close()

    def why_gone(self) -> str:
        """Its exit status in words; it ends if it has not."""
        self.process.join(1.0)
        code = self.process.exitcode
        self.close()
        return f"exit status {code}"

    def close(self) -> None:
        """End it; agents that it started end with it."""
        self.process.kill()
        self.process.join()
        self.wire.close()


def work(wire: Any, files: str) -> None:
    """What a worker's process does: tasks that come over the wire, until it is closed."""
    end_with_parent()
    workshop = Workshop(Path(files))

    def say(glimpse: Glimpse) -> None:
        """A game never waits until somebody listens."""
        if select([], [wire], [], 0)[1]:
            wire.send(glimpse)

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            for results in perform(wire.recv(), workshop, say):
                wire.send(results)
            wire.send(None)


def tables_that_fit(tables: int | None) -> int:
    """How many games at once: as was asked, or one a processor."""
    return tables or len(usable_processors())
