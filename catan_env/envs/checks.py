"""What is asked of the actions of many games before they are played."""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.errors import IllegalActionError

Array = np.ndarray[Any, Any]


def refusal_of(batch: Batch, i: int, action: int) -> str:
    """Why an action that is not legal in game i is refused, in words."""
    try:
        batch.game(i).play(action)
    except IllegalActionError as error:
        return str(error)
    raise AssertionError(f"the index {action} is legal")


def legal_actions(actions: Array, action_masks: Array) -> tuple[Array, Array]:
    """Actions brought inside the mask, (n,) int64, and which of them it allows, (n,) bool."""
    inside = (actions >= 0) & (actions < NUM_ACTIONS)
    index = np.where(inside, actions, 0).astype(np.int64)
    return index, inside & (action_masks[np.arange(len(index)), index] != 0)


def checked_actions(actions: Any, n: int) -> Array:
    """The actions as (n,) integers; TypeError when they are nothing of the kind."""
    array = np.asarray(actions)
    if array.shape != (n,) or not np.issubdtype(array.dtype, np.integer):
        raise TypeError(
            f"actions are {n} integers in 0..{NUM_ACTIONS - 1}, "
            f"not an array of shape {array.shape} and dtype {array.dtype}"
        )
    return array
