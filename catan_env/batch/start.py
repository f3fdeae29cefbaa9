"""The seeds and the turn limit of games, and the block of memory that each is copied from."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.game.board import Board, refuse_more_harbours
from catan_env.game.position import States
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, checked_seed, fresh_states
from catan_env.kernel.arrays import seeds_of
from catan_env.kernel.numbers import whole

NO_LIMIT = 2**31 - 1

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


def turn_limit(max_turns: int | None) -> int:
    """`max_turns` as doors take it; None, or more than a game can count, means unlimited."""
    if max_turns is None:
        return NO_LIMIT
    return min(whole("max_turns", max_turns, 0), NO_LIMIT)


def game_seeds(seed: int | ArrayLike | None, n: int) -> Array:
    """A seed for each of n games, (n,) uint64, a new array: mixed from one seed, or those given.

    None draws the one seed.
    """
    return seeds_of(seed if np.ndim(seed) else checked_seed(seed), n)  # type: ignore[arg-type]
