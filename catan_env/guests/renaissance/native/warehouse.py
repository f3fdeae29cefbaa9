"""Shelves, the depots of leaders, and the strongbox.

A place is shelf 0, 1, 2 (for 1, 2, 3 pieces) or 3, 4: the depot of the seat's leader 0, 1. A
source of payment is the shelf with the good, its depot, or the strongbox.
"""

from catan_env.guests.renaissance.native.actions import (
    DEPOT_SOURCE,
    DISCARD_PLACE,
    MAX_SWAPS,
    SHELF,
    SOURCES,
    SWAPS,
)
from catan_env.guests.renaissance.native.cards import AMOUNT, DEPOT, GOOD, GOODS, KIND
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    EMPTY,
    KEPT,
    MARKET,
    NOBODY,
    SHELVES,
)
from catan_env.kernel.jit import compiled


@compiled
def has_active(g, seat, i, kind):
    """True if the seat's leader `i` is active and of that kind."""
    return g.leader_state[seat, i] == ACTIVE and g.leaders[g.leader[seat, i], KIND] == kind


@compiled
def leader_good(g, seat, i):
    """The good of the seat's leader `i`."""
    return g.leaders[g.leader[seat, i], GOOD]


@compiled
def shelf_of(g, seat, good):
    """The shelf with `good`, or NOBODY (R031: at most one)."""
    for shelf in range(SHELVES):
        if g.shelf_good[seat, shelf] == good:
            return shelf
    return NOBODY


@compiled
def depot_of(g, seat, good):
    """The seat's leader with an open depot for `good`, or NOBODY."""
    for i in range(KEPT):
        if has_active(g, seat, i, DEPOT) and leader_good(g, seat, i) == good:
            return i
    return NOBODY


@compiled
def available(g, seat, good, source):
    """The pieces of `good` in a source."""
    if source == SHELF:
        shelf = shelf_of(g, seat, good)
        return g.shelf_count[seat, shelf] if shelf != NOBODY else 0
    if source == DEPOT_SOURCE:
        i = depot_of(g, seat, good)
        return g.depot[seat, i] if i != NOBODY else 0
    return g.strongbox[seat, good]


@compiled
def count_of(g, seat, good):
    """The pieces of `good` in all containers."""
    total = 0
    for source in range(SOURCES):
        total += available(g, seat, good, source)
    return total


@compiled
def count_goods(g, seat):
    """The pieces of all goods in all containers."""
    total = 0
    for good in range(GOODS):
        total += count_of(g, seat, good)
    return total


@compiled
def take(g, seat, good, source):
    """Take a piece out of a source."""
    if source == SHELF:
        shelf = shelf_of(g, seat, good)
        g.shelf_count[seat, shelf] -= 1
        if g.shelf_count[seat, shelf] == 0:
            g.shelf_good[seat, shelf] = EMPTY
    elif source == DEPOT_SOURCE:
        g.depot[seat, depot_of(g, seat, good)] -= 1
    else:
        g.strongbox[seat, good] -= 1


@compiled
def can_place(g, seat, good, place):
    """True if one more piece of `good` fits in a place (R030-R035), or may be discarded."""
    if place == DISCARD_PLACE:
        return g.transaction == MARKET
    if place < SHELVES:
        holder = shelf_of(g, seat, good)
        return g.shelf_count[seat, place] <= place and (
            holder == place or (holder == NOBODY and g.shelf_count[seat, place] == 0)
        )
    i = place - SHELVES
    return (
        has_active(g, seat, i, DEPOT)
        and leader_good(g, seat, i) == good
        and g.depot[seat, i] < g.leaders[g.leader[seat, i], AMOUNT]
    )


@compiled
def put(g, seat, good, place):
    """Put a piece of `good` in a place."""
    if place < SHELVES:
        g.shelf_good[seat, place] = good
        g.shelf_count[seat, place] += 1
    elif place == DISCARD_PLACE:
        g.discarded += 1
    else:
        g.depot[seat, place - SHELVES] += 1


@compiled
def good_on(g, seat, place):
    """The kind of good in a place, or EMPTY."""
    if place < SHELVES:
        return g.shelf_good[seat, place]
    i = place - SHELVES
    return leader_good(g, seat, i) if g.depot[seat, i] > 0 else EMPTY


