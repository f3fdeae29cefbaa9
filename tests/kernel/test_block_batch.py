"""Batches of every game are copied and pickled by value, on whole cache lines."""

import copy
import pickle

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.guests.hanabi.batch import Batch as HanabiBatch
from catan_env.guests.renaissance import Batch as RenaissanceBatch
from catan_env.kernel.memory import CACHE_LINE

GAMES = (Batch, HanabiBatch, RenaissanceBatch)


def unpickled(batch):
    return pickle.loads(pickle.dumps(batch))


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__module__)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, unpickled])
def test_a_copy_plays_on_its_own(kind, copied):
    batch = kind(8, seed=1)
    for _ in range(20):
        batch.step(batch.sample_legal())
    twin, before = copied(batch), batch.states.tobytes()
    for name in twin.BLOCKS:
        assert getattr(twin, name).ctypes.data % CACHE_LINE == 0
    actions = [twin.sample_legal().copy()]
    twin.step(actions[0])
    assert batch.states.tobytes() == before
    np.testing.assert_array_equal(batch.sample_legal(), actions[0])
    batch.step(actions[0])
    assert batch.states.tobytes() == twin.states.tobytes()
    np.testing.assert_array_equal(batch.observations, twin.observations)
    np.testing.assert_array_equal(batch.rewards, twin.rewards)


def renamed(blocks):
    """The same bytes with other names of fields."""
    fields = blocks.dtype.fields
    older = {
        "names": [f"older_{name}" for name in fields],
        "formats": [dtype for dtype, _ in fields.values()],
        "offsets": [offset for _, offset in fields.values()],
        "itemsize": blocks.dtype.itemsize,
    }
    return blocks.view(np.dtype(older))


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__module__)
def test_a_pickle_omits_what_is_derived_and_may_have_older_names(kind):
    batch = kind(4, seed=1)
    state = batch.__getstate__()
    assert batch.DERIVED.isdisjoint(state)
    older = kind.__new__(kind)
    older.__setstate__(state | {name: renamed(state[name]) for name in batch.BLOCKS})
    older.step(older.sample_legal())
    batch.step(batch.sample_legal())
    assert older.states.tobytes() == batch.states.tobytes()
