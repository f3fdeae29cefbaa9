"""Skipping forced decisions gives the same game as making them."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest

from catan_env import Rules
from catan_env.envs.choices import OnlyChoices
from catan_env.envs.rewards import ArrayReward
from catan_env.envs.single import CatanEnv

TABLE = {"seats": 2, "rules": "duel", "opponents": "random", "reward": "shaped", "max_turns": 40}


@ArrayReward
def decided(before: np.ndarray, actions: np.ndarray, after: np.ndarray) -> np.ndarray:
    """1 to each seat for each of its decisions, forced ones included."""
    return before["seat"][:, None] == np.arange(4)


def returns(seed: int, *, only_choices: bool, **table: Any) -> tuple[float, list[bytes]]:
    """The sum of an episode's rewards, and the observation at every real choice."""
    environment: gymnasium.Env = CatanEnv(**(table or TABLE))
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


@pytest.mark.parametrize("rules", ["tournament", "german_0.1", "german_0.2", "small", "colonist"])
@pytest.mark.parametrize("seat", range(3))
def test_an_episode_begins_at_a_choice(rules: str, seat: int) -> None:
    table = {"seats": 3, "rules": rules, "seat": seat, "reward": decided, "max_turns": 30}
    for seed in range(4):
        total, choices = returns(seed, only_choices=True, **table)
        assert (total, choices) == returns(seed, only_choices=False, **table)


def test_an_episode_without_a_choice_is_followed_by_the_next_one() -> None:
    rules = replace(Rules.tournament(), player_trade=False)
    table = {"seats": 2, "rules": rules, "reward": decided, "max_turns": 2}
    environment, plain = OnlyChoices(CatanEnv(**table)), CatanEnv(**table)
    skipped = 0
    for seed in range(20):
        seen, _ = environment.reset(seed=seed)
        plain.reset(seed=seed)
        forced = play_forced(plain)
        while plain.action_masks().sum() == 0:
            plain.reset()
            forced, skipped = play_forced(plain), skipped + 1
        assert np.array_equal(seen["action_mask"], plain.action_masks())
        action = int(seen["action_mask"].argmax())
        _, reward, *_ = environment.step(action)
        assert reward == forced + plain.step(action)[1] + play_forced(plain)
    assert 5 < skipped


def play_forced(environment: CatanEnv) -> float:
    """Play forced decisions up to a choice or the end; their rewards."""
    total = 0.0
    while (mask := environment.action_masks()).sum() == 1:
        total += environment.step(int(mask.argmax()))[1]
    return total


def test_it_is_for_environments_of_one_seat() -> None:
    with pytest.raises(TypeError, match="not an environment of one seat"):
        OnlyChoices(gymnasium.make("CartPole-v1"))
