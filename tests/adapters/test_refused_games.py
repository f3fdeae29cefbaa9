"""A game that breaks a promise of the contract is refused by one line that names its method."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from catan_env.adapters.evaluation import returns
from catan_env.adapters.games import STAY
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.promises import PromiseError
from tests.adapters.broken import Broken, BrokenAEC, BrokenEnv, BrokenVectorEnv

NAN, INF = float("nan"), float("inf")
ROLL, KNOCK = 0, 1


def one(**options: Any) -> list[float]:
    """The rewards of seat 0, which rolls twice and knocks."""
    environment = BrokenEnv(seat=0, opponents=lambda view: ROLL, **options)
    rewards, is_over = [], False
    environment.reset(seed=7)
    for action in (ROLL, ROLL, KNOCK):
        if not is_over:
            _, reward, is_over, _, _ = environment.step(action)
            rewards.append(reward)
    return rewards


def aec(**options: Any) -> None:
    environment = BrokenAEC(**options)
    environment.reset(seed=7)
    for _ in environment.agent_iter(50):
        observation, _, terminated, truncated, _ = environment.last()
        legal = observation["action_mask"]
        environment.step(None if terminated or truncated else int((legal * [1, 2, 3]).argmax()))


def many(**options: Any) -> None:
    environment = BrokenVectorEnv(3, **options)
    observations, _ = environment.reset(seed=7)
    for _ in range(20):
        masks = observations["action_mask"]
        observations, *_ = environment.step(masks.argmax(axis=1) + (masks[:, KNOCK] > 0))


def learned(**options: Any) -> None:
    batch = LearningBatch(Broken(**options), 3)
    for _ in range(200):
        batch.step(batch.sample_legal())


def evaluated(**options: Any) -> None:
    returns(Broken(**options), ["random"] * 3, 5)


WAYS = (one, aec, many, learned, evaluated)


def at_the_end(wrong: Any) -> Callable[[Any, Any], Any]:
    return lambda totals, game: wrong if game.is_over else totals


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "totals",
    [[NAN, 0.0, 0.0], [0.0, INF, 0.0], [1.0, -1.0], [0.0] * 4, None, 0.0, [[1.0]] * 3, "abc"],
    ids=str,
)
def test_totals_are_one_finite_number_for_each_seat(way: Callable[..., Any], totals: Any) -> None:
    with pytest.raises(
        PromiseError, match=r"^totals returned .*; expected 3 finite numbers, one f"
    ):
        way(totals_as=at_the_end(totals))
    with pytest.raises(PromiseError, match=r"^totals returned"):
        way(totals_as=lambda right, game: totals)


def test_arrays_and_integers_are_totals() -> None:
    for totals in (np.array([1, -1, 0], np.int8), (1, -1, 0), np.array([1.0, -1.0, 0.0])):
        for way in WAYS:
            way(totals_as=at_the_end(totals))


def on_the_way(totals: list[float], game: Any) -> list[float]:
    """Totals that change in every turn, which the options do not say."""
    return [float(game.turn), 0.0, -float(game.turn)]


def test_totals_on_the_way_that_are_not_announced_are_paid_at_the_end_everywhere() -> None:
    assert one(totals_as=on_the_way) == [0.0, 0.0, 10.0]
    environment = BrokenVectorEnv(2, seat=0, opponents=lambda view: ROLL, totals_as=on_the_way)
    environment.reset(seed=7)
    for actions, paid in (([ROLL, KNOCK], [0.0, 4.0]), ([ROLL, ROLL], [0.0, 0.0])):
        assert environment.step(actions)[1].tolist() == paid, "a neighbour's end pays no game"
    assert environment.step([KNOCK, ROLL])[1].tolist() == [10.0, 0.0]
    batch = LearningBatch(Broken(totals_as=on_the_way), 2)
    received = []
    for actions in ([ROLL, KNOCK], [ROLL, ROLL], [KNOCK, ROLL], [ROLL, ROLL], [ROLL, ROLL]):
        batch.step(actions)
        received.append(batch.rewards[:, 0].tolist())
    assert received == [[0, 0], [0, 0], [0, 4], [0, 0], [6, 0]]


def later(wrong: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda right, game: wrong(right) if game.turn > 1 else right


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("wrong", "described"),
    [
        (lambda seen: seen[:-1], r"an array of shape \(8,\) and dtype int8"),
        (lambda seen: seen[None], r"an array of shape \(1, 9\) and dtype int8"),
        (lambda seen: seen[:1], r"an array of shape \(1,\) and dtype int8"),
        (lambda seen: seen.astype(float), r"an array of shape \(9,\) and dtype float64"),
        (lambda seen: seen.tolist(), r"\[.*\]"),
        (lambda seen: None, "None"),
    ],
)
def test_an_observation_is_an_array_as_the_space_describes_it(
    way: Callable[..., Any], wrong: Any, described: str
) -> None:
    expected = r"vector_space has shape \(9,\) and dtype int8"
    with pytest.raises(PromiseError, match=f"^observe returned {described}; {expected}"):
        way(observed_as=lambda seen, game: wrong(seen))
    if way in (many, learned, evaluated):
        with pytest.raises(
            PromiseError, match=f"^observe returned {described} in game .; {expected}"
        ):
            way(observed_as=later(wrong))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("wrong", "described"),
    [
        (lambda mask: mask[:-1], r"an array of shape \(2,\) and dtype int8"),
        (lambda mask: mask[:1], r"an array of shape \(1,\) and dtype int8"),
        (lambda mask: mask.tolist(), r"\[1, 1, 0\]"),
        (lambda mask: None, "None"),
    ],
)
def test_a_mask_is_an_array_of_all_actions(
    way: Callable[..., Any], wrong: Any, described: str
) -> None:
    with pytest.raises(PromiseError, match=rf"^action_mask is {described}; expected shape \(3,\)"):
        way(mask_as=lambda mask, game: wrong(mask))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turn", [1, 2])
def test_a_seat_has_a_legal_action_until_the_end(way: Callable[..., Any], turn: int) -> None:
    def emptied(mask: Any, game: Any) -> Any:
        return mask * 0 if game.turn >= turn and game.seat == (turn - 1) % 3 else mask

    with pytest.raises(PromiseError, match=r"^action_mask .*has no legal action"):
        way(mask_as=emptied)


@pytest.mark.torch
def test_an_unknown_option_names_a_vec_envs_arguments_too() -> None:
    pytest.importorskip("stable_baselines3")
    from tests.adapters.broken_vec_env import BrokenVecEnv

    test_an_unknown_option_names_the_environments_own_arguments_too(BrokenVecEnv)


@pytest.mark.parametrize("made", [BrokenEnv, BrokenVectorEnv])
def test_an_unknown_option_names_the_environments_own_arguments_too(made: Any) -> None:
    own = "opponents, seat" if made is BrokenEnv else "num_envs, opponents, seat"
    with pytest.raises(
        TypeError, match=f"unknown option opponent; there are max_.* itself has {own}"
    ):
        made(opponent="random")


def test_a_batch_refuses_arguments_as_environments_do() -> None:
    for wrong, error in ((0, ValueError), (-1, ValueError), ("4", TypeError)):
        with pytest.raises(error, match=f"num_games is {wrong!r}; allowed are integers in 1.."):
            LearningBatch(Broken(), wrong)  # type: ignore[arg-type]
    for seed, error in ((-1, ValueError), ("7", TypeError)):
        with pytest.raises(error, match=f"seed is {seed!r}; allowed are"):
            LearningBatch(Broken(), 2, seed)  # type: ignore[arg-type]
        with pytest.raises(error, match=f"seed is {seed!r}; allowed are"):
            returns(Broken(), ["random"] * 3, 2, seed)  # type: ignore[arg-type]
    for made in (lambda: LearningBatch(Broken, 2), lambda: returns(Broken, ["random"] * 3, 2)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"options is the class .*; expected an object, Broken"):
            made()


@pytest.mark.parametrize("actions", [[0, 0], [0.0] * 4, [float("nan")] * 4, 0, [[0] * 4]])
def test_a_batch_takes_an_integer_for_each_game(actions: Any) -> None:
    batch = LearningBatch(Broken(), 4)
    with pytest.raises(TypeError, match=r"actions are 4 integers in 0\.\.2, not an array of"):
        batch.step(actions)
    batch.step([STAY, 0, 0, 0])
