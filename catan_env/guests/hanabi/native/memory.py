"""The memory of one game, a fixed block of bytes, and the sheet with its rules.

Cards are bits: the card of colour c and number n is bit `ranks * c + n - 1`. Hints are numbered:
first the colours that can be named, then the numbers.
"""

from typing import Any

import numpy as np

from catan_env.kernel.memory import CACHE_LINE

_i8, _i16, _i32, _i64 = np.int8, np.int16, np.int32, np.int64
SEATS, PLACES, MOST_CARDS, MOST_HINTS, MOST_ACTIONS = 5, 5, 60, 11, 64
NOBODY = -1

GAME_FIELDS: list[tuple[Any, ...]] = [
    ("mask", _i64),  # the legal actions, one bit each
    ("seed", np.uint64),  # of the deck (hidden)
    ("last", _i64),  # the last action without its seats and card, as the observation shows it
    ("last_card", _i64),  # the card that it used, whether it was placed, and gained a token
    ("discards", _i64),  # as the observation shows them, unary by card
    ("tops", _i64),  # the highest card placed of each colour
    ("playable", _i64),  # the next card of each colour
    # for each card the kinds that hints leave possible, then the named colours, then the number;
    # one place more than a hand has, always 0
    ("knowledge", _i64, (SEATS, PLACES + 1)),
    ("hand", _i32, (SEATS, PLACES + 1)),  # cards, oldest first; 0: none
    ("shows", _i32, (SEATS,)),  # the hints that touch a card of the hand
    ("moves", _i16),  # actions played
    ("deck", _i8, (MOST_CARDS,)),  # numbers of cards in the order of drawing
    ("count", _i8, (SEATS,)),  # cards in hand
    ("left", _i8),  # cards left to draw
    ("seat", _i8),  # the acting seat
    ("tokens", _i8),
    ("mistakes", _i8),
    ("points", _i8),
    ("turns_left", _i8),  # -1 until the last card is drawn
    ("over", _i8),
    ("last_seat", _i8),  # the seat that acted last, or NOBODY
    ("last_target", _i8),  # the seat that the last action was a hint for, or NOBODY
]

SHEET_FIELDS: list[tuple[Any, ...]] = [
    ("hint_cards", _i64, (MOST_HINTS,)),  # the cards that a hint touches
    ("hint_name", _i64, (MOST_HINTS,)),  # the bit of a card's knowledge for that hint
    ("hint_last", _i64, (MOST_HINTS,)),  # the bit of the last action for that hint
    ("pile", _i64, (MOST_CARDS,)),  # by card: its bits among the discards
    ("any_card", _i64),  # all kinds of cards
    ("first_cards", _i64),  # the cards of number 1
    ("last_cards", _i64),  # the cards of the highest number
    ("width", _i32),  # size of an observation
    ("hints", _i32),  # the number of hints
    ("colours", _i32),  # the number of hints that name a colour
    ("box", _i8, (MOST_CARDS,)),  # numbers of all cards, sorted
    ("box_size", _i8),
    ("kind", _i8, (MOST_ACTIONS,)),  # of each action
    ("value", _i8, (MOST_ACTIONS,)),  # a place in the hand, or a hint
    ("target", _i8, (MOST_ACTIONS,)),
    ("actions", _i8),
    ("players", _i8),
    ("places", _i8),  # cards in a full hand
    ("kinds", _i8),
    ("suits", _i8),
    ("ranks", _i8),
    ("max_tokens", _i8),
    ("max_lives", _i8),
    ("errors", _i8),
    ("max_points", _i8),
    ("empty_hints", _i8),
    ("discard_at_max", _i8),
    ("ends_complete", _i8),
    ("keeps_score", _i8),
]


def _block(fields: list[tuple[Any, ...]]) -> Any:
    """A dtype of whole cache lines with these fields."""
    spare = -np.dtype(fields, align=True).itemsize % CACHE_LINE
    return np.dtype([*fields, ("spare", _i8, (spare,))] if spare else fields, align=True)


GAME = _block(GAME_FIELDS)
SHEET = _block(SHEET_FIELDS)
