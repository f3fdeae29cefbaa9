"""The flat index and its actions."""

import pickle

import numpy as np
import pytest

from catan_env import NUM_ACTIONS, Action, ActionKind, Resource


def test_index_and_from_index_are_inverse() -> None:
    actions = [Action.from_index(index) for index in range(NUM_ACTIONS)]
    assert [action.index for action in actions] == list(range(NUM_ACTIONS))
    assert len(set(actions)) == len({str(action) for action in actions}) == NUM_ACTIONS
    assert [action.kind for action in actions] == sorted(action.kind for action in actions)


@pytest.mark.parametrize("index", [-1, NUM_ACTIONS])
def test_there_is_no_action_with_another_index(index: int) -> None:
    with pytest.raises(ValueError, match=r"0\.\.847"):
        Action.from_index(index)


def test_an_index_may_be_a_numpy_integer() -> None:
    assert Action.from_index(np.int64(7)) == Action.play_year_of_plenty(0, 0)


def test_actions_survive_pickling() -> None:
    for index in range(NUM_ACTIONS):
        action = Action.from_index(index)
        assert pickle.loads(pickle.dumps(action)) == action


@pytest.mark.parametrize(
    "action",
    [
        Action.offer(1, {Resource.ORE: 4}, Resource.WOOL),
        Action.offer(2, {Resource.ORE: 1, Resource.BRICK: 1}, Resource.WOOL),
        Action.offer(3, Resource.ORE, {Resource.WOOL: 4}),
        Action.bank_trade(Resource.ORE, Resource.WOOL, rate=3),
        Action.time_out(),
        Action.leave(),
    ],
)
def test_actions_outside_the_flat_space_have_no_index(action: Action) -> None:
    assert action.index is None


def test_every_kind_but_the_tables_own_has_an_index() -> None:
    kinds = {Action.from_index(index).kind for index in range(NUM_ACTIONS)}
    assert set(ActionKind) - kinds == {ActionKind.TIME_OUT, ActionKind.LEAVE}
