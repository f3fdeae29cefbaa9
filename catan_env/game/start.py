"""The start of a game from its arguments: rules, seed and board."""

import secrets

from catan_env.core.constants import Layout
from catan_env.game.board import Board
from catan_env.game.board_code import from_code, is_code
from catan_env.game.numbers import whole
from catan_env.game.rules import Rules

MOST_SEED = 2**64 - 1
LAYOUTS = {"spiral": Layout.SPIRAL, "random_tokens": Layout.RANDOM_TOKENS}


def rules_of(rules: Rules | str | None) -> Rules:
    """Return the rules of a preset's name; the rulebook's for None."""
    if rules is None:
        return Rules.base()
    return rules if isinstance(rules, Rules) else Rules.named(rules)


def checked_seed(seed: int | None) -> int:
    """Return `seed`, or a random one; ValueError if it does not fit in 64 bits."""
    if seed is None:
        return secrets.randbits(63)
    try:
        return whole("seed", seed, 0, MOST_SEED)
    except ValueError:
        raise ValueError(f"seed is {seed}; allowed are 0..2**64 - 1") from None


def board_for(board: Board | str, rules: Rules) -> tuple[Board | None, Layout | None]:
    """Return the board of a name or a code, or else the layout to use when the game begins."""
    if isinstance(board, Board):
        return board, None
    if board == "beginner":
        return Board.beginner(rules.small_map), None
    if isinstance(board, str) and is_code(board):
        return from_code(board), None
    if board not in list(LAYOUTS):
        allowed = ", ".join(map(repr, (*LAYOUTS, "beginner")))
        raise ValueError(f"unknown board {board!r}; allowed are {allowed}, a code and a Board")
    return None, LAYOUTS[board]
