"""Copies and pickles of environments have the same future, and share nothing with the original."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import catan_env
from catan_env.envs.rewards import POINTS, WIN
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda environment: pickle.loads(pickle.dumps(environment)),
}
each_way = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def pick(mask: np.ndarray, step: int) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[step * 7 % len(legal)])


def future_of_all(environment: Any, steps: int = 60) -> list[Any]:
    """Everything that a PettingZoo environment shows."""
    shown: list[Any] = []
    for step in range(steps):
        observation, reward, terminated, truncated, info = environment.last()
        shown.append((environment.agent_selection, reward, terminated, truncated, dict(info)))
        shown.append(observation["observation"].tobytes())
        mask = observation["action_mask"]
        environment.step(None if terminated or truncated else pick(mask, step))
        if not environment.agents:
            environment.reset()
    return shown


def future_of_one(environment: CatanEnv, steps: int = 60) -> list[Any]:
    shown: list[Any] = []
    for step in range(steps):
        observation, *rest = environment.step(pick(environment.action_masks(), step))
        shown.append((observation["observation"].tobytes(), *rest))
        if rest[1] or rest[2]:
            shown.append(environment.reset()[0]["observation"].tobytes())
    return shown


def future_of_many(environments: Any, steps: int = 60) -> list[Any]:
    shown: list[Any] = []
    for step in range(steps):
        masks = environments.action_masks()
        observations, *rest = environments.step(
            np.array([pick(mask, step) if mask.any() else 0 for mask in masks])
        )
        shown.append(
            (observations["observation"].tobytes(), *(part.tobytes() for part in rest[:3]))
        )
    return shown


@each_way
@pytest.mark.parametrize("make", [catan_env.env, catan_env.raw_env])
def test_pettingzoo(copied: Any, make: Any) -> None:
    environment = make(seats=2, max_turns=8, reward="shaped")
    environment.reset(seed=3)
    future_of_all(environment, 20)
    other = copied(environment)
    assert future_of_all(other) == future_of_all(environment)


@each_way
@pytest.mark.parametrize("opponents", ["random", "builder", "greedy"])
def test_gymnasium(copied: Any, opponents: str) -> None:
    environment = CatanEnv(opponents, seats=2, max_turns=8)
    environment.reset(seed=3)
    future_of_one(environment, 10)
    other = copied(environment)
    assert future_of_one(other) == future_of_one(environment)


def test_gymnasium_made_by_name() -> None:
    environment = gymnasium.make("catan_env:Catan-v0", seats=2)
    environment.reset(seed=3)
    other = copy.deepcopy(environment)
    assert future_of_one(other.unwrapped, 10) == future_of_one(environment.unwrapped, 10)


PARTS_ADDED = {"win": 1, "points": np.float64(0.1), "roads": -0.01}


@each_way
@pytest.mark.parametrize("reward", [PARTS_ADDED, 2 * (WIN - 0.1 * POINTS)], ids=["mapping", "sum"])
def test_a_reward_of_several_parts_is_copied(copied: Any, reward: Any) -> None:
    one = CatanEnv(seats=2, max_turns=8, reward=reward)
    many = CatanVectorEnv(2, seats=2, max_turns=8, reward=reward)
    everyone = catan_env.env(seats=2, max_turns=8, reward=reward)
    for environment, future in (
        (one, future_of_one),
        (many, future_of_many),
        (everyone, future_of_all),
    ):
        environment.reset(seed=3)
        other = copied(environment)
        assert future(other) == future(environment)


@each_way
@pytest.mark.parametrize("opponents", ["random", "builder"])
def test_many_at_once(copied: Any, opponents: str) -> None:
    environments = CatanVectorEnv(3, opponents, seats=2, max_turns=8, threads=2)
    environments.reset(seed=3)
    future_of_many(environments, 10)
    other = copied(environments)
    assert future_of_many(other) == future_of_many(environments)


@pytest.mark.torch
@each_way
def test_stable_baselines3(copied: Any) -> None:
    pytest.importorskip("sb3_contrib")
    from catan_env.envs.sb3 import CatanVecEnv

    environments = CatanVecEnv(3, seats=2, max_turns=8, self_play=True)
    environments.seed(3)
    environments.reset()
    other = copied(environments)
    for step in range(60):
        actions = np.array([pick(mask, step) for mask in environments.action_masks()])
        (seen, *one), (also_seen, *two) = environments.step(actions), other.step(actions)
        assert seen.tobytes() == also_seen.tobytes()
        assert one[0].tobytes() == two[0].tobytes() and (one[1] == two[1]).all()
        assert (environments.seat == other.seat).all()


def test_an_observation_belongs_to_the_caller() -> None:
    environment = catan_env.env(seats=2)
    environment.reset(seed=1)
    kept = environment.observe("player_0")
    kept["observation"][:] = 99
    kept["action_mask"][:] = 0
    assert environment.observe("player_0")["action_mask"].any()
    assert (environment.observe("player_0")["observation"] != 99).all()
