"""fastCatan's rows (C++; `pip install fastcatan`, Python 3.12 or later).

It has no uniform pick: the one below, compiled like ours, reads its packed masks.
"""

from collections.abc import Iterator

import fastcatan  # type: ignore[import-not-found]
import numpy as np
from numba import njit

from benchmarks.ours import LOCKSTEP, SETTLE
from benchmarks.rows import Row, Work, until
from catan_env.kernel.bits import count_bits, nth_bit
from catan_env.kernel.rng import below_at

VERSION = fastcatan.__dict__.get("__version__", "")
MASK_WORDS = fastcatan.MASK_WORDS


@njit(nogil=True, error_model="numpy")
def pick(masks: np.ndarray, count: int, actions: np.ndarray) -> None:
    """A uniformly random legal action per game; branch-free, which is fastest for five words."""
    for i in range(masks.shape[0]):
        total = 0
        for k in range(MASK_WORDS):
            total += count_bits(np.int64(masks[i, k]))
        n = below_at(1, (np.int64(count) << 24) + i, total)
        word, before, passed = 0, 0, 0
        for k in range(MASK_WORDS - 1):
            passed += count_bits(np.int64(masks[i, k]))
            is_further = np.int64(passed <= n)
            word += is_further
            before += (passed - before) * is_further
        actions[i] = 64 * word + nth_bit(np.int64(masks[i, word]), n - before)


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Lockstep at every number of games; its trades are composed card by card."""
    for n in sizes:
        yield lockstep(n)


def lockstep(n: int) -> Row:
    """Masks, pick, and step with reset, as in its own batch."""
    batch = fastcatan.BatchedEnv(n, seed=1)
    batch.reset()
    masks = np.zeros((n, MASK_WORDS), np.uint64)
    actions, dones = np.zeros(n, np.uint32), np.zeros(n, np.uint8)
    count = 0

    def step() -> None:
        nonlocal count
        count += 1
        batch.write_masks(masks)
        pick(masks, count, actions)
        batch.step_autoreset(actions, dones)

    for _ in range(SETTLE):
        step()

    def some() -> Work:
        games = 0
        for _ in range(max(4096 // n, 1) * 8):
            step()
            games += int(np.count_nonzero(dones))
        return Work(max(4096 // n, 1) * 8 * n, games)

    return Row("fastCatan", LOCKSTEP, n, True, False, lambda seconds: until(seconds, some))
