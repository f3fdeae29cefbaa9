"""The vector environment: each of its games is the single environment's game."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from catan_env import Action, IllegalActionError, Rules
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv

SEEDS = [11, 12, 13]
SHORT: dict[str, Any] = {"seats": 3, "max_turns": 6}


def last_legal(observations: Any) -> np.ndarray:
    """The highest legal index of each row; 0 if there is none."""
    masks = observations["action_mask"]
    return (masks * np.arange(848)).max(axis=1)


def scattered(observations: Any, step: int) -> np.ndarray:
    """A legal index of each row that depends on the step; 0 if there is none."""
    legal = [np.flatnonzero(mask) for mask in observations["action_mask"]]
    return np.array([row[step * 7 % len(row)] if len(row) else 0 for row in legal])


def flat(value: Any) -> Iterator[Any]:
    """Observations and infos as comparable leaves with their names."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield key
            yield from flat(value[key])
    elif isinstance(value, np.ndarray) and value.dtype == object:
        yield [list(flat(item)) for item in value]
    elif isinstance(value, np.ndarray):
        yield value.dtype.str, value.tolist()
    else:
        yield value


def test_make_vec_gives_a_vector_environment_with_batched_spaces() -> None:
    environments = gymnasium.make_vec("catan_env:Catan-v0", num_envs=5, seats=2)
    assert isinstance(environments, CatanVectorEnv)
    assert environments.num_envs == 5
    assert environments.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    single = CatanEnv(seats=2)
    assert environments.single_observation_space == single.observation_space
    assert environments.single_action_space == single.action_space
    observations, infos = environments.reset(seed=3)
    assert infos == {}
    assert observations in environments.observation_space
    assert observations["observation"].shape == (5, 913)
    assert observations["action_mask"].dtype == np.int8
    observations, rewards, terminated, truncated, infos = environments.step(
        last_legal(observations)
    )
    assert observations in environments.observation_space
    assert rewards.shape == (5,) and rewards.dtype == np.float64
    assert terminated.dtype == truncated.dtype == np.bool_
    assert environments.action_space.shape == (5,)
    environments.close()


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "builder"},
        {"opponents": ["builder", "random"], "reward": "shaped", "rules": "tournament"},
        {"opponents": "builder", "seat": 1, "mask_in": "both", "max_turns": 2},
    ],
    ids=["builder", "shaped tournament", "masks in both"],
)
def test_it_equals_the_single_environments_in_parallel(
    mode: AutoresetMode, options: dict[str, Any]
) -> None:
    options = SHORT | options
    ours = CatanVectorEnv(3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: CatanEnv(**options)] * 3, autoreset_mode=mode)
    got, expected = ours.reset(seed=list(SEEDS)), theirs.reset(seed=list(SEEDS))
    ended = 0
    for step in range(80):
        for mine, other in zip(got, expected, strict=True):
            assert list(flat(mine)) == list(flat(other)), step
        actions = scattered(got[0], step)
        got, expected = ours.step(actions), theirs.step(actions)
        ended += int((got[2] | got[3]).sum())
    assert ended > 0


