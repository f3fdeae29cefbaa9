"""`python -m benchmarks.threads`: lockstep games on several worker threads against one, in turns.

Wall time, since threads spend processor time together. Each turn lasts a fraction of a second
and the ratio is that of turns next to each other, so that a machine that slows down slows both.
"""

import argparse
import statistics
import time

from benchmarks.ours import SETTLE
from catan_env.batch import Batch


def settled(games: int, threads: int, observed: bool) -> Batch:
    """A batch with games of every age on the table."""
    batch = Batch(games, threads=threads, observations=observed, action_masks=observed)
    for _ in range(SETTLE):
        batch.play(batch.sample_legal())
    batch.refresh()
    return batch


def speed(batch: Batch, seconds: float) -> float:
    """Decisions a second of wall time."""
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        batch.step(batch.sample_legal())
        steps += 1
    return steps * batch.num_games / (time.perf_counter() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="against one (default 2)")
    parser.add_argument("--games", type=int, nargs="+", default=[4096, 16384])
    parser.add_argument("--repeats", type=int, default=15, help="turns (default 15)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each turn (default 0.3)")
    wanted = parser.parse_args()
    print("| games | observed | decisions/s, one thread | ratio, median | least | most |")
    print("|--:|---|--:|--:|--:|--:|")
    for games in wanted.games:
        for observed in (False, True):
            one = settled(games, 1, observed)
            many = settled(games, wanted.threads, observed)
            pairs = [
                (speed(one, wanted.seconds), speed(many, wanted.seconds))
                for _ in range(wanted.repeats)
            ]
            ratios = [more / single for single, more in pairs]
            print(
                f"| {games} | {'yes' if observed else 'no'} "
                f"| {statistics.median(single for single, _ in pairs):,.0f} "
                f"| {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
