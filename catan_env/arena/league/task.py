"""A unit of work for a league worker."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.live import Snapshot
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.over_tcp import play_over_tcp
from catan_env.arena.league.result import Result
from catan_env.arena.league.side_by_side import play_side_by_side
from catan_env.arena.sandbox import guard_memory


@dataclass(frozen=True)
class Task:
    """Meetings of one line-up, to be played by one worker."""

    settings: MatchSettings
    meetings: tuple[Meeting, ...]
    entrants: tuple[Entrant, ...] = field(repr=False)
    """The line-up, in its order, with the files."""
    over_tcp: bool = False
    log_dir: Path | None = None
    private: tuple[Path, ...] = ()
    """The paths hidden from agents: the ledger's folder."""


def perform(
    task: Task,
    entrant_files: EntrantFiles,
    say: Callable[[Snapshot], object] | None = None,
    slot: int = 0,
) -> Iterator[list[Result]]:
    """Play a task; each game is handed over when it ends.

    `say` receives the state of games over a protocol meanwhile. `slot` counts the workers of a
    machine: the agents of each get different processors.
    """
    if not task.over_tcp:
        yield play_side_by_side(task.settings, task.meetings, task.entrants, entrant_files)
        return
    guard_memory()
    for meeting in task.meetings:
        result = play_over_tcp(
            task.settings,
            meeting,
            task.entrants,
            entrant_files,
            task.log_dir,
            say,
            task.private,
            slot,
        )
        yield [result]
