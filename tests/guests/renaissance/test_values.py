"""`greedy`'s values: each call's own, in several threads and after the next call."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from catan_env.guests.renaissance.advised import advise
from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.learning import prospects, rank
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import views_of


def games(seed: int) -> Batch:
    """Many games in progress."""
    batch = Batch(200, seats=3, seed=seed)
    for _ in range(60):
        batch.step(batch.sample_legal())
    return batch


@pytest.mark.parametrize(
    "ask",
    [lambda batch: advise(views_of(batch.states)), lambda batch: rank(batch, 1)[1], prospects],
    ids=["advice", "rank", "prospects"],
)
def test_two_threads_get_the_values_that_one_gets(ask: Callable[[Batch], Array]) -> None:
    batches = [games(1), games(2)]
    alone = [ask(batch) for batch in batches]
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda batch: [ask(batch) for _ in range(20)], batches))
    for known, found in zip(alone, both, strict=True):
        assert all(np.array_equal(known, one) for one in found)


def test_the_values_of_a_view_remain_after_those_of_another() -> None:
    batch, greedy = games(3), Greedy()
    values = greedy.values(batch.view(0, int(batch.seat[0])))
    before = values.copy()
    greedy.values(batch.view(1, int(batch.seat[1])))
    assert np.array_equal(values, before)
