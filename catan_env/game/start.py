"""The start of a game from its arguments: seats, rules, seed and board."""

import secrets
from typing import Any

from catan_env.core.constants import HAND_LIMIT, NO_RATE, SEATS, Layout
from catan_env.core.state import fill_box, new_states
from catan_env.game.board import Board, lay_sea
from catan_env.game.board_code import from_code, is_code
from catan_env.game.position import States
from catan_env.game.rules import Rules
from catan_env.kernel.numbers import index_of, whole, whole_seed

FOR_TWO = {"duel": "a duel", "colonist_1v1": "colonist_1v1"}
"""Presets for two seats. Without its name a duel is the rulebook without trade, for any seats."""
AGREED = (
    "placement",
    "chosen_discards",
    "win_at_once",
    "free_roads_at_once",
    "player_trade",
    "bank_trade",
    "robber_moves",
    "awards",
    "endless_bank",
    "offers_per_turn",
    "points_to_win",
    "friendly_robber",
    "balanced_dice",
)
"""The fields of Rules that the state has under the same names."""
LAYOUTS = {"spiral": Layout.SPIRAL, "random_tokens": Layout.RANDOM_TOKENS}


def rules_of(rules: Rules | str | None) -> Rules:
    """Return the rules of a preset's name; the rulebook's for None."""
    if rules is None:
        return Rules.base()
    return rules if isinstance(rules, Rules) else Rules.named(rules)


def checked_seed(seed: int | None) -> int:
    """Return `seed`, or a random one; ValueError if it does not fit in 64 bits."""
    return secrets.randbits(63) if seed is None else whole_seed(seed)


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


def most_seats(rules: Rules) -> int:
    """The number of seats for which a table of these rules has room."""
    return 2 if rules.name in FOR_TWO else 3 if rules.small_map else SEATS


def check_seats(seats: Any) -> None:
    """Raise ValueError unless a number of seats is 2, 3 or 4."""
    text = f"{seats!r} seats; allowed are 2, 3 and 4"
    try:
        number = index_of(seats)
    except TypeError:
        raise ValueError(text) from None
    if number not in (2, 3, 4):
        raise ValueError(text)


def check_table(seats: int, rules: Rules, board: Board | None) -> None:
    """Raise ValueError or TypeError with the reason if there is no such table."""
    check_seats(seats)
    if not isinstance(rules, Rules):
        raise TypeError(f"expected a Rules, got {rules!r}")
    if rules.name in FOR_TWO and seats != 2:
        raise ValueError(f"{FOR_TWO[rules.name]} has 2 seats, got {seats}")
    if rules.small_map and seats == SEATS:
        raise ValueError(f"the small map has room for 2 or 3 seats, got {seats} (C220)")
    if board is not None and board.small_map != rules.small_map:
        raise ValueError(
            f"the rules {rules.name!r} need {_map_name(rules.small_map)}, the board is "
            f"{_map_name(board.small_map)}"
        )


def fresh_states(seats: int, rules: Rules, first_seat: int, board: Board | None) -> States:
    """Return one block of memory before the first settlement: box, rules and any given board."""
    check_table(seats, rules, board)
    first_seat = whole("first_seat", first_seat, 0, seats - 1)
    states = new_states(1)
    fill_box(states)
    states["seats"], states["first_seat"] = seats, first_seat
    if not rules.bank_trade:
        states["rates"] = NO_RATE
    if not rules.development_cards:
        states["deck"], states["deck_size"] = 0, 0
    states["larger_hand"] = rules.hand_limit - HAND_LIMIT
    states["rates"][:, seats:] = 0
    states["pieces"][:, seats:] = 0
    for name in AGREED:
        states[name] = getattr(rules, name)
    if rules.small_map:
        lay_sea(states)
    if board is not None:
        board.to_state(states)
    return states


def _map_name(small_map: bool) -> str:
    return "the small map" if small_map else "the map of nineteen tiles"
