"""Stable-Baselines3's VecEnv: one learning seat, or all seats."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from gymnasium.error import ResetNeeded  # noqa: E402
from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402

from catan_env import Board, Game, Resource  # noqa: E402
from catan_env.envs.sb3 import CatanVecEnv, SeatRolloutBuffer, per_seat  # noqa: E402
from catan_env.envs.vector import CatanVectorEnv  # noqa: E402

pytestmark = pytest.mark.torch
ROLL, END_TURN, CITIES = 0, 1, range(106, 160)


def some_legal(masks: np.ndarray, step: int) -> np.ndarray:
    legal = [np.flatnonzero(mask) for mask in masks]
    return np.array([row[step * 7 % len(row)] for row in legal])


def test_it_is_the_vector_environment_with_flat_observations() -> None:
    options: dict[str, Any] = {"seats": 3, "max_turns": 6, "reward": "shaped"}
    ours, other = (
        CatanVecEnv(4, **options),
        CatanVectorEnv(4, autoreset_mode="SAME_STEP", **options),
    )
    ours.seed(9)
    seen, (expected, _) = ours.reset(), other.reset(seed=9)
    ended = 0
    for step in range(80):
        assert seen.tobytes() == expected["observation"].tobytes()
        masks = ours.action_masks()
        assert (masks == other.action_masks()).all()
        actions = some_legal(masks, step)
        seen, rewards, dones, infos = ours.step(actions)
        expected, due, terminated, truncated, theirs = other.step(actions)
        assert rewards.dtype == np.float32 and rewards == pytest.approx(due)
        assert (dones == (terminated | truncated)).all()
        for i in np.flatnonzero(dones):
            ended += 1
            final = theirs["final_obs"][i]["observation"]
            assert infos[i]["terminal_observation"].tobytes() == final.tobytes()
            assert infos[i]["TimeLimit.truncated"] is bool(truncated[i])
            assert infos[i]["reason"] == theirs["final_info"]["reason"][i]
    assert ended > 0


def test_observations_given_out_are_not_overwritten() -> None:
    environments = CatanVecEnv(2)
    environments.seed(1)
    first = environments.reset()
    masks = environments.action_masks()
    kept, kept_masks = first.copy(), masks.copy()
    environments.step(some_legal(masks, 0))
    assert (first == kept).all() and (masks == kept_masks).all()


def test_infos_report_episodes_with_their_return_and_length() -> None:
    environments = CatanVecEnv(4, seats=2, rules="duel", opponents="random")
    environments.seed(1)
    environments.reset()
    returns, lengths = np.zeros(4), np.zeros(4, int)
    episodes = 0
    for step in range(1500):
        _, rewards, dones, infos = environments.step(some_legal(environments.action_masks(), step))
        returns, lengths = returns + rewards, lengths + 1
        for i in np.flatnonzero(dones):
            episodes += 1
            assert infos[i]["episode"]["r"] == pytest.approx(returns[i])
            assert infos[i]["episode"]["l"] == lengths[i]
            returns[i], lengths[i] = 0, 0
    assert episodes > 2


def test_masks_of_all_games_are_one_array() -> None:
    environments = CatanVecEnv(3)
    environments.reset()
    masks = environments.env_method("action_masks")
    assert isinstance(masks, np.ndarray) and masks.shape == (3, 848)
    assert (get_action_masks(environments) == masks).all()
    assert environments.env_method("action_masks", indices=[2]).shape == (1, 848)
    assert is_masking_supported(environments)


def test_it_answers_the_librarys_queries_of_a_vec_env() -> None:
    environments = CatanVecEnv(2, render_mode="ansi")
    environments.reset()
    assert environments.get_attr("render_mode") == ["ansi", "ansi"]
    assert environments.has_attr("action_masks") and not environments.has_attr("spaceship")
    assert environments.env_method("render") == [str(g) for g in environments.env_method("game")]
    with pytest.raises(AttributeError, match="no method 'fly'"):
        environments.env_method("fly")
    with pytest.raises(TypeError, match="action_masks"):
        CatanVecEnv(2, mask_in="info")


@pytest.mark.parametrize("self_play", [False, True])
def test_a_step_before_the_first_reset_asks_for_one(self_play: bool) -> None:
    environments = CatanVecEnv(2, self_play=self_play)
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        environments.step(np.zeros(2, int))
    environments.reset()
    environments.step(some_legal(environments.action_masks(), 0))


@pytest.mark.parametrize("given", [{"opponents": "builder"}, {"seat": 0}])
def test_in_self_play_there_are_no_opponents_and_no_seat(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="with self_play every seat learns"):
        CatanVecEnv(2, self_play=True, **given)
    CatanVecEnv(2, self_play=True, opponents="random", seat="random")


def test_wrong_input_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match="self_play is 'yes'; allowed are True and False"):
        CatanVecEnv(2, self_play="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="num_envs is '4'; allowed are"):
        CatanVecEnv("4")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"threads is 1\.5; allowed are"):
        CatanVecEnv(2, threads=1.5)  # type: ignore[arg-type]
    environments = CatanVecEnv(3)
    with pytest.raises(TypeError, match="seed is 'a'; allowed are"):
        environments.seed("a")  # type: ignore[arg-type]
    for indices in ([-1], -1, 3, [0, 3], "a"):
        with pytest.raises(IndexError, match=r"allowed are 0\.\.2"):
            environments.env_method("game", indices=indices)
    with pytest.raises(TypeError, match="a MaskablePPO, not 5"):
        per_seat(5)  # type: ignore[type-var]


def test_a_model_learns_for_one_seat_again_after_self_play() -> None:
    options: dict[str, Any] = {"seats": 2, "max_turns": 6}
    small: dict[str, Any] = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "device": "cpu"}
    model = MaskablePPO("MlpPolicy", CatanVecEnv(2, self_play=True, **options), **small)
    plain = model.rollout_buffer
    per_seat(model).learn(32)
    model.set_env(CatanVecEnv(2, opponents="random", **options))
    model.rollout_buffer = plain
    model.learn(32, reset_num_timesteps=False)
    assert model.num_timesteps == 64
    model.set_env(CatanVecEnv(2, self_play=True, **options))
    per_seat(model).learn(32, reset_num_timesteps=False)
    assert isinstance(model.rollout_buffer, SeatRolloutBuffer) and model.num_timesteps == 96


def test_games_are_queried_by_one_index_or_several() -> None:
    environments = CatanVecEnv(3)
    environments.seed(np.uint64(4))  # type: ignore[arg-type]
    environments.reset()
    games = [environments.game(i) for i in range(3)]
    assert environments.env_method("game", indices=2) == games[2:]
    assert environments.env_method("game", indices=np.array([0, 2])) == games[::2]
    assert environments.get_attr("num_envs", indices=range(2)) == [3, 3]


def test_in_self_play_each_step_is_the_next_seats() -> None:
    environments = CatanVecEnv(2, seats=3, self_play=True)
    environments.seed(4)
    environments.reset()
    games = [Game(seats=3, seed=4), Game(seats=3, seed=5)]
    for step in range(60):
        seats = environments.seat
        assert seats.tolist() == [game.seat for game in games]
        actions = some_legal(environments.action_masks(), step)
        observations, *_ = environments.step(actions)
        assert (environments.acted == seats).all()
        for game, action, row in zip(games, actions, observations, strict=True):
            game.play(int(action))
            assert row.tobytes() == game.view(game.seat).observation.tobytes()


def small_game() -> Game:
    """Seat 0 has nine points and the cards for a city; seat 1 is to roll."""
    return Game.from_position(
        board=Board.beginner(),
        seats=2,
        rules="duel",
        seed=2,
        settlements={0: [0, 2, 4], 1: [53]},
        cities={0: [6, 8, 10]},
        hands={0: {Resource.ORE: 3, Resource.GRAIN: 2}},
        turn_seat=1,
        phase="roll",
    )


def straight(mask: np.ndarray) -> int:
    """Rolls, builds a city if possible, otherwise ends the turn or takes any action asked for."""
    legal = np.flatnonzero(mask)
    cities = [index for index in legal if index in CITIES]
    return next((i for i in (ROLL, *cities, END_TURN) if i in legal), int(legal[0]))


def step_once(
    environments: CatanVecEnv, buffer: SeatRolloutBuffer, value: float, starts: bool = False
) -> None:
    """Play one direct step in the only game, as MaskablePPO passes it to a buffer."""
    seen = environments._games.observations.copy()
    masks = environments.action_masks()
    action = np.array([straight(masks[0])])
    _, rewards, dones, infos = environments.step(action)
    values = torch.tensor([[value]])
    log_probs = torch.zeros(1)
    started = np.array([starts])
    buffer.take(infos, dones)
    buffer.add(seen, action, rewards, started, values, log_probs, action_masks=masks)


def at_small_game(n_steps: int, **how: float) -> tuple[CatanVecEnv, SeatRolloutBuffer]:
    environments = CatanVecEnv(1, seats=2, rules="duel", self_play=True)
    environments.seed(0)
    environments.reset()
    batch = environments._games.batch
    batch.states[:] = small_game()._array
    batch.results["fresh"] = 1
    environments._games.begin([])
    environments._games.show()
    buffer = SeatRolloutBuffer(
        n_steps,
        environments.observation_space,
        environments.action_space,
        n_envs=1,
        **how,
    )
    return environments, buffer


def test_the_losers_result_reaches_its_last_decision() -> None:
    environments, buffer = at_small_game(4, gamma=1.0, gae_lambda=1.0)
    for value in (0.5, 0.25, 0.125, 0.0):
        step_once(environments, buffer, value)
    assert buffer.seats[:, 0].tolist() == [1, 1, 0, 0]  # roll, end the turn, roll, city
    assert buffer.seat_rewards[3, 0].tolist() == [1, -1, 0, 0]
    assert buffer.ends[:, 0].tolist() == [False, False, False, True]
    buffer.compute_returns_and_advantage(torch.tensor([[99.0]]), np.array([True]))
    assert buffer.returns[:, 0].tolist() == [-1, -1, 1, 1]
    assert buffer.advantages[:, 0].tolist() == [-1.5, -1.25, 0.875, 1.0]
    batch = next(buffer.get())
    assert sorted(batch.returns.tolist()) == [-1, -1, 1, 1]


def test_a_result_after_the_rollout_is_learned_in_the_next_one() -> None:
    environments, buffer = at_small_game(2, gamma=0.5, gae_lambda=1.0)
    step_once(environments, buffer, 0.5)
    step_once(environments, buffer, 0.25)
    buffer.compute_returns_and_advantage(torch.tensor([[99.0]]), np.array([False]))
    assert buffer.is_known[:, 0].tolist() == [True, False]  # seat 1 has not decided again
    assert buffer.returns[0].tolist() == [0.5 * 0.25]
    buffer.reset()
    step_once(environments, buffer, 0.125)
    step_once(environments, buffer, 0.0)
    buffer.compute_returns_and_advantage(torch.tensor([[99.0]]), np.array([True]))
    batch = next(buffer.get())
    learned = {
        (v, r) for v, r in zip(batch.old_values.tolist(), batch.returns.tolist(), strict=True)
    }
    assert learned == {(0.125, 0.5), (0.0, 1.0), (0.25, -1.0)}  # the last: seat 1's end of turn
    rows = batch.observations.shape[0]
    assert rows == 3 and batch.action_masks.shape == (3, 848)


@pytest.mark.parametrize("batch_size", [1, 2, 3])
def test_no_minibatch_is_left_with_a_single_decision(batch_size: int) -> None:
    environments, buffer = at_small_game(4, gamma=1.0, gae_lambda=1.0)
    for value in (0.5, 0.25, 0.125, 0.0):
        step_once(environments, buffer, value)
    buffer.compute_returns_and_advantage(torch.tensor([[0.0]]), np.array([True]))
    assert [len(batch.returns) for batch in buffer.get(batch_size)] == [2, 2]


@pytest.mark.parametrize("batch_size", [1, 2])
def test_the_odd_decision_joins_a_minibatch(batch_size: int) -> None:
    environments, buffer = at_small_game(4, gamma=1.0, gae_lambda=1.0)
    for value in (0.5, 0.25, 0.125, 0.0):
        step_once(environments, buffer, value)
    buffer.compute_returns_and_advantage(torch.tensor([[0.0]]), np.array([True]))
    buffer.is_known[0] = False
    assert [len(batch.returns) for batch in buffer.get(batch_size)] == [3]


def test_a_rollout_with_a_single_known_decision_is_too_short() -> None:
    environments, buffer = at_small_game(2)
    step_once(environments, buffer, 0.5)
    step_once(environments, buffer, 0.25)
    buffer.compute_returns_and_advantage(torch.tensor([[99.0]]), np.array([False]))
    with pytest.raises(ValueError, match="n_steps=2 is too few: 1 decision has a result yet"):
        next(buffer.get(64))


def test_decisions_of_games_that_were_left_are_forgotten() -> None:
    environments, buffer = at_small_game(3, gamma=1.0, gae_lambda=1.0)
    for value in (0.5, 0.25, 0.125):
        step_once(environments, buffer, value)
    buffer.compute_returns_and_advantage(torch.tensor([[0.0]]), np.array([False]))
    assert buffer._waiting.values.tolist() == [0.25]
    buffer.reset()
    environments.reset()
    step_once(environments, buffer, 0.0, starts=True)
    step_once(environments, buffer, 0.0)
    step_once(environments, buffer, 0.0)
    buffer.compute_returns_and_advantage(torch.tensor([[0.0]]), np.array([False]))
    assert 0.25 not in next(buffer.get()).old_values.tolist()


LEARNER: dict[str, Any] = {
    "n_steps": 32,
    "batch_size": 64,
    "n_epochs": 1,
    "policy_kwargs": {"net_arch": [16]},
    "device": "cpu",
    "seed": 1,
}


def test_ppo_learns_one_seat() -> None:
    environments = CatanVecEnv(4, seats=2, rules="duel", max_turns=5)
    model = MaskablePPO("MlpPolicy", environments, **LEARNER).learn(256)
    assert model.num_timesteps == 256
    assert len(model.ep_info_buffer) > 0


def test_ppo_learns_all_seats(tmp_path: Any) -> None:
    environments = CatanVecEnv(4, seats=3, max_turns=5, self_play=True)
    model = per_seat(MaskablePPO("MlpPolicy", environments, **LEARNER))
    model.learn(256)
    assert isinstance(model.rollout_buffer, SeatRolloutBuffer)
    assert len(model.rollout_buffer.values) > 100
    model.save(tmp_path / "model")
    again = per_seat(MaskablePPO.load(tmp_path / "model", env=environments, device="cpu"))
    again.learn(128)
    with pytest.raises(ValueError, match="self_play=True"):
        per_seat(MaskablePPO("MlpPolicy", CatanVecEnv(2), **LEARNER))


def test_self_play_refuses_a_buffer_that_is_not_per_seat(tmp_path: Any) -> None:
    environments = CatanVecEnv(2, seats=2, max_turns=5, self_play=True)
    plain = MaskablePPO("MlpPolicy", environments, **LEARNER)
    with pytest.raises(ValueError, match=r"per_seat\(model\)"):
        plain.learn(64)
    per_seat(plain).save(tmp_path / "model")
    loaded = MaskablePPO.load(tmp_path / "model", env=environments, device="cpu")
    with pytest.raises(ValueError, match=r"per_seat\(model\)"):
        loaded.learn(64)


def test_after_set_env_the_buffer_learns_from_the_new_environment() -> None:
    options: dict[str, Any] = {"seats": 2, "max_turns": 5, "self_play": True}
    first, second = CatanVecEnv(2, **options), CatanVecEnv(2, **options)
    model = per_seat(MaskablePPO("MlpPolicy", first, **LEARNER)).learn(64)
    model.set_env(second)
    seats = []

    def note(given: dict[str, Any], _: Any) -> bool:
        seats.append([info["acted"] for info in given["infos"]])
        return True

    model.learn(64, callback=note)
    assert model.rollout_buffer.seats.tolist() == seats


def test_in_self_play_infos_name_the_seat_of_the_step() -> None:
    environments = CatanVecEnv(2, seats=3, max_turns=4, self_play=True, reward="shaped")
    environments.seed(4)
    environments.reset()
    for step in range(120):
        *_, infos = environments.step(some_legal(environments.action_masks(), step))
        assert [info["acted"] for info in infos] == environments.acted.tolist()
        assert [info["seat"] for info in infos] == environments.seat.tolist()
        shown = np.array([info["seat_rewards"] for info in infos])
        assert (shown == environments.seat_rewards).all()


def test_a_wrapper_that_changes_rewards_is_refused_in_self_play() -> None:
    environments = CatanVecEnv(2, seats=2, max_turns=5, self_play=True, reward="shaped")
    scaled = VecNormalize(environments, norm_obs=False, gamma=0.9)
    with pytest.raises(ValueError, match="a VecEnv wrapper changes the rewards"):
        per_seat(MaskablePPO("MlpPolicy", scaled, **LEARNER)).learn(64)
    seen_only = VecNormalize(CatanVecEnv(2, seats=2, self_play=True), norm_reward=False)
    per_seat(MaskablePPO("MlpPolicy", seen_only, **LEARNER)).learn(64)


def test_only_what_has_an_effect_can_be_set() -> None:
    environments = CatanVecEnv(2, seats=2, seat=0)
    environments.seed(1)
    environments.reset()
    asked = []

    def noted(view: Any) -> int:
        asked.append(view.viewer)
        return int(view.legal_actions.indices[0])

    environments.set_attr("opponents", noted)
    environments.step(some_legal(environments.action_masks(), 0))
    environments.step(some_legal(environments.action_masks(), 0))
    assert set(asked) == {1}
    with pytest.raises(AttributeError, match="max_turns cannot be set; allowed are opponents"):
        environments.set_attr("max_turns", 5)


def test_a_learner_without_masks_is_warned_once() -> None:
    environments = CatanVecEnv(2, seats=2)
    environments.reset()
    with pytest.warns(UserWarning, match="takes no mask") as said:
        for _ in range(3):
            environments.step(np.array([0, 0]))
    assert len(said) == 1
