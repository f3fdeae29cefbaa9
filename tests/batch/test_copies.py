"""A copy of a batch, however made, has its own arrays and the same future."""

import copy
import multiprocessing
import os
import pickle

import numpy as np
import pytest

from catan_env.batch import Batch, DoubleBatch

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}
SHOWN = ("seat", "rewards", "done", "winner", "turns", "masks", "observations", "action_masks")

each_way = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def future(games: Batch, steps: int = 120) -> list[bytes]:
    """The arrays' contents over a number of steps."""
    shown = []
    for _ in range(steps):
        games.step(games.sample_legal())
        shown += [getattr(games, name).tobytes() for name in SHOWN]
    return shown


@each_way
@pytest.mark.parametrize("threads", [1, 2])
def test_copy_and_original_have_the_same_future(copied, threads: int) -> None:
    games = Batch(6, seats=2, rules="duel", seed=3, max_turns=30, threads=threads)
    future(games)
    other = copied(games)
    assert future(other) == future(games)


@each_way
def test_a_copy_shares_no_memory(copied) -> None:
    games = Batch(2, seats=3, seed=1)
    other = copied(games)
    for name in (*SHOWN, "states", "seeds", "actions", "results"):
        assert not np.shares_memory(getattr(games, name), getattr(other, name)), name
    before = games.states.tobytes()
    future(other)
    assert games.states.tobytes() == before


@each_way
def test_a_copy_of_two_halves_continues_from_their_state(copied) -> None:
    pair = DoubleBatch(4, seats=2, seed=3)
    for _ in range(5):
        half = pair.ready()
        pair.submit(half.sample_legal())
    other = copied(pair)
    for _ in range(20):
        one, two = pair.ready(), other.ready()
        assert one.states.tobytes() == two.states.tobytes()
        pair.submit(one.sample_legal())
        other.submit(two.sample_legal())


def play_on(games: Batch | DoubleBatch) -> bytes:
    if isinstance(games, Batch):
        return b"".join(future(games, 20))
    shown = b""
    for _ in range(20):
        half = games.ready()
        shown += half.states.tobytes()
        games.submit(half.sample_legal())
    return shown


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.parametrize("kind", [Batch, DoubleBatch])
def test_a_forked_child_continues_with_its_own_threads(kind) -> None:
    options = {"threads": 3} if kind is Batch else {}
    games = kind(6, seats=2, seed=5, **options)
    play_on(games)
    with multiprocessing.get_context("fork").Pool(1) as child:
        shown = child.apply_async(play_on, (games,)).get(timeout=120)
        assert shown == play_on(games)


def test_without_a_seed_one_is_drawn_and_stored() -> None:
    one, other = Batch(3, seats=2), Batch(3, seats=2)
    assert one.seeds.tolist() != other.seeds.tolist()
    again = Batch(3, seats=2, seed=one.seeds)
    assert again.states.tobytes() == one.states.tobytes()
