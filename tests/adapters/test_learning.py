"""The batch that self-play trains on, and training on a game as the README describes it."""

import pickle

import numpy as np
import pytest

from catan_env.adapters.games import GOES_ON, REFUSED
from catan_env.adapters.learning import LearningBatch
from tests.adapters.games import GameUnderTest, action_of, illegal_in


def test_the_totals_of_a_game_are_its_seats_rewards(game: GameUnderTest) -> None:
    batch = LearningBatch(game.made("aec").options, 3, seed=4)
    chance, paid, ends = np.random.default_rng(1), np.zeros(batch.rewards.shape), 0
    for _ in range(3000):
        actions = [action_of(mask, chance) for mask in batch.action_masks]
        batch.step(np.array(actions))
        paid += batch.rewards
        for i in np.flatnonzero(batch.done != GOES_ON):
            ends += 1
            if game.name != "hanabi":
                assert paid[i, : game.seats].max() == 1.0
            paid[i] = 0
        if ends > 4:
            return
    raise AssertionError("no game ended")


def test_a_pickle_continues_as_the_batch_does(game: GameUnderTest) -> None:
    batch, chance = LearningBatch(game.made("aec").options, 3, seed=4), np.random.default_rng(1)
    for step in range(60):
        if step == 20:
            again = pickle.loads(pickle.dumps(batch))
        actions = np.array([action_of(mask, chance) for mask in batch.action_masks])
        batch.step(actions)
        if step >= 20:
            again.step(actions)
            for name in ("observations", "action_masks", "seat", "rewards", "done"):
                assert (getattr(again, name) == getattr(batch, name)).all(), name


def test_an_illegal_action_changes_nothing(game: GameUnderTest) -> None:
    batch = LearningBatch(game.made("aec").options, 2, seed=4)
    masks = batch.action_masks.copy()
    batch.step([illegal_in(masks[0]), illegal_in(masks[1])])
    assert batch.done.tolist() == [REFUSED] * 2 and not batch.rewards.any()
    assert (batch.action_masks == masks).all()


@pytest.mark.torch
def test_the_fourth_game_is_learned_by_self_play(tmp_path) -> None:
    pytest.importorskip("torch")
    from catan_env.training import self_play

    config = tmp_path / "dice.toml"
    config.write_text(
        'env = "examples.fourth_game:batch"\nshaping = ""\nnetwork = "flat"\nnum_envs = 16\n'
        "total_timesteps = 512\nnum_steps = 16\nupdate_epochs = 1\nminibatch_size = 64\n"
        "[network_options]\nhidden = 16\n"
    )
    assert self_play.main([str(config), str(tmp_path / "run")]) in (None, 0)
    assert list((tmp_path / "run").glob("*.npz"))
