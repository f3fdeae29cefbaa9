"""Games in lockstep equal single games, on any number of threads, compiled or not."""

from collections.abc import Callable
from concurrent.futures import wait
from typing import Any

import numpy as np
import pytest

from catan_env import Game, IllegalActionError, Rules
from catan_env.batch import (
    CUT_OFF,
    ENDED,
    GOES_ON,
    NOBODY,
    REFUSED,
    STAY,
    Batch,
    DoubleBatch,
    game_seeds,
)
from catan_env.core import batch as doors
from catan_env.core.doors import observe_game
from catan_env.kernel.jit import JIT
from catan_env.kernel.rng import below_at, word_at
from tests.engines import said_by_both

SHORT = {"seats": 2, "rules": "duel", "max_turns": 30}
FEW_POINTS = Rules("few points", points_to_win=4)
DIGEST = """
import hashlib
from catan_env.batch import Batch
batch = Batch(3, seats=2, rules="duel", seed=4, max_turns=30)
for _ in range(300):
    batch.step(batch.sample_legal())
arrays = (batch.states, batch.observations, batch.action_masks, batch.rewards, batch.done)
print(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest())
"""


def test_the_old_name_of_an_end_works_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"batch\.WON is now .*\.ENDED") as seen:
        from catan_env.batch import WON
    assert WON == ENDED and seen[0].filename == __file__
    with pytest.raises(ImportError):
        from catan_env.batch import LOST  # noqa: F401


