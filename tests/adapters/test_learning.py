"""The batch that self-play trains on, and training on a game as the README describes it."""

import pickle
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from gymnasium import spaces

from catan_env.adapters.evaluation import mean_returns
from catan_env.adapters.games import GOES_ON, REFUSED
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.plain import PlainEpisode
from catan_env.adapters.policies import Random
from examples import fourth_game
from tests.adapters.games import GameUnderTest, action_of, illegal_in


def test_the_rewards_of_a_game_add_up_to_the_totals_of_its_seed_and_actions(
    game: GameUnderTest,
) -> None:
    options = game.made("aec").options
    batch, chance, ends = LearningBatch(options, 3, seed=4), np.random.default_rng(1), 0
    paid = np.zeros(batch.rewards.shape)
    episodes = [options.new_episode(int(seed)) for seed in batch.seeds]
    for _ in range(3000):
        actions = [action_of(mask, chance) for mask in batch.action_masks]
        batch.step(np.array(actions))
        paid += batch.rewards
        for episode, action in zip(episodes, actions, strict=True):
            episode.play(action)
        for i in np.flatnonzero(batch.done != GOES_ON).tolist():
            assert paid[i, : game.seats] == pytest.approx(options.totals(episodes[i]), abs=1e-4)
            paid[i], ends = 0, ends + 1
            episodes[i] = options.new_episode(int(batch.seeds[i]))
        if ends > 4:
            return
    raise AssertionError("no game ended")


def test_policies_of_the_game_play_in_the_batch_by_name_and_class(game: GameUnderTest) -> None:
    options = game.made("aec").options
    for choice in ("random", Random):
        batch, again = (LearningBatch(options, 3, seed=4) for _ in range(2))
        player, same = batch.player(choice, 1), again.player(choice, 1)
        for step in range(20):
            if step == 10:
                same = pickle.loads(pickle.dumps(same))
            actions = player.choose(batch, np.arange(3))
            assert (actions == same.choose(again, np.arange(3))).all()
            batch.step(actions)
            again.step(actions)
            assert not (batch.done == REFUSED).any()
    with pytest.raises(ValueError, match="no such policy"):
        batch.player("no such policy")


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


@dataclass(frozen=True, kw_only=True)
class Shaped(fourth_game.Options):
    """The dice with observations and a space of these shapes."""

    seen: tuple[int, ...]
    space: tuple[int, ...] | None = None
    dtype: str = "int8"

    def vector_space(self) -> spaces.Box:
        return spaces.Box(0, 1, self.space or self.seen, np.dtype(self.dtype))

    def new_episode(self, seed: int) -> PlainEpisode:
        episode = super().new_episode(seed)
        observe = episode.played.observe
        episode.played.observe = lambda seat: observe(seat).reshape(self.seen)
        return episode


@pytest.mark.parametrize(
    "wrong", [Shaped(seen=(3, 3), space=(9,)), Shaped(seen=(9,), dtype="float32")]
)
def test_an_observation_has_the_shape_and_dtype_of_its_space(wrong: Shaped) -> None:
    for games in (lambda: LearningBatch(wrong, 2), lambda: wrong.new_games(2, 1)):
        with pytest.raises(ValueError, match=r"observe returned an array of shape .* int8; vector"):
            games()


def test_training_takes_flat_observations() -> None:
    shaped = Shaped(seen=(3, 3))
    assert shaped.new_games(2, 1).observations.shape == (2, 3, 3)
    with pytest.raises(ValueError, match=r"an observation has the shape \(3, 3\); training takes"):
        LearningBatch(shaped, 2)


@pytest.mark.torch
def test_the_fourth_game_is_learned_by_self_play(tmp_path: Path) -> None:
    """Against opponents of the game, too; the network then plays in its environments."""
    pytest.importorskip("torch")
    from catan_env.training import self_play

    config, weights = tmp_path / "dice.toml", str(tmp_path / "run" / "final.npz")
    config.write_text(
        'env = "examples.fourth_game:batch"\nshaping = ""\nnetwork = "flat"\nnum_envs = 16\n'
        "total_timesteps = 512\nnum_steps = 16\nupdate_epochs = 1\nminibatch_size = 64\n"
        'opponents = ["random", "examples.fourth_game:Random"]\nopponent_fraction = 0.5\n'
        "[network_options]\nhidden = 16\n"
    )
    assert self_play.main([str(config), str(tmp_path / "run")]) in (None, 0)
    environment = fourth_game.DiceEnv(opponents=weights, seat=0)
    environment.reset(seed=1)
    assert environment.step(1)[2], "the others have answered the knock"
    mean = mean_returns(fourth_game.Options(), [weights, "random", "random"], 60)
    assert mean.sum() == pytest.approx(0.0)
