"""The interval of a win rate without luck holds from the second board on."""

import numpy as np
import pytest

from catan_env.arena.fair import without_luck
from catan_env.arena.student import quantile, rate_interval
from tests.arena.urns import urns


@pytest.mark.parametrize(
    ("freedom", "tabulated"), [(2, 4.303), (9, 2.262), (10, 2.228), (20, 2.086), (1000, 1.962)]
)
def test_quantiles_are_students(freedom, tabulated):
    assert quantile(freedom) == pytest.approx(tabulated, abs=6e-4)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("boards", [2, 3, 8, 50])
@pytest.mark.parametrize("chance", [0.5, 0.8, 0.95])
def test_win_rates_without_luck_have_intervals_that_hold(seats, boards, chance):
    rng = np.random.default_rng(17)
    chances = np.full((seats * boards, seats), (1 - chance) / (seats - 1))
    chances[:, 0] = chance
    numbers, held = np.repeat(np.arange(boards), seats), []
    for _ in range(300):
        low, high = rate_interval(without_luck(*urns(rng, chances), numbers)[:, 0], numbers)
        assert 0 <= low < high <= 1
        held.append(low <= chance <= high)
    assert 0.92 <= np.mean(held)


def test_one_board_has_no_interval():
    assert rate_interval(np.array([0.3, 0.9]), np.array([4, 4])) is None


def test_an_interval_contains_a_rate_that_luck_has_moved_beyond_all_games():
    low, high = rate_interval(np.array([1.1, 1.2, 1.0]), np.array([0, 1, 2]))
    assert low < high == 1.0
