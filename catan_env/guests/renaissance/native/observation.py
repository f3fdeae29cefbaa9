"""What one seat knows, as 886 bytes with a named layout.

Seats are relative: 0 is the observer, then in turn order; seats that are not there are zeros. The
deciding seat sees what it has placed and paid so far, everybody else what was there before.
"""

from math import prod
from typing import NamedTuple

from catan_env.core.jit import part
from catan_env.guests.renaissance.native.actions import MAX_SWAPS, PRODUCTIONS
from catan_env.guests.renaissance.native.cards import (
    CARD_FAITH,
    COLOUR,
    COST,
    GOODS,
    INPUT,
    LEVELS,
    MARBLES,
    NUM_TOKENS,
    OUTPUT,
    POINTS,
)
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    DEALT,
    DISCARDED,
    EMPTY,
    IN_HAND,
    KEPT,
    LOST,
    NOBODY,
    NONE,
    OVER,
    POPES,
    SEATS,
    SHELVES,
    SLOTS,
    WON,
)
from catan_env.guests.renaissance.native.track import points_of
from catan_env.guests.renaissance.native.warehouse import has_active, leader_good

OBSERVATION_VERSION = 1
DEPOT_KIND = 1
MOST = 255


class Field(NamedTuple):
    """A named stretch of the observation: its shape (row-major) and what it holds."""

    name: str
    shape: tuple[int, ...]
    meaning: str


