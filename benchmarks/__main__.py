"""`python -m benchmarks`: our engine and the installed rivals, in turns, in one run on one core."""

import argparse
import importlib
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks import ours, report, start_up
from benchmarks.rows import Row, stay_on_one_core

RIVALS = ("fast_catan", "catanatron_rows", "catanatron_gym_rows")
GUESTS = ("hanabi_rows", "renaissance_rows")


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="turns of each row (default 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each turn (default 1)")
    parser.add_argument("--games", type=int, nargs="+", default=[1, 64, 1024, 4096])
    parser.add_argument(
        "--json",
        type=Path,
        default=Path("runs/benchmark.json"),
        help="file for every sample (default runs/benchmark.json)",
    )
    parser.add_argument("--plot", type=Path, help="draw speed against the number of games")
    return parser.parse_args()


def rivals(sizes: tuple[int, ...], names: tuple[str, ...] = RIVALS) -> list[Row]:
    """Rows of every installed rival or guest; missing ones are printed."""
    found: list[Row] = []
    for name in names:
        try:
            module = importlib.import_module(f"benchmarks.{name}")
        except ImportError as error:
            print(f"missing: {error.name}, its rows are left out")
            continue
        found += module.rows(sizes)
    return found


def main() -> None:
    """Measure and report."""
    wanted = arguments()
    costs = start_up.figures()
    core = stay_on_one_core()
    sizes = tuple(wanted.games)
    rows = [*ours.rows(sizes), *rivals(sizes), *rivals(sizes, GUESTS)]
    for turn in range(wanted.repeats):
        print(f"turn {turn + 1} of {wanted.repeats} on core {core}", flush=True)
        for row in rows:
            row.measure(wanted.seconds)
    print("\n" + report.text(report.machine(), rows, costs))
    report.write_json(wanted.json, rows, costs)
    print(f"\nevery sample is in {wanted.json.resolve()}")
    if wanted.plot:
        report.plot(wanted.plot, rows)


if __name__ == "__main__":
    main()
