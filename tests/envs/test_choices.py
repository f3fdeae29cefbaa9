"""Skipping forced decisions gives the same game as making them."""

import gymnasium
import numpy as np
import pytest

from catan_env.envs.choices import OnlyChoices
from catan_env.envs.single import CatanEnv

TABLE = {"seats": 2, "rules": "duel", "opponents": "random", "reward": "shaped", "max_turns": 40}


def returns(seed: int, *, only_choices: bool) -> tuple[float, list[bytes]]:
    """The sum of an episode's rewards, and the observation at every real choice."""
    environment: gymnasium.Env = CatanEnv(**TABLE)
    environment = OnlyChoices(environment) if only_choices else environment
    dice = np.random.default_rng(seed)
    seen, _ = environment.reset(seed=seed)
    total, choices, is_over = 0.0, [], False
    while not is_over:
        legal = np.flatnonzero(seen["action_mask"])
        if len(legal) > 1:
            choices.append(seen["observation"].tobytes())
        else:
            assert not only_choices
        action = dice.choice(legal) if len(legal) > 1 else legal[0]
        seen, reward, terminated, truncated, _ = environment.step(action)
        total, is_over = total + float(reward), terminated or truncated
    return total, choices


@pytest.mark.parametrize("seed", range(12))
def test_forced_decisions_are_played_and_their_rewards_added(seed: int) -> None:
    total, choices = returns(seed, only_choices=True)
    expected, all_choices = returns(seed, only_choices=False)
    assert choices == all_choices and len(choices) > 5
    assert total == pytest.approx(expected)


def test_it_is_for_environments_of_one_seat() -> None:
    with pytest.raises(TypeError, match="not an environment of one seat"):
        OnlyChoices(gymnasium.make("CartPole-v1"))
