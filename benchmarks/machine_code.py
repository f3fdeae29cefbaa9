"""`CATAN_ENV_ENGINE=jit python -m benchmarks.machine_code`: the library against Numba, in turns.

Needs `make native`. Numba's code and each body of the library play the same games in one process,
a few calls each, in random order; the ratios are those of medians of the thread's processor time.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.batch.start import template_of
from catan_env.core import batch
from catan_env.core.state import new_states
from catan_env.game.rules import Rules
from catan_env.kernel.jit import JIT
from catan_env.kernel.sources import symbol_of

GAMES, SETTLE, MAX_TURNS = 1024, 1500, 400
CALLS, WHOLE_GAMES = 5, 12
"""The calls that an engine has in each turn, and the games of a call of `play_out`."""
NUMBA = "Numba"
Call = Callable[..., Any]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machine_code", description=__doc__)
    parser.add_argument("--turns", type=int, default=120, help="of each engine (default: 120)")
    turns = parser.parse_args().turns
    if not JIT:
        sys.exit("Numba has to run the package: CATAN_ENV_ENGINE=jit")
    print(f"{'1 is the speed of Numba':40}", *(f"{body:>6}" for body in engines()))
    for title, times in (
        ("a step of 1,024 games", step_times(turns, False)),
        ("the same, with observations and masks", step_times(turns, True)),
        ("play_out, a decision", whole_times(turns)),
    ):
        medians = {name: statistics.median(taken) for name, taken in times.items()}
        ratios = (medians[NUMBA] / medians[name] for name in engines())
        print(f"{title:40}", *(f"{ratio:6.3f}" for ratio in ratios))


def engines() -> list[str]:
    """Numba, and the bodies that this processor runs."""
    from catan_env.kernel import _native

    return [NUMBA, *_native.bodies()]


def door_of(engine: str, compiled: Any) -> Call:
    """An entry point of the batch, compiled by Numba, or the same one of a body of the library."""
    from catan_env.kernel import _native

    if engine == NUMBA:
        return compiled  # type: ignore[no-any-return]
    _native.use_body(engine)
    function = compiled.py_func
    return getattr(_native, symbol_of(f"{function.__module__}.{function.__name__}"))  # type: ignore[no-any-return]


def step_times(turns: int, observed: bool) -> dict[str, list[float]]:
    """Of each engine the nanoseconds of steps of random games of every age."""
    games = Batch(GAMES, observations=observed, action_masks=observed)
    for _ in range(SETTLE):
        games.step(games.sample_legal())
    shown = [np.zeros((0, 1), np.int8)] * 2
    if observed:
        shown = [games.observations, games.action_masks]
    memory = games.states, template_of(4, Rules.base(), "spiral", 0)
    rest = MAX_TURNS, True, games.done, games.results, *shown, 0, GAMES

    def step(door: Call) -> float:
        actions = games.sample_legal()
        start = time.thread_time_ns()
        door(*memory, actions, *rest)
        return time.thread_time_ns() - start

    return in_turns(turns, batch.step_games, step, CALLS)


def whole_times(turns: int) -> dict[str, list[float]]:
    """Of each engine the nanoseconds of a decision in whole random games."""
    game, template = new_states(1), template_of(4, Rules.base(), "spiral", 0)
    winners, lasted = np.zeros(WHOLE_GAMES, np.int8), np.zeros((2, WHOLE_GAMES), np.int32)
    seeds = count(1)

    def play(door: Call) -> float:
        template["seed"] = next(seeds)
        start = time.thread_time_ns()
        door(game, template, MAX_TURNS, winners, *lasted, 0, WHOLE_GAMES)
        return (time.thread_time_ns() - start) / int(lasted[1].sum())

    return in_turns(turns, batch.play_out, play, 1)


def in_turns(
    turns: int, compiled: Any, measured: Callable[[Call], float], calls: int
) -> dict[str, list[float]]:
    """The times of each engine, without its first call of a turn, which warms the processor up."""
    found: dict[str, list[float]] = {name: [] for name in engines()}
    for _ in range(turns):
        for name in random.sample(list(found), len(found)):
            door = door_of(name, compiled)
            measured(door)
            found[name] += [measured(door) for _ in range(calls)]
    return found


if __name__ == "__main__":
    main()
