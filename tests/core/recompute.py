"""Everything that follows from pieces and cards, recomputed slowly without the engine's rules.

Written as loops over vertices, edges and seats, sharing nothing with the engine but the board's
tables, and compiled so that every position of thousands of games can be checked.
"""

import numpy as np

from catan_env.core.board import EDGE_ENDS, EDGES_AT, HALF, STANDARD_HARBOUR_EDGES, TILE_VERTEX_SET
from catan_env.core.constants import EDGES, SEATS, TILES, VERTICES
from catan_env.kernel.jit import JIT, table
from tests.core.faults import (
    BLOCKED,
    BUILT,
    CARD_COUNT,
    DEVELOPMENT_CARDS,
    DISTANCE,
    HAND_SIZE,
    KNOWN_CARDS,
    LAID,
    NEW_CARDS,
    NONE,
    PIECES,
    POINTS,
    RATES,
    REACH,
    RESOURCE_CARDS,
    ROAD_LENGTH,
    ROAD_SPOTS,
    TILE_SETS,
    TWO_ON_ONE_PLACE,
    YIELD,
)
from tests.core.keep import slow

BRICK, GRAIN, LUMBER, ORE, WOOL = range(5)
DECK = table((14, 2, 2, 2, 5))
STOCK = table((15, 5, 4))
NOBODY = -1
SEA = 6
assert len(STANDARD_HARBOUR_EDGES) == 9


# The pieces by place, read from the sets.
PIECES_ON_BOARD = np.dtype(
    [
        ("owner", np.int8, (VERTICES,)),  # seat of the building, or NOBODY
        ("level", np.int8, (VERTICES,)),  # 1 settlement, 2 city
        ("road", np.int8, (EDGES,)),  # seat of the road, or NOBODY
        ("rate", np.int8, (SEATS, 5)),  # best rate at a harbour
    ]
)
# The current trail, by depth; at most 15 roads long.
TRAIL = np.dtype(
    [
        ("used", np.int8, (EDGES,)),
        ("vertex", np.int8, (17,)),
        ("edge", np.int8, (17,)),
        ("way", np.int8, (17,)),  # the next branch to try
    ]
)


def scratch(layout: np.dtype) -> np.ndarray:
    """One record of memory, with fields as attributes for compiled and interpreted code."""
    record = np.zeros(1, layout)
    return record if JIT else record.view(np.recarray)


@slow
def has(word, number):
    """True if a set contains a number."""
    return (word >> number) % 2 == 1


@slow
def has_edge(low, high, edge):
    """True if a set of edges, two words, contains an edge."""
    if edge < HALF:
        return has(low, edge)
    return has(high, edge - HALF)


@slow
def cards_fault(g):
    """Check for 19 cards of each resource, 25 development cards, and matching counts."""
    for r in range(5):
        total = int(g.bank[r])
        for seat in range(SEATS):
            if g.hand[seat, r] < 0:
                return RESOURCE_CARDS
            if g.known[seat, r] < 0 or g.known[seat, r] > g.hand[seat, r]:
                return KNOWN_CARDS
            total += g.hand[seat, r]
        if g.bank[r] < 0 or total != 19:
            return RESOURCE_CARDS
    deck_size = 0
    for kind in range(5):
        total = int(g.deck[kind])
        deck_size += total
        for seat in range(SEATS):
            if g.cards[seat, kind] < 0:
                return DEVELOPMENT_CARDS
            total += g.cards[seat, kind]
            if kind < 4:
                total += g.played[seat, kind]
        if g.deck[kind] < 0 or total != DECK[kind]:
            return DEVELOPMENT_CARDS
        if g.new_cards[kind] < 0 or g.new_cards[kind] > g.cards[g.turn_seat, kind]:
            return NEW_CARDS
    if deck_size != g.deck_size:
        return CARD_COUNT
    for seat in range(SEATS):
        held, cards = 0, 0
        for k in range(5):
            held += g.hand[seat, k]
            cards += g.cards[seat, k]
        if held != g.hand_size[seat]:
            return HAND_SIZE
        if cards != g.card_count[seat]:
            return CARD_COUNT
    return NONE


