"""Calls every entry point with arguments that it must reject or survive.

`python -m tests.native.fuzz 20000 1` makes 20,000 calls from seed 1. A call may raise TypeError,
ValueError, IndexError or OverflowError; anything else ends the process.
"""

import random
import sys
from typing import Any

import numpy as np

from tests.native.calls import Call, recorded

REFUSALS = (TypeError, ValueError, IndexError, OverflowError)
NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    4,
    7,
    127,
    128,
    847,
    848,
    10**6,
    2**31,
    2**40,
    2**62,
    2**63,
    2**64,
    -(2**70),
)
DTYPES = ("i1", "u1", "i2", "u2", "i4", "i8", "u8", "f4", "f8", "?", "O", "S3", ">i8")


def odd_array(array: np.ndarray[Any, Any], chance: random.Random) -> Any:
    """An array with one fault, or a merely unusual one."""
    length = array.shape[0]
    ways = (
        lambda: array[:0],
        lambda: array[: length // 2],
        lambda: np.repeat(array, 2, axis=0)[::2],
        lambda: np.repeat(array, 2, axis=0),
        lambda: array.reshape(-1, 1, *array.shape[1:]),
        lambda: array.ravel(),
        lambda: np.asfortranarray(array.repeat(2, 0)),
        lambda: array[::-1],
        lambda: np.zeros(array.shape, chance.choice(DTYPES)),
        lambda: np.zeros((length, array.itemsize), np.uint8),
        lambda: array.view(np.uint8).tobytes(),
        lambda: memoryview(array.view(np.uint8)),
        lambda: np.broadcast_to(array[:1], array.shape),
        lambda: array.tolist(),
        lambda: read_only(array),
        lambda: array[..., : array.shape[-1] - 1],
    )
    return chance.choice(ways)()


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy that must not be written to."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def odd(value: Any, chance: random.Random) -> Any:
    """A replacement for an argument."""
    others = (None, "3", 1.5, object(), [], {}, np.int8(3), np.float64(2), np.array(3), True)
    if chance.random() < 0.1:
        return chance.choice(others)
    if isinstance(value, np.ndarray):
        return odd_array(value, chance)
    return chance.choice(NUMBERS)


def try_odd_call(call: Call, chance: random.Random) -> bool:
    """Call with some arguments replaced; False if it was rejected."""
    function, given = call
    arguments = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in given]
    for k in chance.sample(range(len(arguments)), min(len(arguments), chance.randint(1, 3))):
        arguments[k] = odd(arguments[k], chance)
    if chance.random() < 0.02:
        arguments = arguments[: chance.randint(0, len(arguments) - 1)]
    if is_endless(function.__name__, arguments):
        return False
    try:
        function(*arguments)
    except REFUSALS:
        return False
    return True


def is_endless(name: str, arguments: list[Any]) -> bool:
    """True for a legal call that would take years: with huge numbers of games or worlds."""
    plays = (
        "play_out", "try_candidates", "try_reranked", "try_placements", "rate_placements",
        "play_futures", "play_runs", "play_others",
    )  # fmt: skip
    numbers = [arg for arg in arguments if isinstance(arg, int)]
    return name.endswith(plays) and any(number > 1000 for number in numbers)


def main(count: int, seed: int) -> None:
    """Make the calls, and print the number of rejections."""
    calls, chance, refused = recorded(), random.Random(seed), 0
    names = sorted(calls)
    for _ in range(count):
        refused += not try_odd_call(calls[chance.choice(names)], chance)
    print(f"{len(names)} entry points, {count} calls, {refused} refused")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