@pytest.mark.parametrize("rules", ["base", "tournament"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_place_plays_the_game_of_its_seed(seats: int, rules: str) -> None:
    batch = Batch(3, seats=seats, rules=rules, seed=seats, autoreset=False)
    games = [Game(seats=seats, rules=rules, seed=int(seed)) for seed in batch.seeds]
    for _ in range(400):
        actions = batch.sample_legal()
        for game, action in zip(games, actions, strict=True):
            if action != STAY:
                game.play(int(action))
        batch.step(actions)
        for i, game in enumerate(games):
            assert game.state_bytes() == batch.states[i : i + 1].tobytes()
            assert np.array_equal(batch.observations[i], game.observe(game.seat))
            assert np.array_equal(batch.action_masks[i], game.action_mask)
            assert batch.seat[i] == game.seat


def test_a_sample_is_the_legal_action_whose_number_is_drawn() -> None:
    batch, drawn = Batch(64, seed=5), set()
    for count in range(1, 400):
        actions = batch.sample_legal()
        for i in range(batch.num_games):
            legal = np.flatnonzero(batch.action_masks[i])
            word = np.uint64(word_at(batch._seed, (count << 24) + i)).view(np.int64)
            assert actions[i] == legal[below_at(int(word), 0, len(legal))]
            drawn.add(len(legal))
        batch.step(actions)
    assert 1 in drawn and max(drawn) > 300


def test_threads_change_nothing() -> None:
    one, three = Batch(50, seed=3), Batch(50, seed=3, threads=3)
    for _ in range(1500):
        one.step(one.sample_legal())
        three.step(three.sample_legal())
    assert one.states.tobytes() == three.states.tobytes()
    assert np.array_equal(one.observations, three.observations)


def test_the_interpreted_batch_gives_the_same_bytes() -> None:
    assert len(said_by_both(DIGEST)) == 1


def test_a_finished_game_pays_every_seat_and_restarts() -> None:
    batch = Batch(64, seats=3, seed=1, observations=False, action_masks=False)
    won = 0
    while won < 20:
        before = batch.turns.copy()
        batch.step(batch.sample_legal())
        for i in np.flatnonzero(batch.done == ENDED):
            won += 1
            winner = int(batch.winner[i])
            assert batch.rewards[i, winner] == 1
            assert batch.rewards[i].sum() == 0 and batch.rewards[i, 3] == 0
            assert batch.turns[i] != before[i] and batch.states["turn"][i] == 0
        assert not batch.rewards[batch.done == GOES_ON].any()


@pytest.mark.parametrize("options", [SHORT, {"seats": 3, "rules": FEW_POINTS, "max_turns": 400}])
def test_with_autoreset_each_place_plays_one_game_of_its_seeds_after_another(options: dict) -> None:
    """The arrays show what the games of Game show, step by step."""
    batch = Batch(3, seed=6, **options)
    table = {"seats": options["seats"], "rules": options.get("rules")}
    games = [Game(seed=int(seed), **table) for seed in batch.seeds]
    ended = 0
    for _ in range(700):
        actions = batch.sample_legal()
        batch.step(actions)
        for i, action in enumerate(actions.tolist()):
            game = games[i]
            game.play(action)
            is_cut_off = not game.is_over and game.turn > options["max_turns"]
            assert batch.done[i] == (ENDED if game.is_over else CUT_OFF if is_cut_off else GOES_ON)
            assert batch.rewards[i].tolist() == pytest.approx(due(game))
            if batch.done[i] != GOES_ON:
                ended += 1
                winner = NOBODY if game.winner is None else game.winner
                assert (batch.turns[i], batch.winner[i]) == (game.turn, winner)
                game = games[i] = Game(seed=int(game_seeds(game.seed, 2)[1]), **table)
            assert batch.seat[i] == game.seat
            assert np.array_equal(batch.observations[i], game.observe(game.seat))
            assert np.array_equal(batch.action_masks[i], game.action_mask)
    assert ended > 2


def due(game: Game) -> list[float]:
    """Rewards by seat, of four: 1 to the winner, -1 shared by the others, once there is one."""
    if game.winner is None:
        return [0.0] * 4
    loss = -1 / (game.seats - 1)
    rewards = [1.0 if seat == game.winner else loss for seat in range(game.seats)]
    return rewards + [0.0] * (4 - game.seats)


def test_a_reset_leaves_nothing_of_the_games_before() -> None:
    batch = Batch(32, seats=2, rules="duel", seed=2)
    while not (batch.done == ENDED).any():
        batch.step(batch.sample_legal())
    batch.reset(7)
    assert not batch.rewards.any() and not batch.done.any()
    for i, seed in enumerate(batch.seeds):
        game = Game(seats=2, rules="duel", seed=int(seed))
        assert np.array_equal(batch.observations[i], game.observe(game.seat))


def test_a_game_is_cut_off_at_the_turn_limit() -> None:
    batch = Batch(4, seed=2, **SHORT)
    while not (batch.done == CUT_OFF).any():
        batch.step(batch.sample_legal())
    (i, *_) = np.flatnonzero(batch.done == CUT_OFF)
    assert batch.turns[i] == 31 and batch.winner[i] == -1 and not batch.rewards[i].any()


def test_a_finished_game_stays_until_it_is_reset() -> None:
    batch = Batch(2, seed=2, autoreset=False, **SHORT)
    while not batch.done.any():
        batch.step(batch.sample_legal())
    (i, *_) = np.flatnonzero(batch.done)
    assert batch.states["turn"][i] == 31
    batch.reset_finished()
    assert batch.states["turn"][i] == 0
    game = batch.game(int(i))
    assert np.array_equal(batch.observations[i], game.observe(int(batch.seat[i])))
    assert np.array_equal(batch.action_masks[i], game.action_mask)


@pytest.mark.parametrize("action", [0, 847, 848, -2, 10**12])
def test_an_action_outside_the_mask_is_refused_and_changes_nothing(action: int) -> None:
    batch = Batch(2, seed=5)
    before = batch.states.tobytes()
    batch.step(np.array([action, STAY]))
    assert list(batch.done) == [REFUSED, GOES_ON]
    assert batch.states.tobytes() == before
    with pytest.raises((IllegalActionError, ValueError)):
        batch.game(0).play(action)


def test_picks_are_uniform_over_the_legal_actions() -> None:
    batch = Batch(4096, seed=6, seats=2, observations=False)
    picks = np.bincount(batch.sample_legal(), minlength=848)
    assert picks[52:106].sum() == 4096
    expected = 4096 / 54
    assert ((picks[52:106] - expected) ** 2 / expected).sum() < 100  # chi-square, 53 degrees


def test_others_play_until_the_seat_decides() -> None:
    batch = Batch(32, seats=4, seed=7)
    seats = np.arange(32, dtype=np.int8) % 4
    for _ in range(200):
        batch.play_others(seats)
        batch.refresh()
        assert np.array_equal(batch.seat, seats)
        batch.step(batch.sample_legal())


def wait_for(pair: DoubleBatch) -> None:
    wait([step for step in pair._steps if step is not None])


def test_two_halves_are_two_batches() -> None:
    pair = DoubleBatch(8, seats=2, seed=3)
    for _ in range(40):
        pair.submit(pair.ready().sample_legal().copy())
    wait_for(pair)
    for half, seeds in zip(pair.halves, np.split(game_seeds(3, 8), 2), strict=True):
        alone = Batch(4, seats=2, seed=seeds)
        for _ in range(20):
            alone.step(alone.sample_legal())
        assert half.states.tobytes() == alone.states.tobytes()
        assert np.array_equal(half.observations, alone.observations)


def test_two_halves_write_to_halves_of_the_given_arrays() -> None:
    observations, masks = np.zeros((6, 913), np.int8), np.zeros((6, 848), np.int8)
    given: dict[str, Any] = {"observations": observations, "action_masks": masks}
    pair = DoubleBatch(6, seed=np.arange(6), **given)
    whole = Batch(6, seed=np.arange(6))
    assert np.array_equal(observations, whole.observations)
    assert np.array_equal(masks, whole.action_masks)
    pair.submit(np.full(3, 60))
    pair.submit(np.full(3, STAY))
    wait_for(pair)
    whole.step([60, 60, 60, STAY, STAY, STAY])
    assert np.array_equal(observations, whole.observations)
    assert np.array_equal(masks, whole.action_masks)
    bare = DoubleBatch(2, observations=False, action_masks=False)
    assert all(half.observations is half.action_masks is None for half in bare.halves)


def test_two_halves_refuse_bad_actions_when_they_are_submitted() -> None:
    pair = DoubleBatch(4, seed=1)
    half = pair.ready()
    with pytest.raises(ValueError, match=r"actions of shape \(4,\) and dtype int64; allowed"):
        pair.submit(np.zeros(4, np.int64))
    assert pair.ready() is half
    pair.submit(half.sample_legal())
    assert pair.ready() is not half


@pytest.mark.parametrize(
    ("num_games", "options", "said"),
    [
        (3, {}, "num_games is 3; two halves need an even number"),
        (0, {}, "num_games is 0; allowed are 2 or more"),
        ("x", {}, "num_games is 'x'; allowed are whole numbers"),
        (4, {"observations": np.zeros((2, 913), np.int8)}, r"writeable \(4, 913\) of int8"),
        (4, {"seed": np.arange(2)}, r"seeds of shape \(2,\) and dtype int64; allowed are \(4,\)"),
    ],
)
def test_an_odd_number_of_games_is_refused_with_a_message(num_games: Any, options: dict, said: str):
    with pytest.raises((ValueError, TypeError), match=said):
        DoubleBatch(num_games, **options)


READ_ONLY = np.zeros((2, 913), np.int8)
READ_ONLY.flags.writeable = False

REFUSALS: list[tuple[Callable[[Batch], Any], str]] = [
    (lambda two: two.sample_legal(np.zeros(4, np.int64)[::2]), r"allowed is a contiguous, write"),
    (lambda two: two.sample_legal([0, 0]), r"out is \[0, 0\]; allowed is a contiguous, writeable"),
    (lambda two: two.observe([0, 0], READ_ONLY), r"allowed is a contiguous, writeable \(2, 913\)"),
    (lambda two: two.play_others(np.zeros(1, np.int8)), r"seats of shape \(1,\) and dtype int8"),
    (lambda two: two.play_others(np.zeros(2)), r"seats of shape \(2,\) and dtype float64"),
    (lambda two: two.play_others([0, 3]), r"seats\[1\] is 3; allowed are 0\.\.2"),
    (lambda two: two.play_others([0, NOBODY]), r"seats\[1\] is -1; allowed are 0\.\.2"),
    (lambda two: two.view(-1, 0), r"i is -1; allowed are 0\.\.1"),
    (lambda two: two.view(0, 3), r"seat is 3; allowed are 0\.\.2"),
    (lambda two: two.game(2), r"i is 2; allowed are 0\.\.1"),
    (lambda two: two.game(0.5), r"i is 0\.5; allowed are whole numbers"),
]


@pytest.mark.parametrize(("wrong", "said"), REFUSALS)
def test_invalid_arguments_of_a_batch_are_refused_with_a_message(
    wrong: Callable, said: str
) -> None:
    two = Batch(2, seats=3, seed=1)
    before = two.states.tobytes(), two.seeds.tobytes()
    with pytest.raises((ValueError, TypeError), match=said):
        wrong(two)
    assert (two.states.tobytes(), two.seeds.tobytes()) == before


def test_seats_may_be_a_list_and_nobody_without_autoreset() -> None:
    two = Batch(2, seats=3, seed=1, autoreset=False)
    assert np.array_equal(two.observe([0, 1])[1], two.observation(1, 1))
    two.play_others([2, NOBODY])
    assert two.seat[0] == 2 and two.done[1] == ENDED


def frozen(actions: np.ndarray) -> np.ndarray:
    actions.flags.writeable = False
    return actions


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_no_kind_of_array_or_number_recompiles_a_door() -> None:
    native = (doors.step_games, doors.play_others, doors.observe_seats, observe_game)
    open_all_doors(Batch(2, seats=3, seed=1), np.full(2, STAY), np.zeros(2, np.int8))
    before = [len(door.signatures) for door in native]
    odd: dict[str, Any] = {"max_turns": np.int32(2000), "autoreset": np.True_}
    two = Batch(2, seats=3, seed=1, **odd)
    limitless = Batch(2, seats=3, seed=1, max_turns=2**63)
    for stays in (
        frozen(np.full(2, STAY)),
        np.full(4, STAY)[::2],
        np.full(2, STAY, np.int16),
        np.full(2, STAY, ">i8"),
        np.frombuffer(b"x" + np.full(2, STAY).tobytes(), np.int64, 2, 1),
        [STAY, STAY],
    ):
        for batch in (two, limitless):
            open_all_doors(batch, stays, np.zeros(4, np.int64)[::2])
    two.observation(np.int32(1), np.int8(0))
    assert [len(door.signatures) for door in native] == before


def open_all_doors(batch: Batch, actions: Any, seats: Any) -> None:
    batch.step(actions)
    assert (batch.done == GOES_ON).all()
    batch.play_others(seats)
    batch.observe(seats)
    batch.observation(0, 0)


def test_a_turn_limit_is_a_whole_number() -> None:
    with pytest.raises(ValueError, match="max_turns is -1; allowed are 0 or more"):
        Batch(2, max_turns=-1)
    with pytest.raises(TypeError, match=r"max_turns is 2\.5; allowed are whole numbers"):
        Batch(2, max_turns=2.5)


BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"num_games": -1}, "num_games is -1; allowed are 1 or more"),
    ({"threads": "2"}, "threads is '2'; allowed are whole numbers"),
    ({"seed": 2.5}, r"seed is 2\.5; allowed are whole numbers"),
    ({"seed": 2**64}, f"seed is {2**64}; allowed are 0"),
    ({"observations": [[0]]}, r"observations is \[\[0\]\]; allowed is a contiguous, writeable"),
    ({"observations": np.zeros((2, 5), np.int8)}, r"observations of shape \(2, 5\) and dtype int8"),
    ({"observations": READ_ONLY}, r"allowed is a contiguous, writeable \(2, 913\) of int8"),
    ({"action_masks": np.zeros((2, 848))}, r"action_masks of shape \(2, 848\) and dtype float64"),
]


@pytest.mark.parametrize(("wrong", "said"), BAD_OPTIONS)
def test_a_batch_of_invalid_options_is_refused_with_a_message(
    wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        Batch(**({"num_games": 2} | wrong))


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        (
            np.zeros(3, np.int64),
            r"seeds of shape \(3,\) and dtype int64; allowed are \(2,\) integers",
        ),
        (
            np.array([0.5, 2]),
            r"seeds of shape \(2,\) and dtype float64; allowed are \(2,\) integers",
        ),
        (np.array([3, -7]), r"seeds\[1\] is -7; allowed are 0\.\.2\*\*64 - 1"),
        ("4", "seed is '4'; allowed are whole numbers"),
    ],
)
def test_games_do_not_start_with_an_invalid_seed(seeds: Any, said: str) -> None:
    two = Batch(2, seed=1)
    before = two.states.tobytes(), two.seeds.tobytes()
    with pytest.raises((ValueError, TypeError), match=said):
        two.reset(seeds)
    with pytest.raises((ValueError, TypeError)):
        two.begin(0, seeds)
    assert (two.states.tobytes(), two.seeds.tobytes()) == before
