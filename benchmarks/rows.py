"""A row of the benchmark: one engine doing one task, timed in turns with all others."""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple


class Work(NamedTuple):
    """The work done in one turn of a row."""

    decisions: int
    games: int
    forced: int = 0
    """Decisions with one legal action, if the row counts them."""


@dataclass
class Row:
    """One engine at one task; `run(seconds)` works for about that long and returns its work."""

    engine: str
    form: str
    """The task: only rows with the same form are comparable."""
    games: int
    """The number of parallel games."""
    trade: bool
    observed: bool
    run: Callable[[float], Work]
    samples: list[dict[str, float]] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Run once more and record the figures."""
        wall, cpu = time.perf_counter(), time.process_time()
        work = self.run(seconds)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        self.samples.append(
            {
                "cpu_seconds": cpu,
                "wall_seconds": wall,
                "decisions_per_second": work.decisions / cpu,
                "games_per_second": work.games / cpu,
                "forced_share": work.forced / max(work.decisions, 1),
            }
        )

    def median(self, figure: str) -> float:
        """The median of a figure over all turns."""
        return statistics.median(sample[figure] for sample in self.samples)


def until(seconds: float, step: Callable[[], Work]) -> Work:
    """Repeat `step` for that many seconds of processor time."""
    end = time.process_time() + seconds
    total = Work(0, 0, 0)
    while time.process_time() < end:
        done = step()
        total = Work(*(a + b for a, b in zip(total, done, strict=True)))
    return total


def stay_on_one_core() -> int | None:
    """Pin this process to one core if the system supports it; returns which."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core
