"""A function that decides in some games leaves the masks of all as they were."""

import numpy as np
import pytest

from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.masks import only
from catan_env.batch import Batch
from catan_env.guests.hanabi.batch import Batch as HanabiBatch
from examples.fourth_game import Options


@pytest.mark.parametrize("games", [Batch(6, seed=1), HanabiBatch(6, seed=1)])
def test_only_these_games_have_a_mask_in_the_block(games) -> None:
    before = games.masks.copy()
    with only(games, np.array([4, 1])):
        np.testing.assert_array_equal(games.masks[[1, 4]], before[[1, 4]])
        assert not games.masks[[0, 2, 3, 5]].any()
    np.testing.assert_array_equal(games.masks, before)


def test_games_without_packed_masks_have_action_masks_in_these_games_only() -> None:
    games = LearningBatch(Options(), 6, seed=1)
    before = games.action_masks.copy()
    with only(games, np.array([4, 1])):
        np.testing.assert_array_equal(games.action_masks[[1, 4]], before[[1, 4]])
        assert not games.action_masks[[0, 2, 3, 5]].any()
    np.testing.assert_array_equal(games.action_masks, before)


def test_after_an_error_in_the_block_the_masks_are_as_before() -> None:
    games = Batch(6, seed=1)
    before = games.masks.copy()
    with pytest.raises(ValueError, match="no weights"), only(games, np.array([4, 1])):
        raise ValueError("no weights")
    np.testing.assert_array_equal(games.masks, before)
