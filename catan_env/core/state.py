"""The memory of one game: a fixed block of bytes with named fields."""

from typing import Any

import numpy as np

from catan_env.core.actions import WORDS
from catan_env.core.constants import (
    BANK_RATE,
    CARD_KINDS,
    CARDS_PER_RESOURCE,
    CITIES,
    DECK,
    HARBOURS,
    NOBODY,
    RESOURCES,
    ROADS,
    SEATS,
    SETTLEMENTS,
    TILES,
)
from catan_env.kernel.memory import CACHE_LINE, doorway, new_blocks

_i8, _i32, _i64 = np.int8, np.int32, np.int64

# Widest first, so that no byte is unnamed: NumPy copies named bytes only. A field's place never
# changes: memory that was saved is read again, and records give hashes of it.
# Sets are bits of words (kernel.bits); a set of edges is two words of 36.
FIELDS: list[tuple[Any, ...]] = [
    # the legal actions: the packed mask of core.actions, zeros in a view of another seat's turn
    ("mask", _i64, (WORDS,)),
    # chance (hidden)
    ("seed", np.uint64),
    ("draws", _i64),
    # pieces on the board
    ("settlements", _i64, (SEATS,)),
    ("cities", _i64, (SEATS,)),
    ("built", _i64),  # vertices with a building
    ("blocked", _i64),  # vertices with a building on them or next to them (C097), or at sea
    ("laid", _i64, (2,)),  # edges with a road, or at sea
    ("road_spots", _i64, (SEATS, 2)),  # free edges that touch the seat's network (C088-C090)
    ("reach", _i64, (SEATS,)),  # vertices that the seat's roads touch
    ("roads", _i64, (SEATS, 2)),
    # the board
    ("token_tiles", _i32, (13,)),  # tiles by number token; at SEA_TOKEN the sea
    ("resource_tiles", _i32, (RESOURCES,)),
    # the turn
    ("turn", _i32),  # turns begun
    ("phase", _i8),
    ("resume", _i8),  # the phase after robber or free roads
    ("turn_seat", _i8),
    ("seat", _i8),  # the acting seat
    ("roll", _i8),  # total, 0 before the roll
    ("card_played", _i8),
    ("free_roads", _i8),
    ("offers", _i8),  # made this turn
    ("offer_to", _i8),  # seat or NOBODY
    ("offer_give", _i8, (RESOURCES,)),
    ("offer_get", _i8, (RESOURCES,)),
    ("owed", _i8, (SEATS,)),  # cards to discard
    ("robber", _i8),
    ("gone", _i8),  # set of seats that have left
    # settings of the game
    ("viewer", _i8),  # NOBODY: the full state; a seat: what it may know
    ("seats", _i8),
    ("first_seat", _i8),
    ("layout", _i8),
    ("placement", _i8),
    ("chosen_discards", _i8),
    ("win_at_once", _i8),
    ("free_roads_at_once", _i8),
    ("player_trade", _i8),
    ("bank_trade", _i8),
    ("robber_moves", _i8),
    ("awards", _i8),
    ("endless_bank", _i8),
    ("offers_per_turn", _i8),
    ("points_to_win", _i8),
    # cards; a view zeroes the hands, cards and deck that its seat may not know
    ("hand", _i8, (SEATS, RESOURCES)),
    ("known", _i8, (SEATS, RESOURCES)),  # lower bounds of a hand from public events
    ("hand_size", _i8, (SEATS,)),
    ("bank", _i8, (RESOURCES,)),  # outside 0..19 if it is endless, or uncertain
    ("rates", _i8, (SEATS, RESOURCES)),  # best rate for trading with the bank
    ("cards", _i8, (SEATS, CARD_KINDS)),  # development cards in hand
    ("new_cards", _i8, (CARD_KINDS,)),  # of these, bought this turn by the seat on turn; if they
    # are hidden from a view, their number is in the place of victory points, which are not played
    ("card_count", _i8, (SEATS,)),
    ("played", _i8, (SEATS, 4)),
    ("deck", _i8, (CARD_KINDS,)),
    ("deck_size", _i8),
    # points and awards
    ("pieces", _i8, (SEATS, 3)),  # roads, settlements, cities left
    ("points", _i8, (SEATS,)),  # public: without victory point cards
    ("road_length", _i8, (SEATS,)),
    ("longest_road", _i8),  # seat or NOBODY
    ("largest_army", _i8),
    ("winner", _i8),
    # the set-up
    ("placed", _i8),  # settlements placed
    ("placed_vertex", _i8),  # the last of them
    ("terrain", _i8, (TILES,)),
    ("token", _i8, (TILES,)),  # 0: none
    ("harbours", _i8, (HARBOURS, 4)),  # vertex, vertex, kind (5: generic), rate (0: no harbour)
    ("trail", _i8, (16,)),  # scratch memory of the longest-road search, zero between searches
    # added later, in bytes that were spare: all zero under the rules that came before
    ("balanced_dice", _i8),
    (
        "dice",
        _i64,
    ),  # of balanced dice: a set of 36 outcomes drawn, then the last 5 totals, 4 bits each
    ("friendly_robber", _i8),
    ("larger_hand", _i8),  # cards beyond seven that a hand may hold at a seven
    ("sevens", _i8, (SEATS,)),  # rolled with balanced dice
    ("streak", _i8),  # the last sevens that one seat rolled
    ("streak_seat", _i8),
]
_SPARE = -np.dtype(FIELDS, align=True).itemsize % CACHE_LINE
GAME = np.dtype([*FIELDS, ("spare", _i8, (_SPARE,))] if _SPARE else FIELDS, align=True)


def new_states(n: int) -> np.ndarray[Any, Any]:
    """N blocks of zeros: (n,) `GAME`, each aligned to cache lines."""
    return new_blocks(n, GAME)


def fill_box(states: np.ndarray[Any, Any]) -> None:
    """Fill `states` with the box's contents, in place: full bank, shuffled deck, all pieces."""
    states["bank"] = CARDS_PER_RESOURCE
    states["deck"] = DECK
    states["deck_size"] = sum(DECK)
    states["rates"] = BANK_RATE
    for name in ("bank_trade", "robber_moves", "awards"):
        states[name] = 1
    states["pieces"] = (ROADS, SETTLEMENTS, CITIES)
    for name in ("longest_road", "largest_army", "winner", "offer_to", "viewer", "placed_vertex"):
        states[name] = NOBODY


__all__ = ["FIELDS", "GAME", "doorway", "fill_box", "new_states"]
