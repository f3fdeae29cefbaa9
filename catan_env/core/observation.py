"""The observation of one seat: a flat vector of int8 with a named layout.

Seats are relative: 0 is the observer, then clockwise. Nothing hidden is included: of other hands
only the size and the cards that public events prove, of other development cards the number.
"""

from math import prod
from typing import NamedTuple

from catan_env.core.board import HALF, PIPS
from catan_env.core.constants import (
    CARD_KINDS,
    CARDS_PER_RESOURCE,
    EDGES,
    HARBOURS,
    OVER,
    RESOURCES,
    SEA,
    SEATS,
    TILES,
    VERTICES,
    VICTORY_POINT,
)
from catan_env.core.seats import seat_after, steps_to
from catan_env.kernel.bits import copy_row, holds, store_bits
from catan_env.kernel.jit import inline

OBSERVATION_VERSION = 1


class Field(NamedTuple):
    """A named range of the observation: its shape (row-major) and its meaning."""

    name: str
    shape: tuple[int, ...]
    meaning: str


_R = "BRICK, GRAIN, LUMBER, ORE, WOOL"
_C = "KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT"
_S = "by relative seat (0: the observer, then clockwise)"

LAYOUT = (
    Field(
        "terrain",
        (TILES, 6),
        "one-hot by tile: HILLS, FIELDS, FOREST, MOUNTAINS, PASTURE, DESERT; zeros at sea",
    ),
    Field("token", (TILES,), "number token by tile, 0 without one"),
    Field("pips", (TILES,), "chances in 36 of that number, 0..5"),
    Field("robber", (TILES,), "1 at the robber's tile"),
    Field("harbour_kind", (HARBOURS, 6), f"one-hot by harbour: {_R}, generic; zeros without one"),
    Field("harbour_rate", (HARBOURS,), "cards given for one, 0 without a harbour"),
    Field("harbour_vertices", (HARBOURS, 2), "the two vertices of the harbour"),
    Field("buildings", (SEATS, VERTICES), f"1 settlement, 2 city; {_S}, by vertex"),
    Field("roads", (SEATS, EDGES), f"1 road; {_S}, by edge"),
    Field("bank", (RESOURCES,), f"cards in the bank: {_R}"),
    Field("hand", (RESOURCES,), f"own resource cards: {_R}"),
    Field(
        "known",
        (SEATS - 1, RESOURCES),
        f"cards that public events other than offers prove; relative seats 1..3: {_R}",
    ),
    Field("hand_size", (SEATS,), f"resource cards; {_S}"),
    Field("rates", (SEATS, RESOURCES), f"best rate for trading with the bank; {_S}: {_R}"),
    Field("cards", (CARD_KINDS,), f"own development cards: {_C}"),
    Field("new_cards", (CARD_KINDS,), f"of these, bought this turn: {_C}"),
    Field("card_count", (SEATS,), f"development cards in hand; {_S}"),
    Field(
        "played", (SEATS, 4), f"cards played; {_S}: KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY"
    ),
    Field("deck_size", (1,), "development cards left"),
    Field("points", (SEATS,), f"victory points on the table; {_S}"),
    Field("own_points", (1,), "own victory points with hidden cards"),
    Field("pieces", (SEATS, 3), f"roads, settlements, cities in stock; {_S}"),
    Field("road_length", (SEATS,), f"longest trail of roads; {_S}"),
    Field("longest_road", (SEATS,), f"1 at the holder; {_S}"),
    Field("largest_army", (SEATS,), f"1 at the holder; {_S}"),
    Field("playing", (SEATS,), f"1 for a seat at the table; {_S}"),
    Field("phase", (OVER + 1,), "one-hot by Phase"),
    Field("turn_seat", (SEATS,), f"1 at the seat whose turn it is; {_S}"),
    Field("decides", (SEATS,), f"1 at the seat whose decision it is; {_S}"),
    Field("turn", (1,), "turns begun, at most 127"),
    Field("roll", (1,), "total rolled this turn, 0 before"),
    Field("card_played", (1,), "1 when a development card was played this turn"),
    Field("free_roads", (1,), "free roads still to lay"),
    Field("placed", (1,), "settlements placed in the set-up"),
    Field("offers_left", (1,), "offers the mask still allows this turn"),
    Field("owed", (SEATS,), f"cards to discard; {_S}"),
    Field("offer_to", (SEATS,), f"1 at the seat that is asked; {_S}"),
    Field("offer_give", (RESOURCES,), f"what the seat on turn gives: {_R}"),
    Field("offer_get", (RESOURCES,), f"what it wants: {_R}"),
    Field(
        "rules",
        (3,),
        "1 when: seats choose discards; a win counts immediately; free roads are laid immediately",
    ),
)

