"""Workers on several machines, by Ray.

Each machine takes as many parallel tasks as it has processors. Ray hands a result over once; if a
worker or its machine is lost, Ray reports it, and the league gives the task to another.
"""

import socket
import sys
from collections.abc import Iterator
from typing import Any

from catan_env.arena.league.entrant import EntrantFiles
from catan_env.arena.league.result import Result
from catan_env.arena.league.task import Task, perform
from catan_env.arena.league.workers import News, first_free
from catan_env.extras import missing

try:
    import ray
except ImportError as error:
    raise missing("a league over several machines", "ray", error) from error


STARTS = 3
"""Attempts to start a cluster on this machine alone: a busy one may miss Ray's 30 s."""


CONNECTING = 10.0
"""Seconds to wait for a cluster at an address."""


class RayWorkers:
    """Tasks played by a Ray cluster: `address` is its, or None for one on this machine alone.

    OSError if it cannot be reached, or does not start.
    """

    def __init__(self, address: str | None = None, count: int | None = None) -> None:
        if not ray.is_initialized():
            _start(address, None if address else count)
        self._count = count or int(ray.cluster_resources().get("CPU", 1))
        self._play = ray.remote(max_retries=0, num_cpus=1)(play)
        self._at_work: dict[Any, tuple[Task, int]] = {}

    @property
    def free(self) -> int:
        """The number of further tasks that the cluster accepts."""
        return self._count - len(self._at_work)

    def give(self, task: Task) -> None:
        """Start a task on any machine with a free processor."""
        slot = first_free({slot for _, slot in self._at_work.values()})
        self._at_work[self._play.remote(task, slot)] = task, slot

    def poll(self, timeout: float | None = None) -> Iterator[News]:
        """The results, all of a task at the same time."""
        ready, _ = ray.wait(list(self._at_work), num_returns=1, timeout=timeout)
        for reference in ready:
            task, _ = self._at_work.pop(reference)
            try:
                yield News(task, ray.get(reference), True)
            except ray.exceptions.RayError as error:
                lost = str(error).strip().partition("\n")[0]
                yield News(task, [], True, f"a worker is gone: {lost}")

    def close(self) -> None:
        """Cancel the tasks in progress."""
        for reference in self._at_work:
            ray.cancel(reference, force=True)
        ray.shutdown()


def _start(address: str | None, count: int | None) -> None:
    if address is not None:
        _reach(address)
    for left in reversed(range(STARTS if address is None else 1)):
        try:
            ray.init(address=address, num_cpus=count, log_to_driver=False, include_dashboard=False)
            return
        except Exception as error:  # no narrower kind is raised if a node is late
            ray.shutdown()
            reason = str(error).strip().partition("\n")[0]
            if left == 0:
                raise OSError(f"Ray does not start: {reason}") from error
            print(f"Ray does not start: {reason}; trying again", file=sys.stderr, flush=True)


def _reach(address: str) -> None:
    """OSError if there is no server at the address: Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():  # otherwise a word of Ray's own, such as "auto"
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTING).close()
        except OSError as error:
            raise OSError(f"no Ray at {address}: {error.strerror or error}") from error


def play(task: Task, slot: int) -> list[Result]:
    """A task, played by a Ray worker; `slot` counts the tasks in progress in the cluster."""
    entrant_files = EntrantFiles()
    try:
        return [result for results in perform(task, entrant_files, slot=slot) for result in results]
    finally:
        entrant_files.close()