@slow
def read_pieces(g, board):
    """Write the owners of the places into `board`; returns a fault if two claim one."""
    for v in range(VERTICES):
        board.owner[v], board.level[v] = NOBODY, 0
        for seat in range(SEATS):
            for level in range(1, 3):
                if has(g.settlements[seat] if level == 1 else g.cities[seat], v):
                    if board.owner[v] != NOBODY:
                        return TWO_ON_ONE_PLACE
                    board.owner[v], board.level[v] = seat, level
    for e in range(EDGES):
        board.road[e] = NOBODY
        for seat in range(SEATS):
            if has_edge(g.roads[seat, 0], g.roads[seat, 1], e):
                if board.road[e] != NOBODY:
                    return TWO_ON_ONE_PLACE
                board.road[e] = seat
    for seat in range(SEATS):
        for r in range(5):
            board.rate[seat, r] = best_rate(g, board, seat, r)
    return NONE


@slow
def best_rate(g, board, seat, resource):
    """4, or less at a harbour of the seat."""
    best = 4
    for k in range(9):
        a, b, kind, rate = g.harbours[k, 0], g.harbours[k, 1], g.harbours[k, 2], g.harbours[k, 3]
        if rate > 0 and (board.owner[a] == seat or board.owner[b] == seat):
            if (kind == 5 or kind == resource) and rate < best:
                best = rate
    return best


@slow
def is_land(g, vertex):
    """True if a tile at the vertex is not sea."""
    for t in range(TILES):
        if g.terrain[t] != SEA and has(TILE_VERTEX_SET[t], vertex):
            return True
    return False


@slow
def is_land_edge(g, edge):
    """True if a tile with the edge is not sea."""
    a, b = EDGE_ENDS[edge, 0], EDGE_ENDS[edge, 1]
    for t in range(TILES):
        if g.terrain[t] != SEA and has(TILE_VERTEX_SET[t], a) and has(TILE_VERTEX_SET[t], b):
            return True
    return False


@slow
def far_end(edge, vertex):
    """The other end of an edge."""
    return EDGE_ENDS[edge, 1] if EDGE_ENDS[edge, 0] == vertex else EDGE_ENDS[edge, 0]


@slow
def near_building(board, vertex):
    """True if a building is on a vertex or next to it."""
    if board.owner[vertex] != NOBODY:
        return True
    for k in range(3):
        e = EDGES_AT[vertex, k]
        if e >= 0 and board.owner[far_end(e, vertex)] != NOBODY:
            return True
    return False


@slow
def has_road_at(board, seat, vertex):
    """True if a road of the seat touches a vertex."""
    for k in range(3):
        e = EDGES_AT[vertex, k]
        if e >= 0 and board.road[e] == seat:
            return True
    return False


@slow
def may_lay_road(g, board, seat, edge):
    """A free edge at a building of the seat, or at a road of it that no rival's building ends."""
    if board.road[edge] != NOBODY or not is_land_edge(g, edge):
        return False
    for k in range(2):
        v = EDGE_ENDS[edge, k]
        if board.owner[v] == seat:
            return True
        if board.owner[v] == NOBODY and has_road_at(board, seat, v):
            return True
    return False


@slow
def pieces_fault(g, board):
    """Check that stock and board have all pieces, buildings have a distance, and sets agree."""
    for seat in range(g.seats):
        roads, settlements, cities = 0, 0, 0
        for e in range(EDGES):
            roads += board.road[e] == seat
        for v in range(VERTICES):
            settlements += board.owner[v] == seat and board.level[v] == 1
            cities += board.owner[v] == seat and board.level[v] == 2
        if g.pieces[seat, 0] + roads != STOCK[0] or g.pieces[seat, 0] < 0:
            return PIECES
        if g.pieces[seat, 1] + settlements != STOCK[1] or g.pieces[seat, 1] < 0:
            return PIECES
        if g.pieces[seat, 2] + cities != STOCK[2] or g.pieces[seat, 2] < 0:
            return PIECES
        points = settlements + 2 * cities
        points += 2 * (g.longest_road == seat) + 2 * (g.largest_army == seat)
        if g.points[seat] != points:
            return POINTS
        for r in range(5):
            if g.rates[seat, r] != board.rate[seat, r]:
                return RATES
    return NONE


