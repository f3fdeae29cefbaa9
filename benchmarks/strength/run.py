"""A run: the missing games of a row, added to its file as they end."""

import fcntl
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any

from benchmarks.strength import records
from benchmarks.strength.fingerprint import fingerprints, machine
from benchmarks.strength.rows import Row
from catan_env.cli.parser import whole
from catan_env.extras import BadInput

Task = tuple[int, int]
"""The seed of a map and the place of the line-up's first member."""
Play = Callable[[Row, Task], dict[str, Any]]
"""Plays one game and describes it."""
GAMES = Path(__file__).parent / "games"
"""The folder of the published games."""


def add_arguments(parser: ArgumentParser, rows: Iterable[str]) -> Any:
    """A run's arguments; the group of those that are given instead of playing is returned."""
    add = parser.add_argument
    add("row", choices=list(rows), help="the registered row")
    add("--folder", type=Path, default=GAMES, help="of the rows' files (default: beside this file)")
    add("--minutes", type=float, help="begin no game after that time")
    add("--workers", type=whole(1), default=1, help="processes (default: 1)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--report", action="store_true", help="play no game")
    instead.add_argument("--replay", action="store_true", help="replay the games, play none")
    return instead


def play_on(row: Row, path: Path, play: Play, minutes: float | None, workers: int) -> None:
    """Play the row's missing games in their order and add them to its file."""
    until = None if minutes is None else time.monotonic() + 60 * minutes
    cut = records.repair(path)
    if cut:
        print(f"cut an unfinished game of {cut} bytes off {path}", file=sys.stderr)
    done = begin_run(row, path)
    tasks = [task for task in row.tasks() if task not in done]
    for game in _games(partial(play, row), tasks, workers):
        records.append(path, game)
        if until is not None and time.monotonic() > until:
            return


def begin_run(row: Row, path: Path) -> set[Task]:
    """Note the run's machine in the file; return the games that it has.

    Raises BadInput if they were played by another policy.
    """
    entries = records.read(path)
    marks = fingerprints(row)
    for entry in entries:
        for key, mark in marks.items():
            if entry.get(key, mark) != mark:
                raise BadInput(
                    f"{path}: played by a policy with the {key} {entry[key]}, this one has {mark}; "
                    "check out the commit of that run, or begin a file in another folder"
                )
    records.append(path, {"row": row.name, **marks, **machine()})
    return {(entry["seed"], entry["place"]) for entry in entries if "seed" in entry}


def _games(
    one: Callable[[Task], dict[str, Any]], tasks: list[Task], workers: int
) -> Iterator[dict[str, Any]]:
    """The games in their order, however long each takes."""
    if workers == 1:
        yield from map(one, tasks)
        return
    with get_context("spawn").Pool(workers, signal, (SIGINT, SIG_IGN)) as pool:
        yield from pool.imap(one, tasks)


@contextmanager
def only_one_run(path: Path) -> Iterator[None]:
    """Hold a lock beside the file; BadInput if another run has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"{path}: another run adds games to it") from None
        yield
