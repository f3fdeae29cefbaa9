"""What is asked of actions and seeds of many games before they are used."""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.game.errors import IllegalActionError
from catan_env.game.start import checked_seed

Array = np.ndarray[Any, Any]
MOST_THREADS = 1024


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


def checked_seeds(seed: Any, n: int) -> list[int | None] | None:
    """A seed for each of n games: those of a list, or else `seed + i` for game i; None for None."""
    if isinstance(seed, np.ndarray):
        seed = seed.tolist()
    if seed is None:
        return None
    if isinstance(seed, list | tuple):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds; allowed are {n}, one for every game")
        return [None if one is None else _whole_seed(one) for one in seed]
    first = _whole_seed(seed)
    if first + n > 1 << 64:
        raise ValueError(
            f"seed is {first}; allowed are 0..2**64 - {n}, since game i of {n} gets seed + i"
        )
    return list(range(first, first + n))


def _whole_seed(seed: Any) -> int:
    try:
        return checked_seed(seed)
    except TypeError:
        raise TypeError(
            f"seed is {seed!r}; allowed are 0..2**64 - 1, a list of them for every game, and None"
        ) from None
