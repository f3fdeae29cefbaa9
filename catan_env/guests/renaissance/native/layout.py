"""The named layout of the observation.

Seats are relative: 0 is the observer, then in turn order; missing seats are zeros.
"""

from math import prod
from typing import NamedTuple

from catan_env.guests.renaissance.native.actions import PRODUCTIONS
from catan_env.guests.renaissance.native.cards import GOODS, MARBLES, NUM_TOKENS
from catan_env.guests.renaissance.native.state import DEALT, KEPT, POPES, SEATS, SHELVES, SLOTS

OBSERVATION_VERSION = 1


class Field(NamedTuple):
    """A named range of the observation: its shape (row-major) and its meaning."""

    name: str
    shape: tuple[int, ...]
    meaning: str


_G = "coin, stone, servant, shield"
_S = "by relative seat (0: the observer, then in turn order)"
SEAT_FIELDS = (
    Field("present", (1,), "1 if the seat is taken"),
    Field("connected", (1,), "0 while the seat is away"),
    Field("faith", (1,), "space on the track"),
    Field("points", (1,), "cards, track, tiles and active leaders, not goods"),
    Field("tiles_won", (POPES,), "pope tiles won"),
    Field("tiles_lost", (POPES,), "pope tiles lost"),
    Field("shelves", (SHELVES, GOODS), f"pieces by shelf: {_G}"),
    Field("depots", (GOODS,), f"pieces on depots: {_G}"),
    Field("depots_open", (GOODS,), f"1 where a depot is open: {_G}"),
    Field("strongbox", (GOODS,), f"pieces, at most 255: {_G}"),
    Field(
        "slots",
        (SLOTS, 22),
        "by slot: height; colour one-hot at level 1, 2, 3; the top card's input 4, output 4, faith",
    ),
    Field("leaders_in_hand", (1,), "leaders face down"),
    Field("leaders_discarded", (1,), "leaders discarded for faith"),
    Field("leaders_active", (16,), "1 at the id of each active leader"),
)
SEAT_WIDTH = sum(prod(field.shape) for field in SEAT_FIELDS)

LAYOUT = (
    Field("phase", (7,), "keep, main, white, place, pay, gain, produce; zeros off one's decision"),
    Field("transaction", (4,), "set-up, market, purchase, production; zeros outside one's own"),
    Field("seats", (SEATS,), "how many play, one-hot"),
    Field("position", (SEATS,), "own seat number, one-hot"),
    Field("turn", (SEATS,), f"whose turn it is, one-hot {_S}; zeros in the set-up"),
    Field("main_done", (1,), "1 when the main action of the turn is done"),
    Field("last_round", (1,), "1 from the announcement of the last round on"),
    Field("exchanges_left", (1,), "exchanges that the mask still allows, on one's own turn"),
    Field(
        "market",
        (len(MARBLES), 6),
        f"one-hot by place, row by row, then the slide: {_G}, faith, white",
    ),
    Field(
        "grid",
        (12, 16),
        "by colour and level: present, points, cost 4, input 4, output 4, faith, cards left",
    ),
    *(
        Field(f"seat_{step}_{field.name}", field.shape, field.meaning)
        for step in range(SEATS)
        for field in SEAT_FIELDS
    ),
    Field("leaders", (DEALT, 16), "ids one-hot: the four dealt, later the two kept"),
    Field("leader_states", (KEPT, 3), "of the two kept: in hand, active, discarded"),
    Field("cross", (1,), "Lorenzo's marker"),
    Field("tokens_out", (NUM_TOKENS,), "tokens revealed since the last shuffle, by id"),
    Field("last_token", (NUM_TOKENS,), "the token revealed last, one-hot"),
    Field("to_place", (GOODS,), f"goods still to place: {_G}"),
    Field("whites", (1,), "white marbles still to decide about"),
    Field("kind", (GOODS,), f"the good now placed, one-hot: {_G}"),
    Field("owed", (GOODS,), f"pieces still to pay: {_G}"),
    Field("owed_any", (1,), "pieces of any good still to pay"),
    Field("gains", (1,), "pieces of choice still to name"),
    Field("chosen", (PRODUCTIONS,), "productions chosen: base, slots, leaders"),
    Field("now", (PRODUCTIONS,), "the production now described, one-hot"),
    Field("promised", (GOODS,), f"what the production will give: {_G}"),
    Field("promised_faith", (1,), "and its faith"),
    Field("discarded", (1,), "goods discarded so far"),
)
OBSERVATION_SIZE = sum(prod(field.shape) for field in LAYOUT)
OFFSETS = {
    field.name: sum(prod(before.shape) for before in LAYOUT[:k]) for k, field in enumerate(LAYOUT)
}
SEAT_OFFSETS = {
    field.name: sum(prod(before.shape) for before in SEAT_FIELDS[:k])
    for k, field in enumerate(SEAT_FIELDS)
}

TRANSACTION_AT, SEATS_AT = OFFSETS["transaction"], OFFSETS["seats"]
POSITION_AT = OFFSETS["position"]
TURN_AT, FLAGS_AT, MARKET_AT = OFFSETS["turn"], OFFSETS["main_done"], OFFSETS["market"]
GRID_AT, SEAT_AT = OFFSETS["grid"], OFFSETS["seat_0_present"]
LEADERS_AT, STATES_AT, LORENZO_AT = OFFSETS["leaders"], OFFSETS["leader_states"], OFFSETS["cross"]
PENDING_AT = OFFSETS["to_place"]
SHELVES_AT, DEPOTS_AT, OPEN_AT = (
    SEAT_OFFSETS["shelves"],
    SEAT_OFFSETS["depots"],
    SEAT_OFFSETS["depots_open"],
)
STRONGBOX_AT, SLOTS_AT, HAND_AT = (
    SEAT_OFFSETS["strongbox"],
    SEAT_OFFSETS["slots"],
    SEAT_OFFSETS["leaders_in_hand"],
)
SLOT_WIDTH, MARBLE_COLOURS, COLOUR_COUNT, LEADER_COUNT = 22, 6, 4, 16
