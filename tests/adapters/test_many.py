"""The promises of the environments of many games: Gymnasium's and Stable-Baselines3's."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from catan_env.failure import PolicyError
from tests.adapters.games import GameUnderTest, action_of, illegal_in


def first_legal(view: Any) -> int:
    """A policy."""
    return int(np.flatnonzero(view.action_mask)[0])


def actions_of(environments: Any, chances: list[np.random.Generator]) -> np.ndarray:
    masks = environments.action_masks()
    pairs = zip(masks, chances, strict=True)
    return np.array([action_of(mask, chance) if mask.any() else 0 for mask, chance in pairs])


def test_a_game_that_ended_begins_in_the_next_step_by_default(game: GameUnderTest) -> None:
    assert game.made("many", 2).metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def test_no_game_can_be_seen_before_it_has_begun(game: GameUnderTest) -> None:
    many = game.made("many", 2)
    for seen in (lambda: many.game(1), many.render):
        with pytest.raises(ResetNeeded, match=r"no episode has begun in environment [01]: call"):
            seen()
    many.reset(options={"reset_mask": np.array([True, False])})
    assert many.game(0)
    with pytest.raises(ResetNeeded, match="environment 1"):
        many.game(1)
    many.reset(seed=1)
    assert many.game(1)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_each_game_is_that_of_the_environment_of_one(game: GameUnderTest, mode: str) -> None:
    others = {game.others: first_legal}
    many = game.made("many", 3, autoreset_mode=mode, **others)
    singles = [game.made("one", **others) for _ in range(3)]
    shown, _ = many.reset(seed=5)
    alone = [one.reset(seed=5 + i)[0] for i, one in enumerate(singles)]
    chances, ended = [np.random.default_rng(i) for i in range(3)], [False] * 3
    ends = 0
    while ends < 4:
        for i in range(3):
            assert (shown["observation"][i] == alone[i]["observation"]).all()
            assert (shown["action_mask"][i] == alone[i]["action_mask"]).all()
        actions = actions_of(many, chances)
        shown, rewards, terminated, truncated, infos = many.step(actions)
        for i, one in enumerate(singles):
            if ended[i] and mode == "NEXT_STEP":
                alone[i], ended[i] = one.reset()[0], False
                assert (rewards[i], terminated[i], truncated[i]) == (0, False, False)
                continue
            alone[i], reward, *over, info = one.step(actions[i])
            assert rewards[i] == pytest.approx(reward)
            assert [terminated[i], truncated[i]] == over
            ended[i] = any(over)
            ends += ended[i]
            if ended[i] and mode == "SAME_STEP":
                final = infos["final_obs"][i]
                assert (final["observation"] == alone[i]["observation"]).all()
                assert not final["action_mask"].any()
                assert infos["final_info"]["reason"][i] == info["reason"]
                alone[i] = one.reset()[0]
            elif ended[i]:
                assert infos["reason"][i] == info["reason"]
        if mode == "DISABLED" and any(ended):
            with pytest.raises(ResetNeeded):
                many.step(actions)
            shown, _ = many.reset(options={"reset_mask": np.array(ended)})
            for i, one in enumerate(singles):
                alone[i], ended[i] = (one.reset()[0], False) if ended[i] else (alone[i], False)


def played(many: Any, seeds: list[int], steps: int = 60) -> np.ndarray:
    """The observations of each game among random opponents: (steps, games, size)."""
    chances = [np.random.default_rng(seed) for seed in seeds]
    shown = [many.reset(seed=seeds)[0]["observation"].copy()]
    for _ in range(steps - 1):
        shown.append(many.step(actions_of(many, chances))[0]["observation"].copy())
    return np.array(shown)


def test_a_seed_gives_the_same_game_again_and_beside_other_games(game: GameUnderTest) -> None:
    many = game.made("many", 3)
    first = played(many, [7, 8, 9])
    assert (played(many, [7, 8, 9]) == first).all(), "the same environment, reset again"
    assert (played(many, [1, 8, 7])[:, 1:] == first[:, [1, 0]]).all(), "another place"
    assert (played(game.made("many", 1), [9]) == first[:, 2:]).all(), "alone"


@pytest.mark.parametrize("illegal", ["penalty", "ignore", "raise"])
def test_an_illegal_action_is_treated_as_asked(game: GameUnderTest, illegal: str) -> None:
    many = game.made("many", 2, illegal=illegal)
    shown, _ = many.reset(seed=1)
    actions = np.array([action_of(shown["action_mask"][0], np.random.default_rng(1)), 0])
    actions[1] = illegal_in(shown["action_mask"][1])
    if illegal == "raise":
        with pytest.raises(many.options.illegal_error):
            many.step(actions)
        assert (many.action_masks() == shown["action_mask"]).all()
        return
    after, rewards, terminated, _, infos = many.step(actions)
    if illegal == "penalty":
        assert terminated[1] and infos["reason"][1].startswith("illegal action: ")
        assert not after["action_mask"][1].any()
        assert rewards[1] == -1.0 or many.options.is_paid_on_the_way
    else:
        assert not terminated[1] and rewards[1] == 0.0 and isinstance(infos["ignored"][1], str)
        assert (after["observation"][1] == shown["observation"][1]).all()


class Failing:
    """A policy that plays the first legal action until it fails."""

    fails = False

    def act(self, view: Any) -> int:
        if self.fails:
            raise ConnectionError
        return first_legal(view)


class FailingForAll(Failing):
    """The same for all games that wait for it, whose observations and masks are shown to it."""

    def act_batch(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        if self.fails:
            raise ConnectionError
        return action_masks.argmax(axis=1)


def step_until_it_fails(many: Any) -> None:
    chances = [np.random.default_rng(i) for i in range(2)]
    with pytest.raises(PolicyError):
        for _ in range(50):
            many.step(actions_of(many, chances))


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
@pytest.mark.parametrize("kind", [Failing, FailingForAll])
def test_games_need_a_reset_when_an_opponent_fails(
    game: GameUnderTest, kind: type[Failing], mode: str
) -> None:
    opponent = kind()
    options = {game.others: opponent, "copy": False, "autoreset_mode": mode}
    many = game.made("many", 2, **options)
    shown, _ = many.reset(seed=1)
    opponent.fails = True
    step_until_it_fails(many)
    assert not many.action_masks().any() and not shown["observation"].any()
    with pytest.raises(ResetNeeded, match=r"2 of 2 episodes .* were broken off"):
        many.step([0, 0])
    with pytest.raises(PolicyError):
        for seed in range(20):
            many.reset(seed=seed)
    opponent.fails = False
    many.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match="1 of 2"):
        many.step([0, 0])
    many.reset(options={"reset_mask": np.array([False, True])})
    many.step(actions_of(many, [np.random.default_rng(1)] * 2))


@pytest.mark.torch
def test_stable_baselines_games_need_a_reset_when_an_opponent_fails(game: GameUnderTest) -> None:
    pytest.importorskip("sb3_contrib")
    opponent = Failing()
    environments = game.made("vec", 2, **{game.others: opponent})
    environments.seed(1)
    environments.reset()
    opponent.fails = True
    step_until_it_fails(environments)
    assert not environments.action_masks().any()
    with pytest.raises(ResetNeeded, match="were broken off"):
        environments.step(np.zeros(2, np.int64))
    opponent.fails = False
    environments.reset()
    environments.step(actions_of(environments, [np.random.default_rng(1)] * 2))


@pytest.mark.parametrize("actions", [[1.0, 2.0], ["1", "2"], [1], [[1, 2]], None], ids=str)
def test_actions_are_integers_one_for_each_game(game: GameUnderTest, actions: Any) -> None:
    many = game.made("many", 2)
    with pytest.raises(ResetNeeded):
        many.step([0, 0])
    many.reset(seed=1)
    with pytest.raises(TypeError, match="actions are 2 integers"):
        many.step(actions)


def test_native_opponents_leave_the_seat_its_decisions(game: GameUnderTest) -> None:
    many = game.made("many", 4, autoreset_mode="SAME_STEP")
    shown, _ = many.reset(seed=3)
    chances = [np.random.default_rng(i) for i in range(4)]
    ended = 0
    for _ in range(3000):
        assert shown["action_mask"].any(axis=1).all()
        shown, _, terminated, truncated, _ = many.step(actions_of(many, chances))
        ended += int((terminated | truncated).sum())
        for i in range(4):
            known = many.game(i).view(int(many.seat[i]))
            assert (np.asarray(known.action_mask) == shown["action_mask"][i]).all()
        if ended >= 3:
            return
    raise AssertionError("no game ended")


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_has_the_same_future(game: GameUnderTest, way: Any) -> None:
    many = game.made("many", 2)
    many.reset(seed=4)
    chances = [np.random.default_rng(i) for i in range(2)]
    many.step(actions_of(many, chances))
    other = way(many)
    for _ in range(15):
        actions = actions_of(many, chances)
        ours, theirs = many.step(actions), other.step(actions)
        assert (ours[0]["observation"] == theirs[0]["observation"]).all()
        for one, two in zip(ours[1:4], theirs[1:4], strict=True):
            assert (one == two).all()
    many.step(actions_of(many, chances))
    assert (other.action_masks() == theirs[0]["action_mask"]).all()


@pytest.mark.torch
@pytest.mark.parametrize("self_play", [False, True])
def test_stable_baselines_plays_the_same_games(game: GameUnderTest, self_play: bool) -> None:
    pytest.importorskip("sb3_contrib")
    environments = game.made("vec", 3, self_play=self_play)
    with pytest.raises(ResetNeeded):
        environments.step(np.zeros(3, np.int64))
    environments.seed(5)
    shown = environments.reset()
    chances, ends = [np.random.default_rng(i) for i in range(3)], 0
    returns = np.zeros((3, game.seats))
    assert environments.num_seats == game.seats
    for _ in range(3000):
        for i in range(3):
            view = environments.game(i).view(int(environments.seat[i]))
            assert (np.asarray(view.action_mask) == environments.action_masks()[i]).all()
        shown, rewards, dones, infos = environments.step(actions_of(environments, chances))
        assert shown.dtype == environments.observation_space.dtype and rewards.dtype == np.float32
        assert environments.seat_rewards.shape == (3, game.seats)
        assert not self_play or infos[0]["seat_rewards"].shape == (game.seats,)
        returns += environments.seat_rewards
        for i in np.flatnonzero(dones):
            ends += 1
            assert infos[i]["reason"] and infos[i]["terminal_observation"].shape == shown[i].shape
            assert infos[i]["seat_returns"] == pytest.approx(returns[i])
            returns[i] = 0
        if ends >= 3:
            return
    raise AssertionError("no game ended")


@pytest.mark.torch
@pytest.mark.parametrize("self_play", [False, True])
def test_a_pickle_of_stable_baselines_games_continues_as_they_do(
    game: GameUnderTest, self_play: bool
) -> None:
    pytest.importorskip("sb3_contrib")
    environments = game.made("vec", 3, self_play=self_play)
    environments.seed(5)
    environments.reset()
    again = pickle.loads(pickle.dumps(environments))
    chances = [np.random.default_rng(i) for i in range(3)]
    for _ in range(10):
        actions = actions_of(environments, chances)
        ours, theirs = environments.step(actions), again.step(actions)
        assert all((a == b).all() for a, b in zip(ours[:3], theirs[:3], strict=True))


@pytest.mark.torch
def test_maskable_ppo_learns_from_every_seats_own_decisions(game: GameUnderTest) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from catan_env.adapters.per_seat import per_seat

    environments = game.made("vec", 2, self_play=True)
    options = {"n_steps": 24, "batch_size": 16, "n_epochs": 1, "seed": 1, "device": "cpu"}
    model = per_seat(contrib.MaskablePPO("MlpPolicy", environments, **options))
    assert model.learn(96).num_timesteps == 96
    with pytest.raises(ValueError, match="would be ignored"):
        game.made("vec", 2, self_play=True, **{game.others: first_legal})


@pytest.mark.torch
def test_an_illegal_action_takes_back_the_rewards_of_all_seats(game: GameUnderTest) -> None:
    pytest.importorskip("stable_baselines3")
    games = game.made("vec", 1, self_play=True)
    games.seed(5)
    games.reset()
    chance, totals = np.random.default_rng(1), np.zeros(1)
    for _ in range(60):  # until something is paid, if the game pays before its end
        _, _, done, infos = games.step([action_of(games.action_masks()[0], chance)])
        totals = np.zeros(1) if done[0] else totals + infos[0]["seat_rewards"]
        if totals.any():
            break
    _, _, done, infos = games.step([illegal_in(games.action_masks()[0])])
    expected = np.zeros(len(infos[0]["seat_rewards"]))
    expected[infos[0]["acted"]] = -1.0
    assert done[0] and (totals + infos[0]["seat_rewards"]).tolist() == pytest.approx(expected)
