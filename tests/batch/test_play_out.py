"""Whole games played natively equal games played step by step, on any number of threads."""

import signal
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from catan_env import Board, Game
from catan_env.batch import NOBODY, Batch, PlayOut, game_seeds, play_out
from catan_env.core import batch as doors
from catan_env.kernel.rng import PICK_STREAM
from tests.kernel.test_rng import splitmix64

TABLES = [
    {"seats": 2, "rules": "duel"},
    {"seats": 2, "rules": "base", "board": "random_tokens"},
    {"seats": 3, "rules": "base", "board": "beginner"},
    {"seats": 4, "rules": "base"},
    {"seats": 4, "rules": "tournament"},
]
tables = pytest.mark.parametrize("table", TABLES, ids=lambda t: f"{t['seats']}-{t['rules']}")


def games_of(result: PlayOut) -> list[tuple[int, int, int]]:
    """Winner, turns and decisions of each game."""
    return [tuple(int(n) for n in row) for row in zip(*result, strict=True)]


def step_by_step(seed: int, table: dict) -> tuple[int | None, int, int]:
    """Winner, turns and decisions of a game whose random actions follow from its seed."""
    game, decisions = Game(seed=seed, **table), 0
    while not game.is_over:
        legal = game.legal_actions.indices
        random = splitmix64(splitmix64(seed, PICK_STREAM + decisions), 0)
        game.play(legal[(random >> 32) * len(legal) >> 32])
        decisions += 1
    return game.winner, game.turn, decisions


def in_lockstep(games: int, seed: int, table: dict) -> tuple[list[int], list[int]]:
    """Winners and turns of games played by the engine alone."""
    batch = Batch(games, seed=seed, autoreset=False, observations=False, **table)
    batch.play_others(np.full(games, NOBODY, np.int8))
    return batch.winner.tolist(), batch.turns.tolist()


@tables
def test_a_game_is_the_one_of_its_seed_played_step_by_step(table: dict) -> None:
    seeds = [int(seed) for seed in game_seeds(5, 3)]
    played = games_of(play_out(3, seed=5, **table))
    assert played == [step_by_step(seed, table) for seed in seeds]


@tables
def test_games_are_the_same_as_in_lockstep(table: dict, games: int) -> None:
    n = games // 20
    result = play_out(n, seed=3, **table)
    assert (result.winners.tolist(), result.turns.tolist()) == in_lockstep(n, 3, table)


