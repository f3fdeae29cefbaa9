"""A registered row, from where its file ends, or begun again in another folder.

    python -m benchmarks.strength value-own               # play on, then report
    python -m benchmarks.strength value-own --minutes 30  # at most about that long
    python -m benchmarks.strength value-own --folder mine # begin, or play on, in that folder
    python -m benchmarks.strength value-own --report      # only report the games so far
    python -m benchmarks.strength value-own --losses      # each lost game, and lost against won
    python -m benchmarks.strength value-own --replay      # replay every game under both engines

catanatron's repository at the registered commit must be importable, for example with
`PYTHONPATH=<its clone>/catanatron:.`; another version is refused, and so is a `search` that decides
otherwise than the file's. Each game is on the disk when it has ended, and a run that is killed
loses at most the game under way, which is then played again.
"""

import argparse
import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import catanatron  # type: ignore[import-not-found]

from benchmarks.strength import records
from benchmarks.strength.fingerprint import digest_of, fingerprint, machine
from benchmarks.strength.games import play_or_break, policy_of
from benchmarks.strength.losses import losses
from benchmarks.strength.replay import replay_all
from benchmarks.strength.report import report
from benchmarks.strength.rows import CATANATRON_DIGEST, ROWS, Row
from catan_env.cli.parser import Parser, whole
from catan_env.core.compiled import ensure_rules
from catan_env.extras import BadInput

GAMES = Path(__file__).parent / "games"


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="python -m benchmarks.strength", description=__doc__, formatter_class=raw)
    add = parser.add_argument
    add("row", choices=ROWS, help="the registered row")
    add("--folder", type=Path, default=GAMES, help="of the rows' files (default: beside this file)")
    add("--minutes", type=float, help="begin no game after that time")
    add("--workers", type=whole(1), default=1, help="processes (default: 1)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--report", action="store_true", help="play no game")
    instead.add_argument("--replay", action="store_true", help="replay the games, play none")
    instead.add_argument("--losses", action="store_true", help="describe the lost games, play none")
    return parser.parse_args()


def play_on(row: Row, path: Path, minutes: float | None, workers: int) -> None:
    """Play the row's missing games in their order and add them to its file."""
    until = None if minutes is None else time.monotonic() + 60 * minutes
    cut = records.repair(path)
    if cut:
        print(f"cut an unfinished game of {cut} bytes off {path}", file=sys.stderr)
    done = begin_run(row, path)
    tasks = [task for task in row.tasks() if task not in done]
    for game in _games(row, tasks, workers):
        records.append(path, game)
        if until is not None and time.monotonic() > until:
            return


def begin_run(row: Row, path: Path) -> set[tuple[int, int]]:
    """Note the run's machine in the file; return the games that it has.

    Raises BadInput if they were played by another policy.
    """
    entries = records.read(path)
    mark = fingerprint(policy_of(row, 0), row.seats)
    for entry in entries:
        if entry.get("fingerprint", mark) != mark:
            raise BadInput(
                f"{path}: played by a policy with the fingerprint {entry['fingerprint']}, this one "
                f"has {mark}; check out the commit of that run, or begin a file in another folder"
            )
    records.append(path, {"row": row.name, "fingerprint": mark, **machine()})
    return {(entry["seed"], entry["place"]) for entry in entries if "seed" in entry}


def _games(row: Row, tasks: list[tuple[int, int]], workers: int) -> Iterator[dict[str, Any]]:
    """The games in their order, however long each takes."""
    one = partial(play_or_break, row)
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


def begin_again_with_fixed_order() -> None:
    """Restart Python with fixed hashes: catanatron iterates over sets of strings."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks.strength", *sys.argv[1:]])


def main() -> None:
    """Play, replay or report."""
    wanted = arguments()
    row, path = ROWS[wanted.row], wanted.folder / f"{wanted.row}.jsonl.gz"
    begin_again_with_fixed_order()
    if wanted.report:
        print(report(row, records.read(path)))
        return
    ensure_rules()
    if wanted.losses:
        print(losses(row, records.read(path)))
        return
    refuse_other_catanatron()
    if wanted.replay:
        print(replay_all(row, records.read(path)))
    else:
        with only_one_run(path), suppress(KeyboardInterrupt):
            play_on(row, path, wanted.minutes, wanted.workers)
        print(report(row, records.read(path)))


def refuse_other_catanatron() -> None:
    """BadInput unless catanatron is the registered commit's."""
    folder = Path(catanatron.__file__).parent
    found = digest_of(folder)
    if found != CATANATRON_DIGEST:
        raise BadInput(f"{folder}: the package's digest is {found}, not {CATANATRON_DIGEST}")


if __name__ == "__main__":
    main()