@pytest.mark.parametrize("illegal", ["penalty", "ignore"])
def test_illegal_actions_have_the_same_effect_as_in_single_environments(illegal: str) -> None:
    options = SHORT | {"opponents": "builder", "illegal": illegal, "reward": "shaped"}
    ours = CatanVectorEnv(3, autoreset_mode="SAME_STEP", **options)
    theirs = SyncVectorEnv(
        [lambda: CatanEnv(**options)] * 3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    got, expected = ours.reset(seed=5), theirs.reset(seed=5)
    for step in range(20):
        actions = scattered(got[0], step)
        actions[step % 3] = [847, 0, 1][step % 3]
        got, expected = ours.step(actions), theirs.step(actions)
        for mine, other in zip(got, expected, strict=True):
            assert list(flat(mine)) == list(flat(other)), step


def test_an_illegal_action_raises_before_anything_is_played() -> None:
    environments = CatanVectorEnv(3, seat=0, illegal="raise")
    before, _ = environments.reset(seed=1)
    with pytest.raises(IllegalActionError, match="allowed are"):
        environments.step(np.array([52, 52, 0]))
    assert environments.game(0).settlements(0) == ()
    after, *_ = environments.step(last_legal(before))
    assert environments.game(0).settlements(0) == (53,)
    assert after["observation"].tobytes() != before["observation"].tobytes()


def test_negative_and_far_indices_are_illegal() -> None:
    environments = CatanVectorEnv(2, seat=0, illegal="ignore")
    environments.reset(seed=1)
    *_, infos = environments.step(np.array([-1, 4000]))
    assert infos["_ignored"].all()
    with pytest.raises(TypeError, match="2 integers"):
        environments.step(np.array([0.5, 1.0]))


def test_final_observation_and_final_info_come_in_the_same_step() -> None:
    environments = CatanVectorEnv(4, seats=2, max_turns=3, autoreset_mode="SAME_STEP")
    observations, _ = environments.reset(seed=2)
    for step in range(200):
        observations, rewards, terminated, truncated, infos = environments.step(
            scattered(observations, step)
        )
        if truncated.any():
            break
    assert not terminated.any() and not rewards.any()
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == truncated.tolist()
    i = int(truncated.argmax())
    final = infos["final_obs"][i]
    assert final in environments.single_observation_space
    assert not final["action_mask"].any() and observations["action_mask"][i].any()
    assert infos["final_info"]["reason"][i] == "turn limit"
    assert infos["final_obs"][int((~truncated).argmax())] is None
    assert environments.game(i).turn == 0


def test_with_next_step_the_last_observation_stays_for_one_step() -> None:
    environments = CatanVectorEnv(2, seats=2, max_turns=2, autoreset_mode="NextStep")
    observations, _ = environments.reset(seed=2)
    truncated = np.zeros(2, bool)
    step = 0
    while not truncated.any():
        observations, _, _, truncated, infos = environments.step(scattered(observations, step))
        step += 1
    i = int(truncated.argmax())
    assert infos["reason"][i] == "turn limit"
    assert not observations["action_mask"][i].any()
    observations, rewards, _, truncated, _ = environments.step(scattered(observations, step))
    assert not truncated[i] and rewards[i] == 0
    assert observations["action_mask"][i].any()
    assert environments.game(i).turn == 0


def test_with_autoreset_disabled_the_user_resets_finished_games() -> None:
    environments = CatanVectorEnv(3, seats=2, max_turns=2, autoreset_mode="Disabled")
    observations, _ = environments.reset(seed=8)
    ended, step = np.zeros(3, bool), 0
    while not ended.any():
        observations, _, _, ended, _ = environments.step(scattered(observations, step))
        step += 1
    with pytest.raises(gymnasium.error.ResetNeeded):
        environments.step(scattered(observations, step))
    going = [environments.game(i) for i in np.flatnonzero(~ended)]
    observations, _ = environments.reset(options={"reset_mask": ended})
    assert observations["action_mask"].any(axis=1).all()
    assert [environments.game(i) for i in np.flatnonzero(~ended)] == going
    environments.step(scattered(observations, step))


def play(environments: CatanVectorEnv, seed: Any, steps: int) -> list[bytes]:
    observations, _ = environments.reset(seed=seed)
    seen = []
    for step in range(steps):
        seen.append(observations["observation"].tobytes() + environments.seat.tobytes())
        observations, *_ = environments.step(scattered(observations, step))
    return seen


def test_the_same_seeds_give_the_same_games_against_native_opponents() -> None:
    environments = CatanVectorEnv(4, max_turns=8)
    first = play(environments, 3, 60)
    assert play(environments, [3, 4, 5, 6], 60) == first
    assert play(CatanVectorEnv(4, max_turns=8, threads=2), 3, 60) == first
    assert play(environments, 4, 60) != first


def test_a_game_does_not_depend_on_other_games() -> None:
    many, one = CatanVectorEnv(3, max_turns=8), CatanVectorEnv(1, max_turns=8)
    together, _ = many.reset(seed=[5, 6, 7])
    alone, _ = one.reset(seed=[6])
    for step in range(100):
        for key in alone:
            assert together[key][1].tobytes() == alone[key][0].tobytes()
        together, *_ = many.step(scattered(together, step))
        alone, *_ = one.step(scattered(alone, step))


def test_without_copies_every_call_gives_the_same_arrays() -> None:
    environments = CatanVectorEnv(2, copy=False)
    first, _ = environments.reset(seed=1)
    second, *_ = environments.step(last_legal(first))
    assert all(second[key] is first[key] for key in first)
    copying = CatanVectorEnv(2)
    first, _ = copying.reset(seed=1)
    kept = first["observation"].copy()
    copying.step(last_legal(first))
    assert (first["observation"] == kept).all()


class Patient:
    """Takes the last legal index of every game, and counts its calls."""

    calls = 0

    def act(self, view: Any) -> int:
        return int(view.legal_actions.indices[-1])

    def act_batch(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        assert observations.shape == (len(action_masks), 913)
        self.calls += 1
        return (action_masks * np.arange(848)).max(axis=1)


def test_a_policy_that_answers_for_many_games_is_asked_once_for_all() -> None:
    patient = Patient()
    options: dict[str, Any] = {"seat": 0, "seats": 2, "max_turns": 3}
    batched = CatanVectorEnv(8, opponents=patient, **options)
    plain = CatanVectorEnv(8, opponents=lambda view: patient.act(view), **options)
    assert play(batched, 4, 10) == play(plain, 4, 10)
    assert 0 < patient.calls < 80


def test_a_batched_policy_that_answers_nonsense_is_named() -> None:
    class Wrong(Patient):
        def act_batch(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
            return np.full(len(action_masks), 847)

    with pytest.raises(IllegalActionError, match=r"Wrong\.act_batch answered 847"):
        CatanVectorEnv(2, seat=1, opponents=Wrong()).reset(seed=1)


def test_a_won_game_pays_one_to_the_winner_and_the_loss_to_the_others() -> None:
    environments = CatanVectorEnv(16, seats=2, rules="duel", autoreset_mode="SAME_STEP")
    observations, _ = environments.reset(seed=1)
    paid = set()
    for step in range(3000):
        observations, rewards, terminated, _, infos = environments.step(
            scattered(observations, step)
        )
        for i in np.flatnonzero(terminated):
            paid.add((float(rewards[i]), str(infos["final_info"]["reason"][i])))
        if len(paid) == 2:
            break
    assert paid == {(1.0, "win"), (-1.0, "loss")}


def test_unknown_settings_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="seat is 4"):
        CatanVectorEnv(2, seat=4)
    with pytest.raises(ValueError, match="2 opponents"):
        CatanVectorEnv(2, opponents=["random", "builder"])
    with pytest.raises(ValueError, match="3 seeds"):
        CatanVectorEnv(2).reset(seed=[1, 2, 3])
    with pytest.raises(TypeError, match="unknown option sets"):
        CatanVectorEnv(2, sets=3)


def test_an_environment_that_could_not_be_made_can_be_closed() -> None:
    CatanVectorEnv.__new__(CatanVectorEnv).close()


def test_games_are_shown_in_the_render_mode() -> None:
    environments = CatanVectorEnv(2, seats=2, render_mode="ansi")
    environments.reset(seed=1)
    assert environments.render() == (str(environments.game(0)), str(environments.game(1)))
    assert Action.settlement(0) in environments.game(0).legal_actions


@pytest.mark.parametrize(("seat", "needed"), [(3, 4), ("random", 4), (1, 2)])
def test_a_turn_limit_before_the_seats_first_decision_is_refused(seat: Any, needed: int) -> None:
    options: dict[str, Any] = {"rules": "tournament", "seat": seat}
    said = rf"max_turns is {needed - 1}; .* allowed are {needed} or more, and None"
    for environment in (CatanEnv, CatanVectorEnv):
        with pytest.raises(ValueError, match=said):
            environment(max_turns=needed - 1, **options)
    environments = CatanVectorEnv(8, max_turns=needed, autoreset_mode="SAME_STEP", **options)
    observations, _ = environments.reset(seed=1)
    for step in range(20):
        assert observations["action_mask"].any(axis=1).all()
        observations, *_ = environments.step(scattered(observations, step))


def test_seats_that_place_decide_before_any_turn_limit() -> None:
    environments = CatanVectorEnv(8, seat=3, max_turns=1)
    observations, _ = environments.reset(seed=1)
    assert observations["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("opponents", ["random", "builder"])
def test_a_game_won_before_the_seat_decides_is_followed_by_the_next(opponents: str) -> None:
    for_few_points = replace(Rules.tournament(), points_to_win=3)
    options: dict[str, Any] = {"rules": for_few_points, "seat": 3, "opponents": opponents}
    environments = CatanVectorEnv(100, **options)
    observations, _ = environments.reset(seed=1)
    assert observations["action_mask"].any(axis=1).all()
    if opponents == "builder":
        single = CatanEnv(**options)
        for i in range(100):
            seen, _ = single.reset(seed=1 + i)
            assert seen["action_mask"].any()
            assert seen["observation"].tobytes() == observations["observation"][i].tobytes()


def until_one_ended(environments: CatanVectorEnv) -> tuple[Any, np.ndarray]:
    """The observations after the first step that ended a game, and the games that it ended."""
    observations, _ = environments.reset(seed=2)
    ended, step = np.zeros(environments.num_envs, bool), 0
    while not ended.any():
        observations, _, terminated, truncated, _ = environments.step(scattered(observations, step))
        ended, step = terminated | truncated, step + 1
    return observations, ended


def test_with_next_step_a_refused_action_starts_no_game() -> None:
    options: dict[str, Any] = {"seats": 2, "max_turns": 2, "illegal": "raise"}
    refusing = CatanVectorEnv(4, autoreset_mode="NextStep", **options)
    straight = CatanVectorEnv(4, autoreset_mode="NextStep", **options)
    (observations, ended), _ = until_one_ended(refusing), until_one_ended(straight)
    assert not ended.all()
    actions = scattered(observations, 0)
    before = [refusing.game(i) for i in range(4)]
    with pytest.raises(TypeError, match="4 integers"):
        refusing.step(actions[:2])
    with pytest.raises(IllegalActionError):
        refusing.step(np.where(ended, actions, 847))
    assert [refusing.game(i) for i in range(4)] == before
    got, expected = refusing.step(actions), straight.step(actions)
    for mine, other in zip(got, expected, strict=True):
        assert list(flat(mine)) == list(flat(other))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_step_before_the_first_reset_asks_for_one(mode: AutoresetMode) -> None:
    environments = CatanVectorEnv(2, autoreset_mode=mode)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"2 of 2 episodes .* call reset"):
        environments.step(np.zeros(2, int))
    environments.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"1 of 2 episodes .* call reset"):
        environments.step(np.zeros(2, int))


TO_THE_LIMIT = r"1\.\.2147483647"


@pytest.mark.parametrize("value", [-1, 0, "4", 2.5, None, True, 2**70])
def test_a_number_of_games_is_a_positive_integer(value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=rf"num_envs is {value!r}; .*{TO_THE_LIMIT}"):
        CatanVectorEnv(value)


@pytest.mark.parametrize("value", ["2", 1.5, 0, None, True, 2**70])
def test_a_number_of_threads_is_a_positive_integer(value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=rf"threads is {value!r}; .* 1\.\.1024$"):
        CatanVectorEnv(2, threads=value)


@pytest.mark.parametrize("value", ["9", 2.5, 0, -3, True, 2**31, 2**70])
def test_a_turn_limit_is_a_positive_integer_or_none(value: Any) -> None:
    for environment in (CatanEnv, CatanVectorEnv):
        with pytest.raises(
            (ValueError, TypeError), match=rf"max_turns is {value!r}; .*{TO_THE_LIMIT}, and None"
        ):
            environment(max_turns=value)


def test_numbers_of_numpy_are_numbers() -> None:
    environments = CatanVectorEnv(np.int64(2), threads=np.int8(2), max_turns=np.uint16(6))  # type: ignore[arg-type]
    environments.reset(seed=np.uint64(5))
    assert type(environments.num_envs) is int and type(environments.options.max_turns) is int
    assert CatanVectorEnv(1, max_turns=2**31 - 1).reset(seed=1)[0]["action_mask"].any()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_autoreset_mode_is_given_by_name_or_value(mode: AutoresetMode) -> None:
    for given in (mode, mode.name, mode.value):
        assert CatanVectorEnv(1, autoreset_mode=given).autoreset_mode is mode


@pytest.mark.parametrize("mode", ["next_step", "", 1, None])
def test_an_unknown_autoreset_mode_is_refused(mode: Any) -> None:
    said = f"autoreset_mode is {mode!r}; allowed are NEXT_STEP, SAME_STEP, DISABLED"
    with pytest.raises(ValueError, match=said):
        CatanVectorEnv(1, autoreset_mode=mode)


@pytest.mark.parametrize(
    "seed",
    [
        1.5,
        object(),
        2**64,
        2**64 - 1,
        -1,
        "7",
        "777",
        [1, 2.5, 3],
        [1, 2, -3],
        np.zeros(3),
        {1: 2},
        True,
        [1, 2, False],
        np.ones(3, bool),
    ],
)
def test_a_wrong_seed_begins_no_game(seed: Any) -> None:
    environments = CatanVectorEnv(3, seat=0)
    environments.reset(seed=1)
    before = [environments.game(i) for i in range(3)]
    with pytest.raises((ValueError, TypeError), match=r"seed is .*; allowed are 0\.\.2\*\*64 - "):
        environments.reset(seed=seed)
    assert [environments.game(i) for i in range(3)] == before


@pytest.mark.parametrize(
    "seed", [np.uint64(5), [5, 6, 7], (5, 6, 7), np.array([5, 6, 7])], ids=repr
)
def test_seeds_are_integers_of_any_kind(seed: Any) -> None:
    environments, expected = CatanVectorEnv(3), CatanVectorEnv(3)
    seen, _ = environments.reset(seed=seed)
    assert list(flat(seen)) == list(flat(expected.reset(seed=5)[0]))


def test_options_of_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError, match="copy is 'x'; allowed are True and False"):
        CatanVectorEnv(2, copy="x")  # type: ignore[arg-type]
    environments = CatanVectorEnv(2)
    with pytest.raises(TypeError, match="options is 5; allowed are a dict and None"):
        environments.reset(options=5)  # type: ignore[arg-type]
    for i in (-1, 2, "a", True):
        with pytest.raises(IndexError, match=rf"game {i!r}; allowed are 0\.\.1"):
            environments.game(i)  # type: ignore[arg-type]


def test_opponents_are_set_for_all_games_and_nothing_else_is() -> None:
    environments = CatanVectorEnv(2, seats=2, seat=0)
    observations, _ = environments.reset(seed=1)
    asked = []

    def noted(view: Any) -> int:
        asked.append(view.viewer)
        return int(view.legal_actions.indices[0])

    environments.set_attr("opponents", noted)
    for step in range(3):
        observations, *_ = environments.step(scattered(observations, step))
    assert set(asked) == {1} and environments.opponents is noted
    with pytest.raises(AttributeError, match="max_turns cannot be set; allowed is opponents"):
        environments.set_attr("max_turns", 5)


def test_gymnasiums_wrappers_of_vector_observations_accept_it() -> None:
    environments = gymnasium.make_vec("catan_env:Catan-v0", num_envs=2, mask_in="info")
    scaled = gymnasium.wrappers.vector.NormalizeObservation(environments)
    observations, _ = scaled.reset(seed=1)
    assert observations.shape == (2, 913)
