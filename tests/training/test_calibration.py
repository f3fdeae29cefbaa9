"""Calibration: values as fractions of games won."""

import numpy as np
import pytest

from catan_env.policies.value.weights import calibration_for, weights_for
from catan_env.training.value_function.calibration import logistic_line, samples


def test_the_line_of_the_odds_is_found_again():
    draw = np.random.default_rng(5)
    x = draw.normal(30, 20, 50_000)
    hit = draw.random(len(x)) < 1 / (1 + np.exp(-(0.07 * x - 2)))
    slope, offset = logistic_line(x, hit)
    assert (slope, offset) == (pytest.approx(0.07, rel=0.05), pytest.approx(-2, rel=0.05))


@pytest.mark.parametrize(
    ("seats", "rules"),
    [(2, "duel"), pytest.param(3, "base", marks=pytest.mark.nightly), (4, "base")],
)
def test_the_odds_that_are_kept_foretell_who_wins(seats, rules):
    values, won = samples(seats, rules, weights_for(seats), steps=800, seed=77)
    slope, offset = calibration_for(seats)
    chance = 1 / (1 + np.exp(-np.clip(offset + slope * values, -30, 30)))
    assert len(won) > 1000 and abs(chance.mean() - won.mean()) < 0.06
    said = np.where(won, chance, 1 - chance)
    by_chance = -np.log(np.where(won, won.mean(), 1 - won.mean())).mean()
    assert -np.log(np.maximum(said, 1e-9)).mean() < by_chance - 0.05