@slow
def sets_fault(g, board):
    """Check that the engine's bit sets are those of the pieces."""
    for e in range(EDGES):
        a, b = EDGE_ENDS[e, 0], EDGE_ENDS[e, 1]
        if board.owner[a] != NOBODY and board.owner[b] != NOBODY:
            return DISTANCE
        if has_edge(g.laid[0], g.laid[1], e) != (board.road[e] != NOBODY or not is_land_edge(g, e)):
            return LAID
    for v in range(VERTICES):
        if has(g.built, v) != (board.owner[v] != NOBODY):
            return BUILT
        if has(g.blocked, v) != (near_building(board, v) or not is_land(g, v)):
            return BLOCKED
    for seat in range(g.seats):
        for v in range(VERTICES):
            if has(g.reach[seat], v) != has_road_at(board, seat, v):
                return REACH
        for e in range(EDGES):
            spot = has_edge(g.road_spots[seat, 0], g.road_spots[seat, 1], e)
            if spot != may_lay_road(g, board, seat, e):
                return ROAD_SPOTS
    if (g.built | g.blocked) >> VERTICES != 0 or (g.laid[0] | g.laid[1]) >> HALF != 0:
        return BUILT
    for seat in range(SEATS):
        if g.reach[seat] >> VERTICES != 0:
            return REACH
        if (g.road_spots[seat, 0] | g.road_spots[seat, 1]) >> HALF != 0:
            return ROAD_SPOTS
    return NONE


@slow
def longest_trail(board, seat, trail, through):
    """Try every trail from every vertex, or those that use the edge `through` unless it is -1.

    `trail` is scratch memory in which no edge is used.
    """
    best = 0
    for start in range(VERTICES):
        depth = 0
        trail.vertex[0], trail.way[0] = start, 0
        while depth >= 0:
            v = trail.vertex[depth]
            rival = board.owner[v] != NOBODY and board.owner[v] != seat
            if trail.way[depth] == 3 or (rival and depth > 0):
                depth -= 1
                if depth >= 0:
                    trail.used[trail.edge[depth]] = 0
                continue
            e = EDGES_AT[v, trail.way[depth]]
            trail.way[depth] += 1
            if e >= 0 and board.road[e] == seat and trail.used[e] == 0:
                trail.used[e] = 1
                trail.edge[depth] = e
                depth += 1
                trail.vertex[depth], trail.way[depth] = far_end(e, v), 0
                if through < 0 or trail.used[through] == 1:
                    best = max(best, depth)
    return best


@slow
def road_fault(g, board, trail):
    """Every seat's longest trail."""
    for seat in range(g.seats):
        if g.road_length[seat] != longest_trail(board, seat, trail, -1):
            return ROAD_LENGTH
    return NONE


@slow
def owner_of_longest_road(g, holder):
    """The holder of the card after a change of roads, given `holder` before (C159-C176)."""
    longest, owners, owner = 0, 0, NOBODY
    for seat in range(g.seats):
        longest = max(longest, g.road_length[seat])
    if longest < 5:
        return NOBODY
    for seat in range(g.seats):
        if g.road_length[seat] == longest:
            if seat == holder:
                return holder
            owners += 1
            owner = seat
    return owner if owners == 1 else NOBODY


@slow
def owner_of_largest_army(g, holder):
    """The holder of the card after a knight, given `holder` before (C181-C185)."""
    owner, most = holder, 2
    if holder != NOBODY:
        most = int(g.played[holder, 0])
    for seat in range(g.seats):
        if g.played[seat, 0] > most:
            owner, most = seat, int(g.played[seat, 0])
    return owner


@slow
def tiles_fault(g):
    """Check the tiles by number and by resource, with neither desert nor sea; and the sea."""
    for t in range(TILES):
        if has(g.token_tiles[1], t) != (g.terrain[t] == SEA):
            return TILE_SETS
        for token in range(2, 13):
            if has(g.token_tiles[token], t) != (g.terrain[t] < 5 and g.token[t] == token):
                return TILE_SETS
        for r in range(5):
            if has(g.resource_tiles[r], t) != (g.terrain[t] == r):
                return TILE_SETS
    return NONE


@slow
def owed_by(g, seat, resource):
    """The cards that the tiles with the number owe a seat: 1 per settlement, 2 per city."""
    owed = 0
    for t in range(TILES):
        if g.terrain[t] == resource and g.token[t] == g.roll and t != g.robber:
            for v in range(VERTICES):
                if has(TILE_VERTEX_SET[t], v):
                    owed += has(g.settlements[seat], v) + 2 * has(g.cities[seat], v)
    return owed


@slow
def roll_fault(before, g):
    """Check that each resource is paid in full; if the bank is short, to a single seat or none."""
    for r in range(5):
        total, seats = 0, 0
        for seat in range(g.seats):
            owed = owed_by(g, seat, r) if g.roll != 7 else 0
            total += owed
            seats += owed > 0
        for seat in range(g.seats):
            paid = owed_by(g, seat, r) if g.roll != 7 else 0
            if total > before.bank[r]:
                paid = min(paid, before.bank[r]) if seats == 1 else 0
            if g.hand[seat, r] != before.hand[seat, r] + paid:
                return YIELD
    return NONE
