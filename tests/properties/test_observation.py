"""The named fields cover the whole observation."""

from math import prod

import numpy as np
import pytest

from catan_env import OBSERVATION_SIZE, named_observation
from catan_env.core.observation import LAYOUT


def test_the_named_fields_cover_the_vector_each_place_once() -> None:
    vector = np.arange(OBSERVATION_SIZE)
    named = named_observation(vector)
    assert list(named) == [field.name for field in LAYOUT]
    assert [named[field.name].shape for field in LAYOUT] == [field.shape for field in LAYOUT]
    assert np.array_equal(np.concatenate([part.ravel() for part in named.values()]), vector)
    assert sum(prod(field.shape) for field in LAYOUT) == OBSERVATION_SIZE


def test_the_named_fields_are_views_of_a_whole_batch() -> None:
    batch = np.zeros((2, 3, OBSERVATION_SIZE), np.int8)
    named_observation(batch)["pieces"][1, 2, 3, 0] = 7
    assert batch.sum() == 7


@pytest.mark.parametrize("shape", [(), (OBSERVATION_SIZE - 1,), (OBSERVATION_SIZE, 2)])
def test_an_array_of_another_size_is_not_an_observation(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="last axis"):
        named_observation(np.zeros(shape, np.int8))
