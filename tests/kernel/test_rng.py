"""The generator: SplitMix64 by its published numbers, and uniform numbers below a limit."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from catan_env.core.setup import BOARD_STREAM, PLACEMENT_STREAM
from catan_env.kernel.jit import JIT
from catan_env.kernel.rng import PICK_STREAM, below_at, word_at
from tests.core.test_setup import chi_square

WHOLE = (1 << 64) - 1
as_seed = np.uint64 if JIT else int  # as a game's memory stores it


def splitmix64(seed: int, n: int) -> int:
    """The n-th number of the published generator, step by step."""
    state = (seed + n * 0x9E3779B97F4A7C15) & WHOLE
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WHOLE
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & WHOLE
    return state ^ (state >> 31)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_the_draws_are_those_of_splitmix64(seed: int, words: list[int]) -> None:
    assert [int(word_at(as_seed(seed), n)) for n in (1, 2, 3)] == words


def test_any_seed_and_draw_give_the_published_number() -> None:
    chance = Random(1)
    draws = [0, 1, BOARD_STREAM, PLACEMENT_STREAM + 5, PICK_STREAM + (1 << 30)]
    for seed in [0, 1, WHOLE, 1 << 63, *(chance.getrandbits(64) for _ in range(50))]:
        for n in draws:
            assert int(word_at(as_seed(seed), n)) == splitmix64(seed, n), (seed, n)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 19, 36, 60, 95, 848, (1 << 31) - 1])
def test_a_number_below_a_limit_is_the_draw_s_share_of_it(limit: int) -> None:
    for seed in (0, 7, WHOLE):
        for n in range(200):
            number = below_at(as_seed(seed), n, limit)
            assert number == (splitmix64(seed, n) >> 32) * limit >> 32
            assert 0 <= number < limit


def test_all_pairs_of_dice_are_equally_likely() -> None:
    """35 degrees of freedom: 66.6 is the 0.1 % point."""
    one_game = Counter(below_at(as_seed(7), n, 36) for n in range(1, 36_001))
    many_games = Counter(below_at(as_seed(seed), 1, 36) for seed in range(36_000))
    for falls in (one_game, many_games):
        assert chi_square([falls[k] for k in range(36)]) < 66.6


def test_a_draw_says_nothing_about_the_next() -> None:
    pairs = Counter(
        (below_at(as_seed(3), n, 6), below_at(as_seed(3), n + 1, 6)) for n in range(36_000)
    )
    games = Counter(
        (below_at(as_seed(seed), 5, 6), below_at(as_seed(seed + 1), 5, 6)) for seed in range(36_000)
    )
    for falls in (pairs, games):
        assert chi_square([falls[a, b] for a in range(6) for b in range(6)]) < 66.6
