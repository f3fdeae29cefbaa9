"""Roads, settlements and cities: where they may be built, and the effects of building them."""

from catan_env.core.board import (
    ALL_VERTICES,
    EDGE_ENDS,
    EDGES_AT,
    HALF,
    VERTEX_EDGE_SET,
    VERTEX_NEIGHBOUR_SET,
)
from catan_env.core.constants import (
    BRICK,
    CITY_PIECE,
    CITY_PRICE,
    GENERIC,
    GRAIN,
    HARBOURS,
    LUMBER,
    ORE,
    RESOURCES,
    ROAD_PIECE,
    ROAD_PRICE,
    SETTLEMENT_PIECE,
    SETTLEMENT_PRICE,
    WOOL,
)
from catan_env.core.hands import pay_bank
from catan_env.core.longest_road import award_longest_road, has_road, longest_road, longest_through
from catan_env.kernel.bits import bit, count_bits, holds, lowest_bit, word_of
from catan_env.kernel.jit import inline

ROAD_COST, SETTLEMENT_COST = (  # of each, one card
    word_of([r for r in range(RESOURCES) if price[r]]) for price in (ROAD_PRICE, SETTLEMENT_PRICE)
)
CITY_ORE, CITY_GRAIN = CITY_PRICE[ORE], CITY_PRICE[GRAIN]


@inline
def can_pay_city(g, seat):
    """True if the hand contains the ore and grain of a city (C009)."""
    return (g.hand[seat, ORE] >= CITY_ORE) & (g.hand[seat, GRAIN] >= CITY_GRAIN)


@inline
def has_road_spot(g, seat):
    """True if the seat has a road piece and a place for it."""
    spots = g.road_spots[seat, 0] | g.road_spots[seat, 1]
    return (g.pieces[seat, ROAD_PIECE] > 0) & (spots != 0)


@inline
def settlement_spots(g, seat):
    """The vertices where the seat's roads allow a settlement (C097)."""
    return g.reach[seat] & ~g.blocked & ALL_VERTICES


@inline
def rivals_at(g, seat):
    """The vertices that other seats have built on, where the seat's roads end (C089)."""
    return g.built & ~(g.settlements[seat] | g.cities[seat])


@inline
def pay_road(g, seat):
    """Pay for a road."""
    pay_bank(g, seat, BRICK, 1)
    pay_bank(g, seat, LUMBER, 1)


@inline
def pay_settlement(g, seat):
    """Pay for a settlement."""
    pay_road(g, seat)
    pay_bank(g, seat, WOOL, 1)
    pay_bank(g, seat, GRAIN, 1)


@inline
def pay_city(g, seat):
    """Pay for a city."""
    pay_bank(g, seat, ORE, CITY_ORE)
    pay_bank(g, seat, GRAIN, CITY_GRAIN)


@inline
def open_spots_at(g, seat, vertex):
    """Add the free edges at `vertex`, where the seat's network has arrived, to its road spots."""
    for half in range(2):
        g.road_spots[seat, half] |= VERTEX_EDGE_SET[vertex, half] & ~g.laid[half]


@inline
def open_network(g, seat):
    """Compute the vertices that the seat's roads reach, and its road spots (C088-C090)."""
    g.reach[seat] = 0
    for half in range(2):
        left = g.roads[seat, half]
        while left:
            edge = lowest_bit(left) + half * HALF
            left &= left - 1
            g.reach[seat] |= bit(EDGE_ENDS[edge, 0]) | bit(EDGE_ENDS[edge, 1])
    ends = (g.settlements[seat] | g.cities[seat] | g.reach[seat]) & ~rivals_at(g, seat)
    while ends:
        open_spots_at(g, seat, lowest_bit(ends))
        ends &= ends - 1


@inline
def build_road(g, seat, edge):
    """Build a road from the stock, and update Longest Road."""
    half = 0 if edge < HALF else 1
    mark = bit(edge - half * HALF)
    g.pieces[seat, ROAD_PIECE] -= 1
    g.roads[seat, half] |= mark
    g.laid[half] |= mark
    for other in range(g.seats):
        g.road_spots[other, half] &= ~mark
    walls = rivals_at(g, seat)
    for k in range(2):
        end = EDGE_ENDS[edge, k]
        g.reach[seat] |= bit(end)
        if not holds(walls, end):
            open_spots_at(g, seat, end)
    g.road_length[seat] = max(g.road_length[seat], longest_through(g, seat, edge))
    award_longest_road(g)


@inline
def build_settlement(g, seat, vertex):
    """Build a settlement from the stock; it takes its harbour and may cut rivals' roads."""
    g.pieces[seat, SETTLEMENT_PIECE] -= 1
    g.settlements[seat] |= bit(vertex)
    g.built |= bit(vertex)
    g.blocked |= bit(vertex) | VERTEX_NEIGHBOUR_SET[vertex]
    g.points[seat] += 1
    open_spots_at(g, seat, vertex)
    take_harbour(g, seat, vertex)
    for rival in range(g.seats):
        if rival != seat and holds(g.reach[rival], vertex):
            cut_roads(g, rival, vertex)


@inline
def build_city(g, seat, vertex):
    """Replace a settlement, which returns to the stock, by a city (C102)."""
    g.pieces[seat, CITY_PIECE] -= 1
    g.pieces[seat, SETTLEMENT_PIECE] += 1
    g.settlements[seat] &= ~bit(vertex)
    g.cities[seat] |= bit(vertex)
    g.points[seat] += 1


@inline
def take_harbour(g, seat, vertex):
    """Give the seat the rate of a harbour at `vertex` (C110-C112), if the bank trades at all."""
    for k in range(HARBOURS):
        rate = g.harbours[k, 3] * g.bank_trade
        if rate > 0 and (g.harbours[k, 0] == vertex or g.harbours[k, 1] == vertex):
            kind = g.harbours[k, 2]
            for r in range(RESOURCES):
                if kind == r or kind == GENERIC:
                    g.rates[seat, r] = min(g.rates[seat, r], rate)


@inline
def cut_roads(g, rival, vertex):
    """End the rival's roads at `vertex`, where another seat has just built (C100, C162)."""
    roads_there = 0
    for half in range(2):
        roads_there += count_bits(g.roads[rival, half] & VERTEX_EDGE_SET[vertex, half])
    for k in range(3):
        edge = EDGES_AT[vertex, k]
        if edge >= 0:
            close_spot(g, rival, vertex, edge)
    if roads_there >= 2:
        g.road_length[rival] = longest_road(g, rival)
        award_longest_road(g)


@inline
def close_spot(g, rival, vertex, edge):
    """Remove `edge` from the rival's road spots unless its roads reach the other end.

    The other end has no building, since it is next to one (C097).
    """
    far = EDGE_ENDS[edge, 0] + EDGE_ENDS[edge, 1] - vertex
    is_spot = has_road(g.road_spots[rival, 0], g.road_spots[rival, 1], edge)
    if is_spot and not holds(g.reach[rival], far):
        half = 0 if edge < HALF else 1
        g.road_spots[rival, half] &= ~bit(edge - half * HALF)
