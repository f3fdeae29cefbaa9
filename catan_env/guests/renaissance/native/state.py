"""The memory of one game: a fixed block of bytes with named fields."""

from typing import Any

import numpy as np

from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.cards import (
    CARD_WIDTH,
    COLOURS,
    GOODS,
    LEADER_WIDTH,
    LEVELS,
    MARBLES,
    NUM_CARDS,
    NUM_LEADERS,
    NUM_TOKENS,
    STACK,
    development_table,
    leader_table,
)
from catan_env.kernel.memory import new_blocks

SEATS = 4
NOBODY = -1
LORENZO = 4  # as a winner
EMPTY = -1  # no card, no kind of good, or an unknown leader

KEEP, MAIN, WHITES, PLACE, PAY, GAIN, PRODUCE, OVER = range(8)  # phases
NONE, SETUP, MARKET, PURCHASE, PRODUCING = -1, 0, 1, 2, 3  # transactions
IN_HAND, ACTIVE, DISCARDED = range(3)  # a kept leader

SHELVES, SLOTS, DEALT, KEPT = 3, 3, 4, 2
PLACES_OF_GOODS = SHELVES + KEPT  # the shelves, and the depots of the kept leaders
POPES = 3
OPEN, WON, LOST = range(3)  # a pope tile

_i8, _i16, _i32 = np.int8, np.int16, np.int32
_COLOURS = len(COLOURS)

# Widest first, so that no byte is unnamed: NumPy copies named bytes only.
FIELDS: list[tuple[Any, ...]] = [
    # chance (hidden)
    ("seed", np.uint64),
    ("draws", np.int64),
    ("turn", _i32),  # turns begun
    # points and goods
    ("round", _i16),  # times the turn came to or passed seat 0
    ("score", _i16, (SEATS,)),  # R084, at the end; zeros before
    ("strongbox", _i16, (SEATS, GOODS)),
    ("was_strongbox", _i16, (GOODS,)),
    ("promised", _i16, (GOODS,)),
    ("promised_faith", _i16),
    # the legal actions as bytes; zeros in a view of another seat's turn
    ("mask", _i8, (NUM_ACTIONS,)),
    ("phase", _i8),
    ("transaction", _i8),
    ("seat", _i8),  # the acting seat, NOBODY while all are away
    ("turn_seat", _i8),
    ("is_playing", _i8),  # the set-up is done
    ("main_done", _i8),
    ("last_round", _i8),
    ("swaps", _i8),  # exchanges this turn, counted up to MAX_SWAPS
    ("winner", _i8),
    ("away", _i8, (SEATS,)),
    # settings of the game
    ("viewer", _i8),  # NOBODY: the full state; a seat: what it may know
    ("seats", _i8),
    ("base_faith_open", _i8),  # faith may be chosen in the base production
    # shared
    ("market", _i8, (len(MARBLES),)),  # row by row, then the slide
    ("stack", _i8, (_COLOURS, LEVELS, STACK)),  # bottom first (hidden)
    ("top", _i8, (_COLOURS, LEVELS)),
    ("left", _i8, (_COLOURS, LEVELS)),
    ("reported", _i8, (POPES,)),
    # seats
    ("faith", _i8, (SEATS,)),
    ("tile", _i8, (SEATS, POPES)),
    ("shelf_good", _i8, (SEATS, SHELVES)),
    ("shelf_count", _i8, (SEATS, SHELVES)),
    ("depot", _i8, (SEATS, KEPT)),  # pieces on the depot of a kept leader
    ("slot", _i8, (SEATS, SLOTS, LEVELS)),  # card ids, bottom first
    ("height", _i8, (SEATS, SLOTS)),
    ("dealt", _i8, (SEATS, DEALT)),  # ascending ids (hidden)
    ("leader", _i8, (SEATS, KEPT)),  # ascending ids (hidden unless active)
    ("leader_state", _i8, (SEATS, KEPT)),
    ("has_kept", _i8, (SEATS,)),  # has chosen its leaders
    ("has_goods", _i8, (SEATS,)),  # has chosen its starting goods, or has none to choose
    # the current sequence of decisions
    ("line", _i8),
    ("to_place", _i8, (GOODS,)),
    ("whites", _i8),
    ("kind", _i8),  # the kind being placed
    ("owed", _i8, (GOODS,)),
    ("owed_any", _i8),
    ("gains", _i8),
    ("chosen", _i8, (6,)),
    ("now", _i8),  # the production being paid, or NOBODY
    ("discarded", _i8),
    ("card", _i8),  # being bought
    ("into", _i8),  # its slot
    ("last", _i8),  # index of the last piece placed, paid or chosen
    ("was_shelf_good", _i8, (SHELVES,)),  # containers of the acting seat before the sequence
    ("was_shelf_count", _i8, (SHELVES,)),
    ("was_depot", _i8, (KEPT,)),
    # Lorenzo
    ("cross", _i8),
    ("token", _i8, (NUM_TOKENS,)),  # the order of the tokens (hidden)
    ("drawn", _i8),
    ("token_out", _i8, (NUM_TOKENS,)),
    ("last_token", _i8),
    # the cards used in this game
    ("dev", _i8, (NUM_CARDS, CARD_WIDTH)),
    ("leaders", _i8, (NUM_LEADERS, LEADER_WIDTH)),
]
_SPARE = -np.dtype(FIELDS).itemsize % 8
GAME = np.dtype([*FIELDS, ("spare", _i8, (_SPARE,))] if _SPARE else FIELDS, align=True)


def new_states(n: int) -> np.ndarray[Any, Any]:
    """N blocks of zeros: (n,) `GAME`."""
    return new_blocks(n, GAME)


def fill_box(states: np.ndarray[Any, Any], cards: str = "printed") -> None:
    """Write the cards into `states` and clear everything else, in place."""
    for name in ("seat", "winner", "viewer", "now", "kind", "line", "card", "into", "last"):
        states[name] = NOBODY
    empty = ("shelf_good", "slot", "dealt", "leader", "top", "stack", "last_token", "transaction")
    for name in empty:
        states[name] = EMPTY
    states["dev"] = development_table(cards)
    states["leaders"] = leader_table(cards)
