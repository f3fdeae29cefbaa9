"""The results of policies that play each other in any game."""

from typing import Any

import numpy as np
import pytest

from catan_env.adapters.evaluation import mean_returns, returns
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


def test_the_mean_is_that_of_the_returns_of_all_games() -> None:
    found = returns(Options(), ["random"] * 3, 60, seed=1)
    assert found.shape == (60, 3) and {*np.unique(found).tolist()} == {-0.5, 1.0}
    assert found.sum(axis=1) == pytest.approx(0.0)
    assert (found.mean(axis=0) == mean_returns(Options(), ["random"] * 3, 60, seed=1)).all()


@pytest.mark.parametrize(("games", "error"), [(0, ValueError), (-3, ValueError), (1.5, TypeError)])
def test_a_number_of_games_is_positive(games: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"games is {games}; allowed are integers in 1.."):
        mean_returns(Options(), ["random"] * 3, games)


class Batched:
    """Gives the same answer in all games."""

    def __init__(self, answers: Any) -> None:
        self.answers = answers

    def __repr__(self) -> str:
        return "Batched"

    def act(self, view: Any) -> int:
        return int(self.answers)

    def act_batch(self, observations: Any, action_masks: Any) -> Any:
        return np.full(len(observations), self.answers)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (40, "policy 3, Batched, answered 40 in row 0; the action mask allows 0, 1"),
        (-1, "policy 3, Batched, answered -1 in row 0"),
        (0.0, r"policy 3, Batched, answered an array of .* and dtype float64; allowed are \(3,\)"),
    ],
)
def test_a_policy_that_answers_an_illegal_action_in_many_games_is_named(
    answer: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        mean_returns(Options(), ["random", "random", Batched(answer)], 9)


def test_every_seat_needs_a_policy_whose_actions_are_legal() -> None:
    with pytest.raises(ValueError, match="2 policies; allowed are 3, one for each seat"):
        mean_returns(Options(), ["random"] * 2, 10)
    with pytest.raises(ValueError, match="answered 2; the action mask allows 0, 1"):
        mean_returns(Options(), [lambda view: 2] * 3, 10)
