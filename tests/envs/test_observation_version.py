"""Version 2 of the observation in every environment: version 1, and behind it the table's rules."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from catan_env import named_observation
from catan_env.batch import Batch, DoubleBatch
from catan_env.envs.aec import env
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv

OPTIONS: dict[str, Any] = {"seats": 2, "rules": "colonist_1v1", "observation_version": 2}
PLAYED = OPTIONS | {"opponents": "builder"}
STEPS = 40


def last_legal(mask: np.ndarray) -> int:
    return int(np.flatnonzero(mask)[-1])


def test_a_single_environment_shows_version_1_and_the_rules() -> None:
    one, two = CatanEnv(**{**OPTIONS, "observation_version": 1}), CatanEnv(**OPTIONS)
    (short, _), (long, _) = one.reset(seed=3), two.reset(seed=3)
    for _ in range(STEPS):
        assert two.observation_space.contains(long)
        assert np.array_equal(long["observation"][:913], short["observation"])
        named = named_observation(long["observation"])
        assert (named["points_to_win"], named["hand_limit"]) == (15, 9)
        assert 94 <= named["chances"].sum() <= 106  # each is rounded
        action = last_legal(long["action_mask"])
        (short, *_), (long, *_) = one.step(action), two.step(action)


def test_vector_environments_show_what_single_ones_do() -> None:
    single, many = CatanEnv(seat=0, **PLAYED), CatanVectorEnv(2, seat=0, **PLAYED)
    seen, _ = single.reset(seed=5)
    all_seen, _ = many.reset(seed=[5, 6])
    for _ in range(STEPS):
        assert all_seen["observation"].shape == (2, 933)
        assert np.array_equal(seen["observation"], all_seen["observation"][0])
        actions = [last_legal(mask) for mask in all_seen["action_mask"]]
        seen, *_ = single.step(actions[0])
        all_seen, *_ = many.step(np.array(actions))


@pytest.mark.torch
def test_the_environment_of_stable_baselines3_has_the_longer_space() -> None:
    pytest.importorskip("sb3_contrib")
    from catan_env.envs.sb3 import CatanVecEnv

    learner = CatanVecEnv(2, opponents="random", **OPTIONS)
    assert learner.observation_space.shape == learner.reset().shape[1:] == (933,)


def test_a_table_has_the_longer_space() -> None:
    table = env(**OPTIONS)
    table.reset(seed=1)
    observation, *_ = table.last()
    assert table.observation_space("player_0")["observation"].shape == (933,)
    assert observation["observation"].shape == (933,)


def test_copies_and_pickles_of_environments_keep_the_version() -> None:
    original = CatanEnv(**OPTIONS)
    original.reset(seed=3)
    for other in (copy.deepcopy(original), pickle.loads(pickle.dumps(original))):
        seen, *_ = other.step(last_legal(other.action_masks()))
        assert seen["observation"].shape == (933,)


def test_a_batch_writes_into_the_array_that_it_is_given() -> None:
    mine = np.zeros((3, 933), np.int8)
    batch = Batch(3, seed=1, observations=mine, **OPTIONS)
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(STEPS):
        actions = batch.sample_legal().copy()
        batch.step(actions)
        twin.step(actions)
        assert batch.observations is mine
        assert np.array_equal(mine, twin.observations)
        assert np.array_equal(mine[:, :913], np.stack([
            batch.game(i).observe(int(batch.seat[i])) for i in range(3)
        ]))  # fmt: skip
    with pytest.raises(ValueError, match=r"\(3, 933\) of int8"):
        Batch(3, observations=np.zeros((3, 913), np.int8), **OPTIONS)


def test_half_batches_show_version_2() -> None:
    pair = DoubleBatch(4, seed=1, **OPTIONS)
    assert [half.observations.shape for half in pair.halves] == [(2, 933)] * 2
    assert (pair.ready().observations[:, 913] == 15).all()


def test_an_unknown_version_is_refused() -> None:
    for make in (CatanEnv, Batch):
        with pytest.raises(ValueError, match="observation_version is 3; allowed are 1 and 2"):
            make(*([2] if make is Batch else []), **{**OPTIONS, "observation_version": 3})