OBSERVATION_SIZE = sum(prod(field.shape) for field in LAYOUT)
OFFSETS = {
    field.name: sum(prod(before.shape) for before in LAYOUT[:k]) for k, field in enumerate(LAYOUT)
}

TERRAIN_AT, TOKEN_AT, PIPS_AT = OFFSETS["terrain"], OFFSETS["token"], OFFSETS["pips"]
ROBBER_AT, KIND_AT = OFFSETS["robber"], OFFSETS["harbour_kind"]
RATE_AT, ENDS_AT = OFFSETS["harbour_rate"], OFFSETS["harbour_vertices"]
BUILDINGS_AT, ROADS_AT = OFFSETS["buildings"], OFFSETS["roads"]
BANK_AT, HAND_AT, KNOWN_AT = OFFSETS["bank"], OFFSETS["hand"], OFFSETS["known"]
HAND_SIZE_AT, RATES_AT = OFFSETS["hand_size"], OFFSETS["rates"]
CARDS_AT, NEW_CARDS_AT = OFFSETS["cards"], OFFSETS["new_cards"]
CARD_COUNT_AT, PLAYED_AT = OFFSETS["card_count"], OFFSETS["played"]
DECK_AT, POINTS_AT, OWN_POINTS_AT = OFFSETS["deck_size"], OFFSETS["points"], OFFSETS["own_points"]
PIECES_AT, LENGTH_AT = OFFSETS["pieces"], OFFSETS["road_length"]
LONGEST_AT, ARMY_AT = OFFSETS["longest_road"], OFFSETS["largest_army"]
PLAYING_AT, PHASE_AT = OFFSETS["playing"], OFFSETS["phase"]
TURN_SEAT_AT, DECIDES_AT, TURN_AT = OFFSETS["turn_seat"], OFFSETS["decides"], OFFSETS["turn"]
OWED_AT, OFFER_TO_AT = OFFSETS["owed"], OFFSETS["offer_to"]
GIVE_AT, GET_AT, RULES_AT = OFFSETS["offer_give"], OFFSETS["offer_get"], OFFSETS["rules"]


@inline
def observe(g, viewer, out, row):
    """Write what seat `viewer` observes into `out[row]`: (OBSERVATION_SIZE,) int8, contiguous."""
    observe_board(g, out, row)
    observe_play(g, viewer, out, row)


@inline
def observe_play(g, viewer, out, row):
    """Write everything that changes during a game; the board is in `out[row]` already.

    Sets are stored 64 bytes at a time, each overwriting the empty end of the previous one: in
    layout order, and before the fields that follow them.
    """
    for k in range(4):
        store_bits(out, row, min(BANK_AT + 64 * k, OBSERVATION_SIZE - 64), 0, 0)
    for step in range(SEATS):
        seat = shown_seat(g, viewer, step)
        at = BUILDINGS_AT + VERTICES * step
        store_bits(out, row, at, g.settlements[seat], g.cities[seat])
    for step in range(SEATS):
        seat = shown_seat(g, viewer, step)
        store_bits(out, row, ROADS_AT + EDGES * step, g.roads[seat, 0], 0)
        store_bits(out, row, ROADS_AT + EDGES * step + HALF, g.roads[seat, 1], 0)
    for step in range(SEATS):
        observe_rows(g, shown_seat(g, viewer, step), step, out, row)
    observe_robber(g, out, row)
    observe_hand(g, viewer, out, row)
    for step in range(SEATS):
        observe_seat(g, shown_seat(g, viewer, step), step, out, row)
    observe_turn(g, viewer, out, row)


@inline
def shown_seat(g, viewer, step):
    """The seat `step` places after the observer; for an empty place, a seat that owns nothing."""
    return seat_after(g, viewer, step) if step < g.seats else step


