"""A shaped episode's rewards sum to the sparse reward, also if the turn limit cuts it off."""

from typing import Any

import numpy as np
import pytest

import catan_env
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv


def pick(mask: np.ndarray, step: int) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[step * 7 % len(legal)])


@pytest.mark.parametrize("limit", [1, 4, 9])
def test_every_seat_of_a_game_that_is_cut_off_gets_nothing(limit: int) -> None:
    environment = catan_env.env(seats=3, max_turns=limit, reward="shaped")
    for seed in range(20):
        environment.reset(seed=seed)
        received = dict.fromkeys(environment.agents, 0.0)
        for step, agent in enumerate(environment.agent_iter()):
            observation, reward, terminated, truncated, info = environment.last()
            received[agent] += reward
            over = terminated or truncated
            assert not over or (
                info["reason"] == "turn limit" and not observation["action_mask"].any()
            )
            environment.step(None if over else pick(observation["action_mask"], step))
        assert list(received.values()) == pytest.approx([0.0] * 3)


@pytest.mark.parametrize("limit", [4, 9])
def test_one_seat_of_a_game_that_is_cut_off_gets_nothing(limit: int) -> None:
    environment = CatanEnv(seats=3, max_turns=limit, reward="shaped")
    for seed in range(20):
        environment.reset(seed=seed)
        received, over, step = 0.0, False, 0
        while not over:
            observation, reward, terminated, over, _ = environment.step(
                pick(environment.action_masks(), step)
            )
            assert not terminated
            received, step = received + reward, step + 1
        assert received == pytest.approx(0.0)
        assert not observation["action_mask"].any()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_many_games_that_are_cut_off_get_nothing(mode: str) -> None:
    options: dict[str, Any] = {"seats": 3, "max_turns": 6, "reward": "shaped"}
    environments = CatanVectorEnv(8, autoreset_mode=mode, **options)
    environments.reset(seed=3)
    received, ended = np.zeros(8), 0
    for step in range(200):
        masks = environments.action_masks()
        actions = np.array([pick(mask, step) if mask.any() else 0 for mask in masks])
        _, rewards, terminated, truncated, _ = environments.step(actions)
        received += rewards
        assert not terminated.any()
        assert received[truncated] == pytest.approx(np.zeros(truncated.sum()))
        ended += truncated.sum()
    assert ended > 30


def test_seeds_may_be_numpys() -> None:
    for make in (CatanEnv, catan_env.env):
        environment: Any = make(seats=2)
        environment.reset(seed=np.int64(5))
        game = environment.unwrapped.game
        environment.reset(seed=5)
        assert environment.unwrapped.game == game


def test_a_learner_without_masks_is_warned_once_in_fifty_episodes() -> None:
    environment = CatanEnv(seats=2)
    with pytest.warns(UserWarning, match="takes no mask") as said:
        for seed in range(60):
            environment.reset(seed=seed)
            environment.step(0)
    assert len(said) == 1


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_a_learner_without_masks_in_many_games_is_warned_once(mode: str) -> None:
    environments = CatanVectorEnv(3, seats=2, autoreset_mode=mode)
    environments.reset(seed=1)
    with pytest.warns(UserWarning, match="takes no mask") as said:
        for _ in range(120):
            environments.step(np.zeros(3, np.int64))
    assert len(said) == 1


def test_the_error_for_gymnasiums_turn_limit_names_ours() -> None:
    with pytest.raises(TypeError, match="max_turns limits the length of a game"):
        CatanEnv(max_episode_steps=5)