_G = "coin, stone, servant, shield"
_S = "by relative seat (0: the observer, then in turn order)"
_SEAT = (
    Field("present", (1,), "1 where somebody plays"),
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
SEAT_WIDTH = sum(prod(field.shape) for field in _SEAT)

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
        for field in _SEAT
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
    field.name: sum(prod(before.shape) for before in _SEAT[:k]) for k, field in enumerate(_SEAT)
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


@part
def observe(g, viewer, out, row):
    """Write what seat `viewer` knows into `out[row]`: (OBSERVATION_SIZE,) uint8."""
    for k in range(OBSERVATION_SIZE):
        out[row, k] = 0
    observe_turn(g, viewer, out, row)
    observe_market(g, out, row)
    observe_grid(g, out, row)
    for step in range(g.seats):
        observe_seat(g, viewer, step, out, row)
    observe_leaders(g, viewer, out, row)
    if g.seats == 1:
        observe_lorenzo(g, out, row)
    if decides(g, viewer):
        observe_pending(g, out, row)


@part
def decides(g, viewer):
    """Whether the decision is the viewer's."""
    return g.seat == viewer and g.phase != OVER


@part
def observe_turn(g, viewer, out, row):
    """Where the turn stands."""
    if decides(g, viewer):
        out[row, g.phase] = 1
        if g.transaction != NONE:
            out[row, TRANSACTION_AT + g.transaction] = 1
    out[row, SEATS_AT + g.seats - 1] = 1
    out[row, POSITION_AT + viewer] = 1
    if g.is_playing:
        out[row, TURN_AT + (g.turn_seat - viewer + g.seats) % g.seats] = 1
        if g.turn_seat == viewer:
            out[row, FLAGS_AT + 2] = MAX_SWAPS - g.swaps
    out[row, FLAGS_AT] = g.main_done
    out[row, FLAGS_AT + 1] = g.last_round


@part
def observe_market(g, out, row):
    """The marbles."""
    for k in range(len(MARBLES)):
        out[row, MARKET_AT + MARBLE_COLOURS * k + g.market[k]] = 1


@part
def observe_grid(g, out, row):
    """The top cards, and how many lie in each stack."""
    for colour in range(COLOUR_COUNT):
        for level in range(LEVELS):
            at = GRID_AT + 16 * (LEVELS * colour + level)
            card = g.top[colour, level]
            if card != EMPTY:
                out[row, at] = 1
                out[row, at + 1] = g.dev[card, POINTS]
                for k in range(3 * GOODS + 1):
                    out[row, at + 2 + k] = g.dev[card, COST + k]
            out[row, at + 15] = g.left[colour, level]


@part
def observe_seat(g, viewer, step, out, row):
    """What everybody sees of a seat; of its set-up only the end."""
    seat = (viewer + step) % g.seats
    at = SEAT_AT + SEAT_WIDTH * step
    out[row, at] = 1
    out[row, at + 1] = 1 - g.away[seat]
    out[row, at + 2] = g.faith[seat]
    out[row, at + 3] = points_of(g, seat)
    for k in range(POPES):
        out[row, at + 4 + k] = g.tile[seat, k] == WON
        out[row, at + 4 + POPES + k] = g.tile[seat, k] == LOST
    if seat == viewer or g.is_playing:
        if seat != viewer and seat == g.seat and g.transaction != NONE:
            observe_containers_before(g, out, row, at)
        else:
            observe_containers(g, seat, out, row, at)
    for slot in range(SLOTS):
        observe_slot(g, seat, slot, out, row, at + SLOTS_AT + SLOT_WIDTH * slot)
    observe_leaders_of(g, seat, seat == viewer or g.is_playing == 1, out, row, at)


@part
def observe_containers(g, seat, out, row, at):
    """What lies in a seat's containers now."""
    for shelf in range(SHELVES):
        if g.shelf_count[seat, shelf] > 0:
            kind = g.shelf_good[seat, shelf]
            out[row, at + SHELVES_AT + GOODS * shelf + kind] = g.shelf_count[seat, shelf]
    for i in range(KEPT):
        if has_active(g, seat, i, DEPOT_KIND):
            out[row, at + DEPOTS_AT + leader_good(g, seat, i)] = g.depot[seat, i]
    for good in range(GOODS):
        out[row, at + STRONGBOX_AT + good] = min(g.strongbox[seat, good], MOST)


@part
def observe_containers_before(g, out, row, at):
    """What lay in the deciding seat's containers before its sequence of decisions."""
    for shelf in range(SHELVES):
        if g.was_shelf_count[shelf] > 0:
            kind = g.was_shelf_good[shelf]
            out[row, at + SHELVES_AT + GOODS * shelf + kind] = g.was_shelf_count[shelf]
    for i in range(KEPT):
        if has_active(g, g.seat, i, DEPOT_KIND):
            out[row, at + DEPOTS_AT + leader_good(g, g.seat, i)] = g.was_depot[i]
    for good in range(GOODS):
        out[row, at + STRONGBOX_AT + good] = min(g.was_strongbox[good], MOST)


@part
def observe_slot(g, seat, slot, out, row, at):
    """The cards of a slot; only the top one still produces."""
    height = g.height[seat, slot]
    out[row, at] = height
    for level in range(height):
        colour = g.dev[g.slot[seat, slot, level], COLOUR]
        out[row, at + 1 + COLOUR_COUNT * level + colour] = 1
    if height > 0:
        top = g.slot[seat, slot, height - 1]
        for good in range(GOODS):
            out[row, at + 13 + good] = g.dev[top, INPUT + good]
            out[row, at + 17 + good] = g.dev[top, OUTPUT + good]
        out[row, at + 21] = g.dev[top, CARD_FAITH]


@part
def observe_leaders_of(g, seat, is_known, out, row, at):
    """How many leaders a seat holds and has discarded, and which are active."""
    if not is_known or not g.has_kept[seat]:
        out[row, at + HAND_AT] = DEALT
        return
    for i in range(KEPT):
        state = g.leader_state[seat, i]
        if state == ACTIVE:
            out[row, at + HAND_AT + 2 + g.leader[seat, i]] = 1
            kind, good = g.leaders[g.leader[seat, i], 0], leader_good(g, seat, i)
            if kind == DEPOT_KIND:
                out[row, at + OPEN_AT + good] = 1
        elif state == IN_HAND:
            out[row, at + HAND_AT] += 1
        else:
            out[row, at + HAND_AT + 1] += 1


@part
def observe_leaders(g, viewer, out, row):
    """The observer's own leaders."""
    if not g.has_kept[viewer]:
        for k in range(DEALT):
            if g.dealt[viewer, k] != EMPTY:
                out[row, LEADERS_AT + LEADER_COUNT * k + g.dealt[viewer, k]] = 1
        return
    for i in range(KEPT):
        if g.leader[viewer, i] != EMPTY:
            out[row, LEADERS_AT + LEADER_COUNT * i + g.leader[viewer, i]] = 1
        out[row, STATES_AT + 3 * i + IN_HAND] = g.leader_state[viewer, i] == IN_HAND
        out[row, STATES_AT + 3 * i + 1] = g.leader_state[viewer, i] == ACTIVE
        out[row, STATES_AT + 3 * i + 2] = g.leader_state[viewer, i] == DISCARDED


@part
def observe_lorenzo(g, out, row):
    """The cross and the tokens."""
    out[row, LORENZO_AT] = g.cross
    for token in range(NUM_TOKENS):
        out[row, LORENZO_AT + 1 + token] = g.token_out[token]
    if g.last_token != EMPTY:
        out[row, LORENZO_AT + 1 + NUM_TOKENS + g.last_token] = 1


@part
def observe_pending(g, out, row):
    """The sequence of decisions so far."""
    at = PENDING_AT
    for good in range(GOODS):
        out[row, at + good] = g.to_place[good]
        out[row, at + 9 + good] = g.owed[good]
        out[row, at + 27 + good] = min(g.promised[good], MOST)
    out[row, at + 4] = g.whites
    if g.kind != NOBODY:
        out[row, at + 5 + g.kind] = 1
    out[row, at + 13] = g.owed_any
    out[row, at + 14] = g.gains
    for production in range(PRODUCTIONS):
        out[row, at + 15 + production] = g.chosen[production]
        out[row, at + 21 + production] = g.now == production
    out[row, at + 31] = min(g.promised_faith, MOST)
    out[row, at + 32] = g.discarded
