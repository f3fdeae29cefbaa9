"""Shelves, the depots of leaders, and the strongbox.

A place is shelf 0, 1, 2 (of 1, 2, 3 pieces) or 3, 4: the depot of the seat's leader 0, 1. A
source to pay from is the shelf that holds the good, its depot, or the strongbox.
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
from catan_env.kernel.jit import part


@part
def has_active(g, seat, i, kind):
    """Whether the seat's leader `i` is active and of that kind."""
    return g.leader_state[seat, i] == ACTIVE and g.leaders[g.leader[seat, i], KIND] == kind


@part
def leader_good(g, seat, i):
    """The good of the seat's leader `i`."""
    return g.leaders[g.leader[seat, i], GOOD]


@part
def shelf_of(g, seat, good):
    """The shelf that holds `good`, or NOBODY (R031: there is one at most)."""
    for shelf in range(SHELVES):
        if g.shelf_good[seat, shelf] == good:
            return shelf
    return NOBODY


@part
def depot_of(g, seat, good):
    """The seat's leader whose open depot is for `good`, or NOBODY."""
    for i in range(KEPT):
        if has_active(g, seat, i, DEPOT) and leader_good(g, seat, i) == good:
            return i
    return NOBODY


@part
def available(g, seat, good, source):
    """Pieces of `good` in that source."""
    if source == SHELF:
        shelf = shelf_of(g, seat, good)
        return g.shelf_count[seat, shelf] if shelf != NOBODY else 0
    if source == DEPOT_SOURCE:
        i = depot_of(g, seat, good)
        return g.depot[seat, i] if i != NOBODY else 0
    return g.strongbox[seat, good]


@part
def count_of(g, seat, good):
    """Pieces of `good` in all containers."""
    total = 0
    for source in range(SOURCES):
        total += available(g, seat, good, source)
    return total


@part
def count_goods(g, seat):
    """Pieces of any good in all containers."""
    total = 0
    for good in range(GOODS):
        total += count_of(g, seat, good)
    return total


@part
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


@part
def can_place(g, seat, good, place):
    """Whether one more piece of `good` fits on a place (R030-R035), or may be discarded."""
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


@part
def put(g, seat, good, place):
    """Put a piece of `good` on a place."""
    if place < SHELVES:
        g.shelf_good[seat, place] = good
        g.shelf_count[seat, place] += 1
    elif place == DISCARD_PLACE:
        g.discarded += 1
    else:
        g.depot[seat, place - SHELVES] += 1


@part
def good_on(g, seat, place):
    """The kind of good that lies on a place, or EMPTY."""
    if place < SHELVES:
        return g.shelf_good[seat, place]
    i = place - SHELVES
    return leader_good(g, seat, i) if g.depot[seat, i] > 0 else EMPTY


@part
def count_on(g, seat, place):
    """Pieces that lie on a place."""
    return g.shelf_count[seat, place] if place < SHELVES else g.depot[seat, place - SHELVES]


@part
def holds_contents(g, seat, place, other, good, count):
    """Whether a place could hold `count` pieces of `good`, which lie on `other` now (R036)."""
    if count == 0:
        return True
    if place >= SHELVES:
        i = place - SHELVES
        return good == leader_good(g, seat, i) and count <= g.leaders[g.leader[seat, i], AMOUNT]
    holder = shelf_of(g, seat, good)
    return count <= place + 1 and (holder == NOBODY or holder == other or holder == place)


@part
def exchange_fits(g, seat, a, b):
    """Whether the whole contents of two places, which are there, may change sides (R036)."""
    for place in (a, b):
        if place >= SHELVES and not has_active(g, seat, place - SHELVES, DEPOT):
            return False
    good_a, count_a = good_on(g, seat, a), count_on(g, seat, a)
    good_b, count_b = good_on(g, seat, b), count_on(g, seat, b)
    return holds_contents(g, seat, b, a, good_a, count_a) and holds_contents(
        g, seat, a, b, good_b, count_b
    )


@part
def can_swap(g, seat, swap):
    """Whether the mask offers an exchange: it fits, changes something, and is no fifth."""
    a, b = SWAPS[swap, 0], SWAPS[swap, 1]
    if g.swaps >= MAX_SWAPS or not exchange_fits(g, seat, a, b):
        return False
    return good_on(g, seat, a) != good_on(g, seat, b) or count_on(g, seat, a) != count_on(
        g, seat, b
    )


@part
def fill(g, seat, place, good, count):
    """Let a place hold exactly this."""
    if place < SHELVES:
        g.shelf_good[seat, place] = good if count > 0 else EMPTY
        g.shelf_count[seat, place] = count
    else:
        g.depot[seat, place - SHELVES] = count


@part
def exchange(g, seat, a, b):
    """Exchange the whole contents of two places."""
    good_a, count_a = good_on(g, seat, a), count_on(g, seat, a)
    good_b, count_b = good_on(g, seat, b), count_on(g, seat, b)
    fill(g, seat, a, good_b, count_b)
    fill(g, seat, b, good_a, count_a)
    g.swaps = min(g.swaps + 1, MAX_SWAPS)


@part
def remember_containers(g, seat):
    """Keep what the seat holds, for others see it until a sequence is complete."""
    for shelf in range(SHELVES):
        g.was_shelf_good[shelf] = g.shelf_good[seat, shelf]
        g.was_shelf_count[shelf] = g.shelf_count[seat, shelf]
    for i in range(KEPT):
        g.was_depot[i] = g.depot[seat, i]
    for good in range(GOODS):
        g.was_strongbox[good] = g.strongbox[seat, good]


@part
def restore_containers(g, seat):
    """Give the seat back what it held before an incomplete sequence."""
    for shelf in range(SHELVES):
        g.shelf_good[seat, shelf] = g.was_shelf_good[shelf]
        g.shelf_count[seat, shelf] = g.was_shelf_count[shelf]
    for i in range(KEPT):
        g.depot[seat, i] = g.was_depot[i]
    for good in range(GOODS):
        g.strongbox[seat, good] = g.was_strongbox[good]


@part
def clear_sequence(g):
    """No sequence of decisions is under way."""
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
