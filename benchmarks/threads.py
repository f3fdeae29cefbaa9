"""`python -m benchmarks.threads`: games on several worker threads against one, in turns.

In lockstep, one call per step; and whole games, one call for thousands. Wall time, since threads
consume processor time in parallel. Each turn lasts a fraction of a second, and each ratio compares
adjacent turns, so that a slowing machine affects both.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.ours import SETTLE, rules_for
from catan_env.batch import Batch, play_out
from catan_env.policies.greedy import whole_games as by_value

WHOLE_GAMES = {"random": 2000, "greedy": 150}
"""Games per call, by policy: enough to keep all threads equally busy."""

Work = Callable[[], int]
"""Plays on for one call; returns its number of decisions."""


def lockstep(games: int, threads: int, observed: bool) -> Work:
    """A step of a batch with games of every age."""
    batch = Batch(games, threads=threads, observations=observed, action_masks=observed)
    for _ in range(SETTLE):
        batch.play(batch.sample_legal())
    batch.refresh()

    def some() -> int:
        batch.step(batch.sample_legal())
        return games

    return some


def whole_games(policy: str, trade: bool, threads: int) -> Work:
    """Games of four seats from start to end."""
    games, seeds = WHOLE_GAMES[policy], count()
    player = by_value(4) if policy == "greedy" else policy
    play_out(1, policy=player)  # loads the compiled code

    def some() -> int:
        return play_out(
            games, rules=rules_for(trade), seed=next(seeds), threads=threads, policy=player
        ).total_decisions

    return some


def speed(work: Work, seconds: float) -> float:
    """Decisions per second of wall time."""
    decisions, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        decisions += work()
    return decisions / (time.perf_counter() - start)


def pairs(sizes: list[int], threads: int) -> Iterator[tuple[str, Work, Work]]:
    """The measured tasks, with one thread and with several."""
    for policy, trade in (("random", True), ("random", False), ("greedy", True)):
        name = f"whole games, {policy}{'' if trade else ', no seat trade'}"
        yield name, whole_games(policy, trade, 1), whole_games(policy, trade, threads)
    for games in sizes:
        for observed in (False, True):
            name = f"{games} in lockstep{', observed' if observed else ''}"
            yield name, lockstep(games, 1, observed), lockstep(games, threads, observed)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="against one (default 2)")
    parser.add_argument("--games", type=int, nargs="*", default=[4096, 16384], help="in lockstep")
    parser.add_argument("--repeats", type=int, default=15, help="turns (default 15)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each turn (default 0.3)")
    wanted = parser.parse_args()
    print("| games | decisions/s, one thread | ratio, median | least | most |")
    print("|---|--:|--:|--:|--:|")
    for name, one, many in pairs(wanted.games, wanted.threads):
        turns = [
            (speed(one, wanted.seconds), speed(many, wanted.seconds)) for _ in range(wanted.repeats)
        ]
        ratios = [more / single for single, more in turns]
        print(
            f"| {name} | {statistics.median(single for single, _ in turns):,.0f} "
            f"| {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
