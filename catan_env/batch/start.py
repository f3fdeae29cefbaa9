"""The seeds of games, and the block of memory that each game is copied from."""

from typing import Any

import numpy as np

from catan_env.batch.checks import integers
from catan_env.game.board import Board, refuse_more_harbours
from catan_env.game.position import States
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, checked_seed, fresh_states
from catan_env.kernel.rng import word_at

Array = np.ndarray[Any, Any]


def template_of(seats: int, rules: Rules, board: Board | str, first_seat: int) -> States:
    """The block of memory that every game starts as, except for its seed."""
    given, layout = board_for(board, rules)
    if given is not None:
        refuse_more_harbours(given)
    template = fresh_states(seats, rules, first_seat, given)
    if layout is not None:
        template["layout"] = layout
    return template


def game_seeds(seed: int | None, n: int) -> Array:
    """Seeds for n games, mixed from one: (n,) uint64."""
    seed = checked_seed(seed)
    signed = (seed + (1 << 63)) % (1 << 64) - (1 << 63)  # all that a compiled call accepts
    return np.array([word_at(signed, i) for i in range(n)], dtype=np.uint64)


def seeds_of(given: Any, n: int) -> Array:
    """A seed for each game, (n,) uint64, a new array: mixed from one seed, or those given."""
    if np.ndim(given) == 0:
        return game_seeds(given, n)
    if not isinstance(given, np.ndarray):
        given = np.array([checked_seed(one) for one in given], np.uint64)
    array = integers("seeds", given, n)
    if array.min() < 0:
        i = int(array.argmin())
        raise ValueError(f"seeds[{i}] is {array[i]}; allowed are 0..2**64 - 1")
    return np.array(array, np.uint64, order="C")