@inline
def observe_rows(g, seat, step, out, row):
    """Write the public rows of one seat; rows of seats that do not play are zeros.

    Each copy overruns into the following bytes, which are written later.
    """
    if step > 0:
        copy_row(out, row, KNOWN_AT + RESOURCES * (step - 1), g.known, seat)
    copy_row(out, row, RATES_AT + RESOURCES * step, g.rates, seat)
    copy_row(out, row, PLAYED_AT + 4 * step, g.played, seat)
    copy_row(out, row, PIECES_AT + 3 * step, g.pieces, seat)


@inline
def observe_robber(g, out, row):
    """Write the robber's tile."""
    for tile in range(TILES):
        out[row, ROBBER_AT + tile] = tile == g.robber


@inline
def observe_board(g, out, row):
    """Write tiles and harbours, which do not change during a game."""
    for k in range(BUILDINGS_AT):
        out[row, k] = 0
    for tile in range(TILES):
        token = g.token[tile]
        if g.terrain[tile] != SEA:
            out[row, TERRAIN_AT + 6 * tile + g.terrain[tile]] = 1
        out[row, TOKEN_AT + tile] = token
        out[row, PIPS_AT + tile] = PIPS[token]
    for k in range(HARBOURS):
        rate = g.harbours[k, 3]
        if rate > 0:
            out[row, KIND_AT + 6 * k + g.harbours[k, 2]] = 1
            out[row, RATE_AT + k] = rate
            out[row, ENDS_AT + 2 * k] = g.harbours[k, 0]
            out[row, ENDS_AT + 2 * k + 1] = g.harbours[k, 1]


@inline
def observe_hand(g, viewer, out, row):
    """Write the observer's cards, the bank and the offer."""
    for r in range(RESOURCES):
        out[row, BANK_AT + r] = min(max(g.bank[r], 0), CARDS_PER_RESOURCE)
        out[row, HAND_AT + r] = g.hand[viewer, r]
        out[row, GIVE_AT + r] = g.offer_give[r]
        out[row, GET_AT + r] = g.offer_get[r]
    for kind in range(CARD_KINDS):
        out[row, CARDS_AT + kind] = g.cards[viewer, kind]
        out[row, NEW_CARDS_AT + kind] = g.new_cards[kind] if g.turn_seat == viewer else 0
    out[row, OWN_POINTS_AT] = g.points[viewer] + g.cards[viewer, VICTORY_POINT]


@inline
def observe_turn(g, viewer, out, row):
    """Write the state of the turn."""
    out[row, DECK_AT] = g.deck_size
    out[row, PHASE_AT + g.phase] = 1
    out[row, TURN_SEAT_AT + steps_to(g, viewer, g.turn_seat)] = 1
    out[row, DECIDES_AT + steps_to(g, viewer, g.seat)] = 1
    out[row, TURN_AT] = min(g.turn, 127)
    out[row, TURN_AT + 1] = g.roll
    out[row, TURN_AT + 2] = g.card_played
    out[row, TURN_AT + 3] = g.free_roads
    out[row, TURN_AT + 4] = g.placed
    out[row, TURN_AT + 5] = max(g.offers_per_turn - g.offers, 0) if g.player_trade else 0
    out[row, RULES_AT] = g.chosen_discards
    out[row, RULES_AT + 1] = g.win_at_once
    out[row, RULES_AT + 2] = g.free_roads_at_once


@inline
def observe_seat(g, seat, step, out, row):
    """Write the public numbers of one seat."""
    out[row, HAND_SIZE_AT + step] = g.hand_size[seat]
    out[row, CARD_COUNT_AT + step] = g.card_count[seat]
    out[row, POINTS_AT + step] = g.points[seat]
    out[row, LENGTH_AT + step] = g.road_length[seat]
    out[row, LONGEST_AT + step] = g.longest_road == seat
    out[row, ARMY_AT + step] = g.largest_army == seat
    out[row, OWED_AT + step] = g.owed[seat]
    out[row, OFFER_TO_AT + step] = g.offer_to == seat
    out[row, PLAYING_AT + step] = step < g.seats and not holds(g.gone, seat)
