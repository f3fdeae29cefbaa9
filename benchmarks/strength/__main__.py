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
import os
import sys
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import catanatron  # type: ignore[import-not-found]

from benchmarks.strength import records
from benchmarks.strength.fingerprint import digest_of
from benchmarks.strength.games import play_or_break
from benchmarks.strength.losses import losses
from benchmarks.strength.replay import replay_all
from benchmarks.strength.report import report
from benchmarks.strength.rows import CATANATRON_DIGEST, ROWS
from benchmarks.strength.run import add_arguments, only_one_run, play_on
from catan_env.cli.parser import Parser
from catan_env.core.compiled import ensure_rules
from catan_env.extras import BadInput


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="python -m benchmarks.strength", description=__doc__, formatter_class=raw)
    instead = add_arguments(parser, ROWS)
    instead.add_argument("--losses", action="store_true", help="describe the lost games, play none")
    return parser.parse_args()


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
            play_on(row, path, play_or_break, wanted.minutes, wanted.workers)
        print(report(row, records.read(path)))


def refuse_other_catanatron() -> None:
    """BadInput unless catanatron is the registered commit's."""
    folder = Path(catanatron.__file__).parent
    found = digest_of(folder)
    if found != CATANATRON_DIGEST:
        raise BadInput(f"{folder}: the package's digest is {found}, not {CATANATRON_DIGEST}")


if __name__ == "__main__":
    main()
