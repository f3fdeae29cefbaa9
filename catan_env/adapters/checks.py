"""Checks of options, actions, seats and seeds before they are used."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from catan_env.kernel.numbers import MOST_SEED, index_of, whole, whole_seed
from catan_env.kernel.shown import shown

Array = np.ndarray[Any, Any]
LARGEST = 2**31 - 1
MOST_THREADS = 1024


def check(name: str, value: Any, allowed: Iterable[Any]) -> None:
    """Raise ValueError if an option has a value that is not allowed."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise ValueError(f"{name} is {shown(value)}; allowed are {', '.join(map(repr, allowed))}")


def checked_action(action: Any, actions: int) -> int:
    """The action as a plain int; TypeError if it is not an integer."""
    try:
        return index_of(action)
    except TypeError:
        described = (
            f"an array of shape {action.shape} and dtype {action.dtype}"
            if isinstance(action, np.ndarray)
            else shown(action)
        )
        raise TypeError(f"an action is one integer in 0..{actions - 1}, not {described}") from None


def checked_actions(given: Any, n: int, actions: int) -> Array:
    """The actions as (n,) integers; TypeError if they are not."""
    array = np.asarray(given)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise TypeError(
            f"actions are {n} integers in 0..{actions - 1}, "
            f"not an array of shape {array.shape} and dtype {array.dtype}"
        )
    return array


def legal_actions(actions: Array, action_masks: Array) -> tuple[Array, Array]:
    """Actions clipped to the mask, (n,) int64, and True where the mask allows them, (n,) bool."""
    inside = (actions >= 0) & (actions < action_masks.shape[1])
    index = np.where(inside, actions, 0).astype(np.int64, copy=False)
    return index, inside & (action_masks[np.arange(len(index)), index] != 0)


def checked_answers(
    name: str, answers: Array, action_masks: Array, error: type[Exception] = ValueError
) -> Array:
    """The answers of a policy of that name, (k,), if they are integers that (k, actions) allow."""
    shape = (len(action_masks),)
    if answers.shape != shape or not np.issubdtype(answers.dtype, np.integer):
        raise error(
            f"{name} answered an array of shape {answers.shape} and dtype {answers.dtype}; "
            f"allowed are {shape} integers"
        )
    for k in np.flatnonzero(~legal_actions(answers, action_masks)[1]):
        allowed = np.flatnonzero(action_masks[k])[:8]
        raise error(
            f"{name} answered {answers[k]} in row {k}; "
            f"the action mask allows {', '.join(map(str, allowed))} ..."
        )
    return answers


def checked_count(name: str, value: Any, most: int = LARGEST, also: str = "") -> int:
    """`value` as a plain int; TypeError if it is not an integer, ValueError outside 1..most."""
    try:
        return whole(name, value, 1, most)
    except (TypeError, ValueError) as error:
        allowed = f"allowed are integers in 1..{most}{also}"
        raise type(error)(f"{name} is {shown(value)}; {allowed}") from None


def checked_limit(name: str, value: Any) -> int | None:
    """A limit of turns or rounds: a positive integer, or None for none."""
    return None if value is None else checked_count(name, value, also=", and None")


def checked_seed(seed: Any) -> int | None:
    """`seed` as a plain int, or None; TypeError or ValueError if it is not a seed."""
    if seed is None:
        return None
    try:
        return whole_seed(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"seed is {shown(seed)}; allowed are 0..2**64 - 1 and None") from None


def seeds_by_game(seed: Any, n: int) -> list[int | None] | None:
    """A seed for each of n games: those of a list, or else `seed + i` for game i; None for None."""
    if isinstance(seed, np.ndarray):
        seed = seed.tolist()
    if seed is None:
        return None
    if isinstance(seed, list | tuple):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds; allowed are {n}, one for every game")
        return [_in_a_list(one) for one in seed]
    first = _in_a_list(seed)
    assert first is not None
    if first + n - 1 > MOST_SEED:
        raise ValueError(
            f"seed is {first}; allowed are 0..2**64 - {n}, since game i of {n} gets seed + i"
        )
    return list(range(first, first + n))


def _in_a_list(seed: Any) -> int | None:
    try:
        return checked_seed(seed)
    except TypeError:
        raise TypeError(
            f"seed is {shown(seed)}; allowed are 0..2**64 - 1, a list of them for every game, "
            "and None"
        ) from None


def checked_seat(seat: Any, seats: int) -> int | str:
    """`seat` if it is one of `seats`, or "random"."""
    if isinstance(seat, str) and seat == "random":
        return "random"
    try:
        return whole("seat", seat, 0, seats - 1)
    except (TypeError, ValueError):
        allowed = f"allowed are 0..{seats - 1} and 'random'"
        raise ValueError(f"seat is {shown(seat)}; {allowed}") from None


def one_each(name: str, choices: Any, n: int) -> list[Any]:
    """One policy for each of the n other seats: a list of them, or one for all."""
    if isinstance(choices, list | tuple):
        if len(choices) != n:
            raise ValueError(f"{len(choices)} {name}; allowed are {n}, one for every other seat")
        return list(choices)
    is_default = choices is None or (isinstance(choices, str) and choices == "random")
    if n == 0 and not is_default:
        raise ValueError(f"{name}={choices!r} would be ignored: there is one seat")
    return ["random" if choices is None else choices] * n


def rows_where(condition: Array) -> list[int]:
    """The numbers of the games where a condition, (n,) bool, is true."""
    rows: list[int] = condition.nonzero()[0].tolist()  # np.flatnonzero takes three times as long
    return rows


def checked_rows(indices: Any, n: int) -> list[int]:
    """The numbers of the games that an index, a list of them or None (all) selects."""
    if indices is None:
        return list(range(n))
    several = indices if isinstance(indices, Iterable) else [indices]
    return [checked_row(i, n) for i in several]


def checked_row(i: Any, n: int) -> int:
    """The number of one of n games; IndexError if out of range."""
    try:
        return whole("game", i, 0, n - 1)
    except (TypeError, ValueError):
        raise IndexError(f"there is no game {shown(i)}; allowed are 0..{n - 1}") from None
