"""Without a seed, a reset continues the sequence of games that the first seed began."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from catan_env.batch import CUT_OFF, ENDED, Batch
from catan_env.guests.hanabi.batch import Batch as HanabiBatch
from catan_env.guests.hanabi.recorded import RecordedBatch
from catan_env.guests.hanabi.remembering import RememberingBatch
from catan_env.guests.renaissance import Batch as RenaissanceBatch
from catan_env.guests.renaissance.advised import AdvisedBatch

KINDS = {
    "catan": partial(Batch, max_turns=10),
    "hanabi": HanabiBatch,
    "recorded": RecordedBatch,
    "remembering": RememberingBatch,
    "renaissance": partial(RenaissanceBatch, max_rounds=3),
    "advised": partial(AdvisedBatch, max_rounds=3),
}
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def seeds_that_follow(batch: Any) -> np.ndarray:
    """The seeds of the second games, each of which begins at the end of the first."""
    found: dict[int, int] = {}
    while len(found) < batch.num_games:
        batch.step(batch.sample_legal())
        for i in np.flatnonzero((batch.done == ENDED) | (batch.done == CUT_OFF)).tolist():
            found.setdefault(i, int(batch.states["seed"][i]))
    return np.array([found[i] for i in range(batch.num_games)], np.uint64)


@kinds
def test_without_a_seed_the_games_begin_that_would_follow(kind: Any) -> None:
    batch = kind(4, seed=5)
    for _ in range(2):
        batch.step(batch.sample_legal())
        assert not batch.done.any()
    batch.reset()
    follow = kind(4, seed=seeds_that_follow(kind(4, seed=5)))
    assert np.array_equal(batch.seeds, follow.seeds)
    for _ in range(8):
        for name in ("observations", "action_masks", "seat", "rewards", "done"):
            assert np.array_equal(getattr(batch, name), getattr(follow, name)), name
        for each in (batch, follow):
            each.step(each.sample_legal())


@kinds
def test_without_a_seed_the_first_one_still_decides(kind: Any) -> None:
    def boards(seed: int) -> list[bytes]:
        batch, found = kind(4, seed=seed), []
        for _ in range(3):
            found.append(batch.observations.tobytes())
            batch.reset()
        return found

    assert boards(5) == boards(5)
    assert len({*boards(5), *boards(6)}) == 6


def test_a_batch_without_any_seed_plays_games_that_no_other_does() -> None:
    one, other = Batch(2), Batch(2)
    one.reset()
    other.reset()
    assert not {*one.seeds.tolist()} & {*other.seeds.tolist()}
