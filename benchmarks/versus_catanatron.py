"""Our policies in catanatron's own engine, against its bots.

    python -m benchmarks.versus_catanatron --policy builder --against value --games 400

One against one, or one against three with `--seats 4`; every map is played from every seat. The
policy's information and the rule differences are described in
`catan_env/catanatron/__init__.py`.

catanatron iterates over sets of strings, in an order that Python randomizes per process: the games
are played in separate processes with a fixed order. From Python 3.12 on a seed determines the game;
before, the hash of None differs between processes, and some orders with it. An interrupt ends with
the games played so far. A game in which catanatron itself fails is only counted as broken off.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from traceback import walk_tb
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from benchmarks.catanatron_match import RIVALS, Pairing, Result, play
from benchmarks.counts import say_counts
from catan_env.arena.fair import without_luck
from catan_env.arena.fair_rate import fair_rate, say_fair_rate
from catan_env.arena.report import wilson_interval
from catan_env.catanatron.log import described
from catan_env.cli.progress import with_progress
from catan_env.core.compiled import ensure_rules
from catan_env.extras import BadInput, reason
from catan_env.policy import load_policy
from catan_env.training.folder import make_folder_of

FAULTS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError)
"""Errors of a program, not of the machine it runs on."""


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus_catanatron")
    parser.add_argument("--policy", default="builder", help="ours: a name or module:Class")
    parser.add_argument(
        "--against", default="random", help=f"theirs: {', '.join(RIVALS)} or module:Class"
    )
    parser.add_argument("--games", type=int, default=100, help="a multiple of the seats")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the first map, 1 or more")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--json", type=Path, help="keep every game in this file")
    parser.add_argument("--luck", action="store_true",
        help="also report the win rate without the luck of the dice, thefts and cards"
        )  # fmt: skip
    wanted = parser.parse_args()
    for option, least in (("games", wanted.seats), ("seed", 1), ("workers", 1)):
        if getattr(wanted, option) < least:
            parser.error(f"--{option} is {getattr(wanted, option)}; allowed are {least} or more")
    if wanted.games % wanted.seats:
        parser.error(f"--games is {wanted.games}; allowed are multiples of {wanted.seats}")
    return wanted


@dataclass(frozen=True)
class Broken:
    """A game that catanatron broke off with an error."""

    seed: int
    place: int
    error: str


def results(
    pairing: Pairing, tasks: list[tuple[int, int]], workers: int
) -> Iterator[Result | Broken]:
    """The results of these games, in the order of their ends."""
    one = partial(_play, pairing)
    os.environ["PYTHONHASHSEED"] = "0"
    with get_context("spawn").Pool(workers, signal, (SIGINT, SIG_IGN)) as pool:
        yield from pool.imap_unordered(one, tasks)


def _play(pairing: Pairing, task: tuple[int, int]) -> Result | Broken:
    try:
        return play(pairing, *task)
    except FAULTS as error:
        if not is_of_catanatron(error):
            raise
        return Broken(*task, f"{type(error).__name__}: {error}")


def is_of_catanatron(error: BaseException) -> bool:
    """True if the error was raised in catanatron's code, and not in ours or in a policy's."""
    name = ""
    for frame, _ in walk_tb(error.__traceback__):
        name = frame.f_globals.get("__name__", "")
    return name.split(".")[0] in ("catanatron", "catanatron_experimental")


def rate(results: Iterable[Result]) -> dict[str, Any]:
    """Wins, games, and the win rate with its 95 % interval; a game without a winner is not won."""
    outcomes = [result.won for result in results]
    wins, games = outcomes.count(True), len(outcomes)
    low, high = wilson_interval(wins, games)
    return {"wins": wins, "games": games, "rate": wins / (games or 1), "interval": [low, high]}


def without_chance(results: Sequence[Result]) -> dict[str, Any]:
    """The win rate without luck (`fair_rate`); empty unless the luck was measured."""
    if not results or any(result.luck is None for result in results):
        return {}
    won = np.array([[result.won is True] for result in results], float)
    luck = np.array([[result.luck] for result in results], float)
    boards = np.array([result.seed for result in results])
    return fair_rate(won[:, 0], without_luck(won, luck, boards)[:, 0], boards)


def summary(
    pairing: Pairing, results: Sequence[Result], broken: Sequence[Broken] = ()
) -> dict[str, Any]:
    """The results of all games together, and seat by seat."""
    decisions = sum(result.decisions for result in results)
    seconds = sum(result.seconds for result in results)
    return {
        **rate(results),
        **without_chance(results),
        "by_seat": [rate(r for r in results if r.seat == seat) for seat in range(pairing.seats)],
        "unfinished": sum(result.won is None for result in results),
        "broken": Counter(game.error for game in broken),
        "turns": sum(result.turns for result in results) / (len(results) or 1),
        "decisions": decisions / (len(results) or 1),
        "milliseconds_per_decision": 1000 * seconds / max(decisions, 1),
        "withheld": sum((result.withheld for result in results), Counter()),
        "unknown": sum((result.unknown for result in results), Counter()),
        "corrections": sum((result.corrections for result in results), Counter()),
    }


def text(pairing: Pairing, outcome: dict[str, Any]) -> str:
    """The summary as text."""
    lines = [
        f"{pairing.policy} against {pairing.seats - 1} x {pairing.rival} at the table of",
        described(),
        f"won {say(outcome)}",
        *([f"without luck {say_fair_rate(outcome)}"] if "saved" in outcome else []),
        *(f"  seat {seat}: {say(one)}" for seat, one in enumerate(outcome["by_seat"])),
        f"{outcome['unfinished']} without a winner; {outcome['turns']:.0f} turns a game, "
        f"{outcome['decisions']:.0f} decisions of {outcome['milliseconds_per_decision']:.2f} ms",
        f"broken off by errors in catanatron: {say_counts(outcome['broken'])}",
        f"legal under the rulebook, refused by catanatron: {say_counts(outcome['withheld'])}",
        f"accepted by catanatron, illegal under the rulebook: {say_counts(outcome['unknown'])}",
        f"corrected in the view by catanatron's rules: {say_counts(outcome['corrections'])}",
    ]
    return "\n".join(lines)


def say(one: dict[str, Any]) -> str:
    """Wins, games, rate and interval."""
    low, high = one["interval"]
    percent = f"{100 * one['rate']:.1f} % (95 %: {100 * low:.1f} - {100 * high:.1f})"
    return f"{one['wins']} of {one['games']}: {percent}"


def main() -> None:
    """Play and report."""
    wanted = arguments()
    pairing = Pairing(wanted.policy, wanted.against, wanted.seats, wanted.luck)
    try:
        load_policy(pairing.policy)
        pairing.bot()
        if wanted.json:
            make_folder_of(wanted.json)
    except (OSError, ValueError) as error:
        raise BadInput(reason(error)) from None
    ensure_rules()
    maps = range(wanted.seed, wanted.seed + wanted.games // wanted.seats)
    tasks = [(seed, place) for seed in maps for place in range(wanted.seats)]
    played = with_progress(results(pairing, tasks, wanted.workers), wanted.games, "game")
    done: list[Result] = []
    broken: list[Broken] = []
    try:
        for game in played:
            if isinstance(game, Broken):
                broken.append(game)
            else:
                done.append(game)
    except KeyboardInterrupt:
        if not done:
            raise
    done.sort(key=lambda result: (result.seed, result.seat))
    outcome = summary(pairing, done, broken)
    print(text(pairing, outcome))
    if wanted.json:
        games: dict[str, Any] = {
            "games": [result.as_json() for result in done],
            "broken": [asdict(game) for game in broken],
        }
        record = {"arguments": vars(wanted) | {"json": str(wanted.json)}, "summary": outcome}
        wanted.json.write_text(json.dumps(record | games, indent=1) + "\n")


if __name__ == "__main__":
    main()
