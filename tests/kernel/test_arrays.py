"""Every game's batch refuses the arrays and numbers that its doors cannot take."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from catan_env import batch as catan
from catan_env.adapters.games import REFUSED
from catan_env.guests.hanabi import batch as hanabi
from catan_env.guests.hanabi.remembering import RememberingBatch
from catan_env.guests.renaissance import batch as renaissance
from catan_env.guests.renaissance.advised import AdvisedBatch
from catan_env.kernel.arrays import buffer, checked_numbers, checked_out, checked_seeds

MAKERS: dict[str, Callable[..., Any]] = {
    "Catan": lambda n=2, **options: catan.Batch(n, seats=3, **options),
    "Hanabi": lambda n=2, **options: hanabi.Batch(n, players=3, **options),
    "Renaissance": lambda n=2, **options: renaissance.Batch(n, seats=3, **options),
}
WRONG_IN_ALL: list[tuple[Callable[[Any], Any], str]] = [
    (lambda two: two.step([0.9, 1.2]), r"actions of shape \(2,\) and dtype float64; allowed"),
    (lambda two: two.play([0]), r"actions of shape \(1,\) and dtype int64; allowed are \(2,\) int"),
    (lambda two: two.observe([0, 3]), r"seats\[1\] is 3; allowed are 0\.\.2"),
    (lambda two: two.observe([256, 0]), r"seats\[0\] is 256; allowed are 0\.\.2"),
    (lambda two: two.observe([-1, 0]), r"seats\[0\] is -1; allowed are 0\.\.2"),
    (lambda two: two.observe([0]), r"seats of shape \(1,\) and dtype int64; allowed are \(2,\)"),
    (lambda two: two.observation(2, 0), r"i is 2; allowed are 0\.\.1"),
    (lambda two: two.observation(0, 3), r"seat is 3; allowed are 0\.\.2"),
    (lambda two: two.begin(2, 0), r"i is 2; allowed are 0\.\.1"),
    (lambda two: two.begin(-1, 0), r"i is -1; allowed are 0\.\.1"),
    (lambda two: two.begin(0, -1), r"seed is -1; allowed are 0\.\.2\*\*64 - 1"),
    (lambda two: two.reset(0.5), r"seed is 0\.5; allowed are whole numbers"),
    (lambda two: two.reset([1]), r"seeds of shape \(1,\) and dtype uint64; allowed are \(2,\)"),
    (lambda two: two.reset(np.array([1, -2])), r"seeds\[1\] is -2; allowed are 0\.\.2\*\*64 - 1"),
]
WRONG_OUT: list[tuple[Callable[[Any], Any], str]] = [
    (lambda two: two.sample_legal(np.zeros(1, np.int64)), r"out of shape \(1,\) and dtype int64"),
    (lambda two: two.sample_legal(np.zeros(2, np.int32)), r"out of shape \(2,\) and dtype int32"),
    (lambda two: two.observe([0, 1], np.zeros((1, 5), np.int8)), r"out of shape \(1, 5\)"),
]
WRONG_OTHERS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda two: two.play_others([256, 256]), r"seats\[0\] is 256; allowed are 0\.\.2"),
]
WRONG_PICKS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda two: two.pick_others([0, 3], [0, 0]), r"seats\[1\] is 3; allowed are"),
    (lambda two: two.pick_others([0, 1], [0]), r"picks of shape \(1,\) and dtype int64; allowed"),
]
CALLS = [
    *((game, *row) for game in MAKERS for row in WRONG_IN_ALL),
    *((game, *row) for game in MAKERS for row in WRONG_OUT),
    *((game, *row) for game in ("Catan", "Hanabi") for row in WRONG_OTHERS),
    *((game, *row) for game in ("Hanabi", "Renaissance") for row in WRONG_PICKS),
    ("Renaissance", lambda two: two.view(0, 3), r"seat is 3; allowed are 0\.\.2"),
    ("Renaissance", lambda two: two.view(2, 0), r"i is 2; allowed are 0\.\.1"),
]


@pytest.mark.parametrize(("game", "wrong", "said"), CALLS)
def test_invalid_arguments_are_refused_and_change_nothing(
    game: str, wrong: Callable[[Any], Any], said: str
) -> None:
    two = MAKERS[game](seed=1)
    before = two.states.tobytes(), two.seeds.tobytes()
    with pytest.raises((ValueError, TypeError), match=said):
        wrong(two)
    assert (two.states.tobytes(), two.seeds.tobytes()) == before


@pytest.mark.parametrize("game", MAKERS)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n": 0}, "num_games is 0; allowed are 1 or more"),
        ({"n": 2.0}, r"num_games is 2\.0; allowed are whole numbers"),
        ({"threads": 0}, "threads is 0; allowed are 1 or more"),
        ({"seed": -1}, r"seed is -1; allowed are 0\.\.2\*\*64 - 1"),
        ({"autoreset": "no"}, "autoreset is 'no'; allowed are True and False"),
        ({"observations": "no"}, "observations is 'no'; allowed is a contiguous, writeable"),
        ({"action_masks": np.zeros((2, 3), np.int8)}, r"action_masks of shape \(2, 3\) and"),
    ],
)
def test_invalid_options_are_refused(game: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        MAKERS[game](**options)


WIDER: dict[str, Callable[..., Any]] = MAKERS | {
    "Hanabi with memory": lambda n=2, **options: RememberingBatch(n, players=3, **options),
    "Renaissance with advice": lambda n=2, **options: AdvisedBatch(n, seats=3, **options),
}


@pytest.mark.parametrize("game", WIDER)
def test_a_batch_writes_to_the_arrays_that_it_is_given(game: str) -> None:
    own = WIDER[game](seed=1)
    given = {name: np.empty_like(getattr(own, name)) for name in ("observations", "action_masks")}
    batch = WIDER[game](seed=1, **given)
    for _ in range(20):
        for name, array in given.items():
            assert getattr(batch, name) is array and np.array_equal(array, getattr(own, name))
        batch.step(own.sample_legal())
        own.step(own.actions)
    batch.refresh()
    assert np.array_equal(given["observations"], own.observations)


@pytest.mark.parametrize("game", WIDER)
def test_a_batch_without_observations_plays_the_same_games(game: str) -> None:
    whole, bare = WIDER[game](seed=1), WIDER[game](seed=1, observations=False, action_masks=False)
    for _ in range(20):
        assert bare.observations is bare.action_masks is None
        bare.step(whole.sample_legal())
        whole.step(whole.actions)
    bare.refresh()
    assert bare.states.tobytes() == whole.states.tobytes()


@pytest.mark.parametrize("game", WIDER)
def test_a_copy_of_a_batch_shows_what_the_batch_shows(game: str) -> None:
    batch = WIDER[game](seed=1)
    batch.step(batch.sample_legal())
    again = copy.copy(batch)
    for _ in range(3):
        assert np.array_equal(again.observations, batch.observations)
        again.step(batch.sample_legal())
        batch.step(batch.actions)


@pytest.mark.parametrize("game", MAKERS)
def test_observations_and_samples_are_written_to_a_given_array(game: str) -> None:
    batch, again = MAKERS[game](seed=1), MAKERS[game](seed=1)
    out, drawn = np.empty_like(batch.observations), np.empty(2, np.int64)
    assert batch.observe([0, 2], out) is out
    assert np.array_equal(out, again.observe([0, 2]))
    assert batch.sample_legal(drawn) is drawn
    assert np.array_equal(drawn, again.sample_legal())


@pytest.mark.parametrize("game", MAKERS)
def test_no_number_beyond_the_actions_counts_as_stay(game: str) -> None:
    one = MAKERS[game](1, seed=1)
    before = one.states.tobytes()
    for beyond in (2**64 - 1, 2**63, 2**32):
        one.step(np.array([beyond], np.uint64))
        assert one.done.tolist() == [REFUSED] and one.states.tobytes() == before


@pytest.mark.parametrize("game", MAKERS)
def test_every_64_bits_are_a_seed(game: str) -> None:
    two = MAKERS[game]()
    for seeds in ([5, 2**64 - 1], np.array([0, 2**64 - 1, 5], np.uint64)[::-2]):
        two.reset(seeds)
        assert two.seeds.tolist() == two.states["seed"].tolist() == list(map(int, seeds))
    two.begin(0, 2**64 - 1)
    assert two.states["seed"][0] == 2**64 - 1


def test_a_checked_array_is_itself_if_doors_can_take_it() -> None:
    numbers = np.arange(3)
    assert checked_numbers("actions", numbers, 3) is numbers
    assert checked_numbers("actions", numbers[::-1], 3).flags.carray
    out = np.zeros((2, 4), np.int8)
    assert checked_out("out", out, (2, 4), np.int8) is out is buffer("out", out, (2, 4))
    assert buffer("out", False, (2, 4)) is None
    seeds = np.array([1, 2], np.uint64)
    assert checked_seeds(seeds, 2) is not seeds, "the batch writes to its seeds"
