"""The seeds and the turn limit of games, and the block of memory that each is copied from."""

from typing import Any

import numpy as np

from catan_env.game.board import Board, refuse_more_harbours
from catan_env.game.position import States
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, checked_seed, fresh_states
from catan_env.kernel.arrays import checked_seeds
from catan_env.kernel.numbers import whole
from catan_env.kernel.rng import word_at

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


def game_seeds(seed: int | None, n: int) -> Array:
    """Seeds for n games, mixed from one: (n,) uint64."""
    seed = checked_seed(seed)
    signed = (seed + (1 << 63)) % (1 << 64) - (1 << 63)  # all that a compiled call accepts
    return np.array([word_at(signed, i) for i in range(n)], dtype=np.uint64)


def seeds_of(given: Any, n: int) -> Array:
    """A seed for each game, (n,) uint64, a new array: mixed from one seed, or those given."""
    if np.ndim(given) == 0:
        return game_seeds(given, n)
    return checked_seeds(given, n)