@compiled
def count_on(g, seat, place):
    """The number of pieces in a place."""
    return g.shelf_count[seat, place] if place < SHELVES else g.depot[seat, place - SHELVES]


@compiled
def holds_contents(g, seat, place, other, good, count):
    """True if a place could take `count` pieces of `good`, now in the place `other` (R036)."""
    if count == 0:
        return True
    if place >= SHELVES:
        i = place - SHELVES
        return good == leader_good(g, seat, i) and count <= g.leaders[g.leader[seat, i], AMOUNT]
    holder = shelf_of(g, seat, good)
    return count <= place + 1 and (holder == NOBODY or holder == other or holder == place)


@compiled
def exchange_fits(g, seat, a, b):
    """True if the whole contents of two existing places may be exchanged (R036)."""
    for place in (a, b):
        if place >= SHELVES and not has_active(g, seat, place - SHELVES, DEPOT):
            return False
    good_a, count_a = good_on(g, seat, a), count_on(g, seat, a)
    good_b, count_b = good_on(g, seat, b), count_on(g, seat, b)
    return holds_contents(g, seat, b, a, good_a, count_a) and holds_contents(
        g, seat, a, b, good_b, count_b
    )


@compiled
def can_swap(g, seat, swap):
    """True if the mask contains an exchange: it fits, changes something, and is not the fifth."""
    a, b = SWAPS[swap, 0], SWAPS[swap, 1]
    if g.swaps >= MAX_SWAPS or not exchange_fits(g, seat, a, b):
        return False
    return good_on(g, seat, a) != good_on(g, seat, b) or count_on(g, seat, a) != count_on(
        g, seat, b
    )


@compiled
def fill(g, seat, place, good, count):
    """Set the contents of a place."""
    if place < SHELVES:
        g.shelf_good[seat, place] = good if count > 0 else EMPTY
        g.shelf_count[seat, place] = count
    else:
        g.depot[seat, place - SHELVES] = count


@compiled
def exchange(g, seat, a, b):
    """Exchange the whole contents of two places."""
    good_a, count_a = good_on(g, seat, a), count_on(g, seat, a)
    good_b, count_b = good_on(g, seat, b), count_on(g, seat, b)
    fill(g, seat, a, good_b, count_b)
    fill(g, seat, b, good_a, count_a)
    g.swaps = min(g.swaps + 1, MAX_SWAPS)


@compiled
def remember_containers(g, seat):
    """Record what the seat holds, which other seats see until the sequence is complete."""
    for shelf in range(SHELVES):
        g.was_shelf_good[shelf] = g.shelf_good[seat, shelf]
        g.was_shelf_count[shelf] = g.shelf_count[seat, shelf]
    for i in range(KEPT):
        g.was_depot[i] = g.depot[seat, i]
    for good in range(GOODS):
        g.was_strongbox[good] = g.strongbox[seat, good]


@compiled
def restore_containers(g, seat):
    """Restore what the seat held before an incomplete sequence."""
    for shelf in range(SHELVES):
        g.shelf_good[seat, shelf] = g.was_shelf_good[shelf]
        g.shelf_count[seat, shelf] = g.was_shelf_count[shelf]
    for i in range(KEPT):
        g.depot[seat, i] = g.was_depot[i]
    for good in range(GOODS):
        g.strongbox[seat, good] = g.was_strongbox[good]


@compiled
def clear_sequence(g):
    """Clear the current sequence of decisions."""
    g.transaction = -1
    g.line = g.kind = g.now = g.card = g.into = g.last = NOBODY
    g.whites = g.owed_any = g.gains = g.discarded = g.promised_faith = 0
    for good in range(GOODS):
        g.to_place[good] = g.owed[good] = g.promised[good] = g.was_strongbox[good] = 0
    for k in range(6):
        g.chosen[k] = 0
    for shelf in range(SHELVES):
        g.was_shelf_good[shelf] = g.was_shelf_count[shelf] = 0
    for i in range(KEPT):
        g.was_depot[i] = 0
