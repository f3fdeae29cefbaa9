"""The observation of one seat: 886 bytes with a named layout.

Seats are relative: 0 is the observer, then in turn order; missing seats are zeros. The acting
seat sees what it has placed and paid so far, the other seats the state before its sequence.
"""

from catan_env.guests.renaissance.native.actions import MAX_SWAPS, PRODUCTIONS
from catan_env.guests.renaissance.native.cards import (
    CARD_FAITH,
    COLOUR,
    COST,
    DEPOT,
    GOODS,
    INPUT,
    LEVELS,
    MARBLES,
    NUM_TOKENS,
    OUTPUT,
    POINTS,
)
from catan_env.guests.renaissance.native.layout import (
    COLOUR_COUNT,
    DEPOTS_AT,
    FLAGS_AT,
    GRID_AT,
    HAND_AT,
    LEADER_COUNT,
    LEADERS_AT,
    LORENZO_AT,
    MARBLE_COLOURS,
    MARKET_AT,
    OBSERVATION_SIZE,
    OPEN_AT,
    PENDING_AT,
    POSITION_AT,
    SEAT_AT,
    SEAT_WIDTH,
    SEATS_AT,
    SHELVES_AT,
    SLOT_WIDTH,
    SLOTS_AT,
    STATES_AT,
    STRONGBOX_AT,
    TRANSACTION_AT,
    TURN_AT,
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
    SHELVES,
    SLOTS,
    WON,
)
from catan_env.guests.renaissance.native.track import points_of
from catan_env.guests.renaissance.native.warehouse import has_active, leader_good
from catan_env.kernel.jit import compiled

MOST = 255


@compiled
def observe(g, viewer, out, row):
    """Write the observation of seat `viewer` into `out[row]`: (OBSERVATION_SIZE,) uint8."""
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


@compiled
def decides(g, viewer):
    """True if the viewer is the acting seat."""
    return g.seat == viewer and g.phase != OVER


@compiled
def observe_turn(g, viewer, out, row):
    """Write the state of the turn."""
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


@compiled
def observe_market(g, out, row):
    """Write the marbles."""
    for k in range(len(MARBLES)):
        out[row, MARKET_AT + MARBLE_COLOURS * k + g.market[k]] = 1


@compiled
def observe_grid(g, out, row):
    """Write the top cards and the heights of the stacks."""
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


@compiled
def observe_seat(g, viewer, step, out, row):
    """Write the public information about a seat; of its set-up only the result."""
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


@compiled
def observe_containers(g, seat, out, row, at):
    """Write the current contents of a seat's containers."""
    for shelf in range(SHELVES):
        if g.shelf_count[seat, shelf] > 0:
            kind = g.shelf_good[seat, shelf]
            out[row, at + SHELVES_AT + GOODS * shelf + kind] = g.shelf_count[seat, shelf]
    for i in range(KEPT):
        if has_active(g, seat, i, DEPOT):
            out[row, at + DEPOTS_AT + leader_good(g, seat, i)] = g.depot[seat, i]
    for good in range(GOODS):
        out[row, at + STRONGBOX_AT + good] = min(g.strongbox[seat, good], MOST)


@compiled
def observe_containers_before(g, out, row, at):
    """Write the contents of the acting seat's containers before its sequence of decisions."""
    for shelf in range(SHELVES):
        if g.was_shelf_count[shelf] > 0:
            kind = g.was_shelf_good[shelf]
            out[row, at + SHELVES_AT + GOODS * shelf + kind] = g.was_shelf_count[shelf]
    for i in range(KEPT):
        if has_active(g, g.seat, i, DEPOT):
            out[row, at + DEPOTS_AT + leader_good(g, g.seat, i)] = g.was_depot[i]
    for good in range(GOODS):
        out[row, at + STRONGBOX_AT + good] = min(g.was_strongbox[good], MOST)


@compiled
def observe_slot(g, seat, slot, out, row, at):
    """Write the cards of a slot; only the top one produces."""
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


@compiled
def observe_leaders_of(g, seat, is_known, out, row, at):
    """Write the numbers of leaders in hand and discarded, and the active ones."""
    if not is_known or not g.has_kept[seat]:
        out[row, at + HAND_AT] = DEALT
        return
    for i in range(KEPT):
        state = g.leader_state[seat, i]
        if state == ACTIVE:
            out[row, at + HAND_AT + 2 + g.leader[seat, i]] = 1
            kind, good = g.leaders[g.leader[seat, i], 0], leader_good(g, seat, i)
            if kind == DEPOT:
                out[row, at + OPEN_AT + good] = 1
        elif state == IN_HAND:
            out[row, at + HAND_AT] += 1
        else:
            out[row, at + HAND_AT + 1] += 1


@compiled
def observe_leaders(g, viewer, out, row):
    """Write the observer's own leaders."""
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


@compiled
def observe_lorenzo(g, out, row):
    """Write the cross and the tokens."""
    out[row, LORENZO_AT] = g.cross
    for token in range(NUM_TOKENS):
        out[row, LORENZO_AT + 1 + token] = g.token_out[token]
    if g.last_token != EMPTY:
        out[row, LORENZO_AT + 1 + NUM_TOKENS + g.last_token] = 1


@compiled
def observe_pending(g, out, row):
    """Write the current sequence of decisions."""
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
