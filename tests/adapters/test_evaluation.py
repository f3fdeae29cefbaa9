"""The results of policies that play each other in any game."""

from typing import Any

import numpy as np
import pytest

from catan_env.adapters.evaluation import mean_returns
from examples.fourth_game import FACES, KNOCK, Options
from tests.adapters.games import GameUnderTest


def careful(view: Any) -> int:
    """Knocks with the highest die, and keeps a good one."""
    if view.action_mask[KNOCK]:
        return int(view.die == FACES)
    return 2 if view.die > 3 else 0


def test_seats_rotate_so_that_equal_policies_are_paid_the_same_in_the_long_run() -> None:
    mean = mean_returns(Options(), ["random"] * 3, 600, seed=1)
    assert mean.sum() == pytest.approx(0.0) and np.abs(mean).max() < 0.1


def test_a_better_policy_is_paid_more() -> None:
    better, *others = mean_returns(Options(), [careful, "random", "random"], 300, seed=1)
    assert better > 0.1 > max(others)


def test_a_seed_gives_the_same_results_in_every_game(game: GameUnderTest) -> None:
    options = game.made("aec").options
    means = [mean_returns(options, ["random"] * game.seats, 2, seed=3) for _ in range(2)]
    assert means[0].shape == (game.seats,) and (means[0] == means[1]).all()


def test_every_seat_needs_a_policy_whose_actions_are_legal() -> None:
    with pytest.raises(ValueError, match="2 policies; allowed are 3, one for each seat"):
        mean_returns(Options(), ["random"] * 2, 10)
    with pytest.raises(ValueError, match="answered 2; the action mask allows 0, 1"):
        mean_returns(Options(), [lambda view: 2] * 3, 10)