@tables
def test_threads_change_nothing(table: dict, games: int) -> None:
    one, two, three = (
        play_out(games // 10, seed=9, threads=threads, **table) for threads in (1, 2, 3)
    )
    for single, double, triple in zip(one, two, three, strict=True):
        assert single.tobytes() == double.tobytes() == triple.tobytes()


def test_a_game_does_not_depend_on_the_number_of_later_games() -> None:
    few, many = play_out(5, seats=3, seed=2), play_out(40, seats=3, seed=2, threads=3)
    assert games_of(few) == games_of(many)[:5]
    assert games_of(few) != games_of(play_out(5, seats=3, seed=3))


def test_more_threads_than_games_play_each_game_once() -> None:
    few = play_out(2, seats=2, seed=1, threads=5)
    assert games_of(few) == games_of(play_out(2, seats=2, seed=1))


@pytest.mark.parametrize("games", [1, 7, 300, 5000])
@pytest.mark.parametrize("threads", [1, 3, 50])
def test_every_game_is_played_once_in_parts_of_at_most_256(games: int, threads: int) -> None:
    parts: list[tuple[int, int]] = []
    play_out(games, threads=threads, policy=lambda *of_games: parts.append(of_games[-2:]))
    assert [k for part in sorted(parts) for k in range(*part)] == list(range(games))
    assert max(stop - start for start, stop in parts) <= 256


PARTS = 100_000 // 256
"""The parts in which the games below are played."""


class Stops:
    """An error in the main thread or another one; the others finish their parts first."""

    def __init__(self, in_main_thread: bool, happening) -> None:
        self.in_main_thread, self.happening = in_main_thread, happening
        self.happened = threading.Event()
        self.played = 0

    def __call__(self, *of_games) -> None:
        if (threading.current_thread() is threading.main_thread()) == self.in_main_thread:
            try:
                self.happening()
            finally:
                self.happened.set()
        self.happened.wait(60)
        self.played += 1
        time.sleep(0.001)  # lets the thread run in which it happens
        doors.play_out(*of_games)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Python's own handler of SIGINT, which a suite started in the background inherits ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def fail() -> None:
    raise OverflowError("too much")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_ends_it_between_two_parts(threads: int) -> None:
    policy, before = Stops(True, interrupt), threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        play_out(30_000, seats=2, threads=threads, policy=policy)
    assert policy.played < PARTS / 4 and threading.active_count() <= before


@pytest.mark.parametrize("in_main_thread", [True, False])
def test_no_thread_plays_on_after_an_error_in_another(in_main_thread: bool) -> None:
    policy, before = Stops(in_main_thread, fail), threading.active_count()
    with pytest.raises(OverflowError, match="too much"):
        play_out(30_000, seats=2, threads=3, policy=policy)
    assert policy.played < PARTS / 4 and threading.active_count() <= before


def test_given_arrays_have_an_entry_for_each_game() -> None:
    result = play_out(50, seats=3, seed=1)
    assert [array.dtype for array in result] == [np.int8, np.int32, np.int32]
    assert all(array.shape == (50,) for array in result)
    assert result.games == 50 == sum(result.wins) and result.cut_off == 0
    assert result.wins[3] == 0
    assert result.total_turns == sum(result.turns) < sum(result.decisions)
    assert result.total_decisions == sum(result.decisions)


def test_a_game_is_cut_off_at_the_turn_limit() -> None:
    whole = play_out(40, seats=3, seed=2)
    limit = int(np.median(whole.turns))
    result = play_out(40, seats=3, seed=2, max_turns=limit)
    cut = whole.turns > limit
    assert 0 < result.cut_off == cut.sum() < 40 == result.cut_off + sum(result.wins)
    assert np.array_equal(result.winners, np.where(cut, NOBODY, whole.winners))
    assert np.array_equal(result.turns, np.where(cut, limit + 1, whole.turns))
    assert (result.decisions[cut] < whole.decisions[cut]).all()


def test_without_a_turn_only_the_set_up_is_played() -> None:
    result = play_out(2, seats=4, seed=1, max_turns=0)
    assert result.turns.tolist() == [1, 1] and result.decisions.tolist() == [16, 16]


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_every_64_bits_are_a_seed(seed: int) -> None:
    table = {"seats": 2, "rules": "duel", "board": Board.beginner()}
    first = splitmix64(seed, 0)
    assert game_seeds(seed, 1) == [first]
    assert games_of(play_out(1, seed=seed, **table)) == [step_by_step(first, table)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"games": 0}, "games is 0; allowed are 1 or more"),
        ({"games": 2.0}, r"games is 2\.0; allowed are whole numbers"),
        ({"games": "4"}, "games is '4'; allowed are whole numbers"),
        ({"games": None}, "games is None; allowed are whole numbers"),
        ({"threads": 1.5}, r"threads is 1\.5; allowed are whole numbers"),
        ({"max_turns": 1.5}, r"max_turns is 1\.5; allowed are whole numbers"),
        ({"seed": 2.5}, r"seed is 2\.5; allowed are whole numbers"),
        (
            {"policy": PlayOut},
            "policy is <class .*>; played out are 'random' and functions called as",
        ),
        ({"policy": None}, "policy is None; played out are 'random' and functions called as"),
        ({"threads": 0}, "threads is 0; allowed are 1 or more"),
        ({"max_turns": -1}, "max_turns is -1; allowed are 0 or more"),
        ({"seed": -1}, "seed is -1; allowed are 0"),
        ({"seats": 5}, "5 seats; allowed are 2, 3 and 4"),
        ({"rules": "chess"}, "unknown rules 'chess'; allowed are"),
        ({"board": "round"}, "unknown board 'round'; allowed are"),
        (
            {"policy": "builder"},
            "policy is 'builder'; played out are 'random' and functions called as",
        ),
    ],
)
def test_invalid_arguments_of_play_out_are_refused_with_a_message(wrong: dict, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        play_out(**({"games": 5} | wrong))
