"""The environments all play the same games; tests/adapters has their libraries' checkers."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from catan_env.guests import hanabi
from catan_env.guests.hanabi import Game, IllegalActionError
from catan_env.guests.hanabi.single import HanabiEnv
from catan_env.guests.hanabi.vector import HanabiVectorEnv


@pytest.mark.torch
def test_every_seat_learns_from_its_own_decisions() -> None:
    """A decision's return is the rise of the score until the seat's next one, or the end."""
    contrib = pytest.importorskip("sb3_contrib")
    from catan_env.envs.sb3 import per_seat
    from catan_env.guests.hanabi.sb3 import HanabiVecEnv

    environments = HanabiVecEnv(3, players=5, self_play=True, rules="server")
    options = {"n_steps": 40, "batch_size": 64, "seed": 1, "n_epochs": 1, "gamma": 1.0}
    model = per_seat(contrib.MaskablePPO("MlpPolicy", environments, **options))
    seen: list[tuple[list[int], np.ndarray, np.ndarray]] = []
    step = environments.step_wait

    def note() -> Any:
        result = step()
        seen.append((environments.acted.tolist(), environments.seat_rewards, environments.dones))
        return result

    environments.step_wait = note
    model.learn(120)
    buffer = model.rollout_buffer
    assert buffer.seat_rewards.shape == (40, 3, 5)
    for game in range(3):
        for k, (acted, _, _) in enumerate(seen):
            reward = 0.0
            for after, rewards, dones in seen[k:]:
                if after[game] == acted[game] and rewards is not seen[k][1]:
                    break
                reward += rewards[game, 0]
                if dones[game]:
                    break
            if buffer.is_known[k, game]:
                assert buffer.rewards[k, game] == reward


def test_the_aec_environment_plays_the_game_of_its_seed() -> None:
    environment, game = hanabi.env(players=3), Game(3, seed=11)
    environment.reset(seed=11)
    total = 0.0
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        if agent == "player_1":
            total += reward
        if terminated:
            assert info["reason"] == "last error" and not truncated
            environment.step(None)
            continue
        assert agent == f"player_{game.seat}"
        assert (observation["observation"] == game.observe(game.seat)).all()
        assert (observation["action_mask"] == game.action_mask).all()
        action = int(np.flatnonzero(observation["action_mask"])[-1 - len(game.events) % 3])
        game.play(action)
        environment.step(action)
    assert total == game.score == 0


def test_rewards_between_a_seats_turns_are_added() -> None:
    environment = hanabi.raw_env(players=2)
    environment.reset(seed=1)
    game = environment.game
    while game.score == 0:
        own = game.hands[game.seat]
        good = [
            game.number_of(hanabi.Action.play(i)) for i, c in enumerate(own) if game.can_place(c)
        ]
        action = good[0] if good else int(game.legal_actions.indices[-1])
        game.play(action)
        environment.step(action)
    assert environment._cumulative_rewards[f"player_{game.seat}"] == 1.0
    assert set(environment.rewards.values()) == {1.0}


def test_an_illegal_action_ends_the_episode_or_raises() -> None:
    strict = hanabi.raw_env(illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="H021"):
        strict.step(0)
    environment = HanabiEnv()
    environment.reset(seed=1)
    _, _, terminated, truncated, info = environment.step(0)
    assert terminated and not truncated and info["reason"].startswith("illegal action")


@pytest.mark.parametrize("partners", ["random", "iggi"])
def test_the_vector_form_pays_scores_and_restarts(partners: str) -> None:
    environments = HanabiVectorEnv(8, partners, players=4, autoreset_mode="SAME_STEP")
    observations, _ = environments.reset(seed=5)
    returns, ended = np.zeros(8), 0
    for _ in range(60):
        masks = environments.action_masks()
        assert masks.any(axis=1).all()
        assert (observations["action_mask"] == masks).all()
        actions = np.array([np.flatnonzero(mask)[0] for mask in masks])
        observations, rewards, terminated, truncated, infos = environments.step(actions)
        returns += rewards
        for i in np.flatnonzero(terminated):
            final = infos["final_info"]
            assert final["reason"][i] in ("last error", "last turn", "complete")
            ended += 1
            returns[i] = 0
        assert not truncated.any()
    assert ended > 8


def test_one_game_of_the_vector_form_equals_the_single_environments() -> None:
    one, many = HanabiEnv(partners="iggi"), HanabiVectorEnv(1, "iggi")
    alone, _ = one.reset(seed=4)
    row, _ = many.reset(seed=[4])
    for _ in range(20):
        assert (alone["observation"] == row["observation"][0]).all()
        assert (alone["action_mask"] == row["action_mask"][0]).all()
        action = int(np.flatnonzero(alone["action_mask"])[-1])
        alone, reward, terminated, _, _ = one.step(action)
        row, rewards, ended, _, _ = many.step(np.array([action]))
        assert reward == rewards[0] and terminated == ended[0]
        if terminated:
            break


@pytest.mark.parametrize(
    ("partners", "options"),
    [("learnt", {"players": 3}), ("network", {"rules": "Hanabi-Small"})],
)
def test_a_partner_trained_for_another_table_is_refused_at_make(
    partners: str, options: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="was trained on observations of"):
        gymnasium.make("catan_env:Hanabi-v0", partners=partners, **options)
    with pytest.raises(ValueError, match="was trained on observations of"):
        HanabiVectorEnv(2, partners=partners, **options)
    environment = HanabiEnv(**options)
    with pytest.raises(ValueError, match="was trained on observations of"):
        environment.partners = partners


@pytest.mark.torch
def test_sb3_environments_give_their_games_and_refuse_ignored_options() -> None:
    pytest.importorskip("stable_baselines3")
    from gymnasium.error import ResetNeeded

    from catan_env.guests.hanabi.sb3 import HanabiVecEnv

    environments = HanabiVecEnv(2, players=3, self_play=True, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        environments.step(np.zeros(2, np.int64))
    environments.seed(5)
    environments.reset()
    (game,) = environments.env_method("game", indices=1)
    assert str(game) == str(Game(3, seed=6)) == environments.get_images()[1]
    assert environments.env_method("action_masks", indices=[1]).shape == (1, 30)
    assert environments.has_attr("action_masks")
    for given in ({"partners": "iggi"}, {"seat": 1}):
        with pytest.raises(ValueError, match="would be ignored"):
            HanabiVecEnv(2, self_play=True, **given)
