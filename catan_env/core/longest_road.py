"""Longest Road: the longest trail of a seat's roads, and the holder of the card (C159-C180).

A trail uses no edge twice; it may pass a vertex twice, and ends at another seat's building.
"""

from catan_env.core.board import EDGE_ENDS, EDGES_AT, HALF
from catan_env.core.constants import AWARD, LONGEST_ROAD_MINIMUM, NOBODY
from catan_env.kernel.bits import bit, holds, lowest_bit
from catan_env.kernel.jit import inline


@inline
def has_road(low, high, edge):
    """True if the edge set (`low`, `high`) contains `edge`."""
    return holds(low, edge) if edge < HALF else holds(high, edge - HALF)


@inline
def next_edge(low, high, vertex, after):
    """The first edge above `after` at `vertex` that is in the edge set, or -1."""
    for k in range(3):
        edge = EDGES_AT[vertex, k]
        if edge > after and has_road(low, high, edge):
            return edge
    return -1


@inline
def longest_through(g, seat, edge):
    """The length of the longest trail of `seat` that uses its road at `edge`.

    Walks every trail that starts with `edge`: first from one end as far as possible, then from the
    other end. Extending the first side to its limit misses nothing: if the second side contains an
    edge that the first could have taken, the same trail can be read with that edge on the first
    side.
    """
    walls = g.built & ~(g.settlements[seat] | g.cities[seat])
    low, high = g.roads[seat, 0], g.roads[seat, 1]
    low, high = without(low, high, edge)
    here, other_end = EDGE_ENDS[edge, 0], EDGE_ENDS[edge, 1]
    turned = -1  # the depth at which the walk moved to the other end
    depth, best, after = 0, 1, -1
    while True:
        step = -1 if holds(walls, here) else next_edge(low, high, here, after)
        if step >= 0:
            low, high = without(low, high, step)
            g.trail[depth] = step
            depth += 1
            best = max(best, depth + 1)
            here = EDGE_ENDS[step, 0] + EDGE_ENDS[step, 1] - here
            after = -1
        elif after < 0 and turned < 0:  # a dead end of the first side: continue with the second
            turned = depth
            here, other_end = other_end, here
        else:
            if depth == turned:  # the second side is exhausted: back to the first
                here, other_end = other_end, here
                turned = -1
            if depth == 0:
                return best
            depth -= 1
            after = int(g.trail[depth])
            g.trail[depth] = 0
            low, high = within(low, high, after)
            here = EDGE_ENDS[after, 0] + EDGE_ENDS[after, 1] - here


@inline
def without(low, high, edge):
    """The edge set without `edge`."""
    if edge < HALF:
        return low & ~bit(edge), high
    return low, high & ~bit(edge - HALF)


@inline
def within(low, high, edge):
    """The edge set with `edge`."""
    if edge < HALF:
        return low | bit(edge), high
    return low, high | bit(edge - HALF)


@inline
def longest_road(g, seat):
    """The length of the seat's longest trail, searched from each of its roads."""
    best = 0
    for half in range(2):
        left = g.roads[seat, half]
        while left:
            edge = lowest_bit(left) + half * HALF
            left &= left - 1
            best = max(best, longest_through(g, seat, edge))
    return best


@inline
def award_longest_road(g):
    """Give the card to its current owner: in a tie the holder, otherwise the single longest road.

    If the holder's road is cut and others tie, or no seat has five, the card is set aside (C173,
    C174) until one seat alone has the longest (C175, C176). It may not be in play at all.
    """
    most, owner, tied = 0, NOBODY, False
    for seat in range(g.seats):
        length = g.road_length[seat]
        if length > most:
            most, owner, tied = length, seat, False
        elif length == most:
            tied = True
    holder = g.longest_road
    if most < LONGEST_ROAD_MINIMUM or not g.awards:
        owner = NOBODY
    elif holder != NOBODY and g.road_length[holder] == most:
        owner = holder
    elif tied:
        owner = NOBODY
    if owner != holder:
        if holder != NOBODY:
            g.points[holder] -= AWARD
        if owner != NOBODY:
            g.points[owner] += AWARD
        g.longest_road = owner
