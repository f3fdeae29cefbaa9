"""Laying out the board (C013-C020) and placing the first pieces (C022-C037)."""

from catan_env.core.actions import ROAD_START, SETTLEMENT_START
from catan_env.core.board import (
    ALL_VERTICES,
    EDGE_ENDS,
    EDGES_AT,
    HALF,
    HARBOUR_COUNT,
    HARBOUR_EDGE_TABLE,
    HARBOUR_KIND_TABLE,
    LAND_COUNT,
    LAND_TABLE,
    PIPS,
    SEA_EDGE_SET,
    SEA_VERTEX_SET,
    SPIRAL_TABLE,
    TERRAIN_TABLE,
    TILE_NEIGHBOUR_SET,
    TOKEN_TABLE,
    VERTEX_EDGE_SET,
    VERTEX_NEIGHBOUR_SET,
    VERTEX_TILE_SET,
)
from catan_env.core.build import build_road, build_settlement
from catan_env.core.constants import (
    DESERT,
    GENERIC,
    GIVEN,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    PLACED_AT_RANDOM,
    RANDOM_TOKENS,
    RESOURCES,
    ROLL,
    SEA,
    SEA_TOKEN,
    TILES,
)
from catan_env.core.hands import take_from_bank
from catan_env.core.longest_road import has_road
from catan_env.core.seats import seat_after
from catan_env.kernel.bits import ONE, bit, count_bits, holds, lowest_bit, nth_bit
from catan_env.kernel.jit import inline
from catan_env.kernel.rng import below_at

# Boards and rule-based placements have their own streams: their draws do not change the rest of
# the game.
BOARD_STREAM = 1 << 40
PLACEMENT_STREAM = 2 << 40


@inline
def begin(g):
    """Lay out the board of a new game and wait for the first settlement."""
    if g.layout != GIVEN:
        lay_terrain(g)
        lay_harbours(g)
        if g.layout == RANDOM_TOKENS:
            lay_random_tokens(g)
        else:
            lay_spiral(g)
    index_tiles(g)
    close_sea(g)
    g.phase = PLACE_SETTLEMENT
    g.turn_seat = g.seat = g.first_seat


@inline
def map_of(g):
    """The map by its place in `board.MAPS`: the small one's outer tiles are sea from the start."""
    return 1 if g.terrain[0] == SEA else 0


@inline
def lay_terrain(g):
    """Shuffle the land tiles."""
    m = map_of(g)
    for k in range(LAND_COUNT[m]):
        tile = LAND_TABLE[m, k]
        other = LAND_TABLE[m, below_at(g.seed, BOARD_STREAM + k, k + 1)]
        g.terrain[tile] = g.terrain[other]
        g.terrain[other] = TERRAIN_TABLE[m, k]


@inline
def lay_harbours(g):
    """Shuffle the harbours over the map's fixed slots (C018, C218)."""
    m = map_of(g)
    for slot in range(HARBOUR_COUNT[m]):
        k = below_at(g.seed, BOARD_STREAM + 32 + slot, slot + 1)
        g.harbours[slot, 2] = g.harbours[k, 2]
        g.harbours[k, 2] = HARBOUR_KIND_TABLE[m, slot]
    for slot in range(HARBOUR_COUNT[m]):
        edge = HARBOUR_EDGE_TABLE[m, slot]
        g.harbours[slot, 0] = EDGE_ENDS[edge, 0]
        g.harbours[slot, 1] = EDGE_ENDS[edge, 1]
        g.harbours[slot, 3] = 3 if g.harbours[slot, 2] == GENERIC else 2


@inline
def lay_spiral(g):
    """Lay the tokens counter-clockwise from a corner inwards, skipping the desert (C013, C217)."""
    m = map_of(g)
    corner = below_at(g.seed, BOARD_STREAM + 48, 6)
    letter = 0
    for k in range(LAND_COUNT[m]):
        tile = SPIRAL_TABLE[m, corner, k]
        g.token[tile] = 0
        if g.terrain[tile] != DESERT:
            g.token[tile] = TOKEN_TABLE[m, letter]
            letter += 1


@inline
def lay_random_tokens(g):
    """Shuffle the tokens until no two red ones are adjacent (C015-C016)."""
    n = BOARD_STREAM + 64
    shuffle_tokens(g, n)
    while reds_touch(g):
        n += TILES
        shuffle_tokens(g, n)


@inline
def shuffle_tokens(g, n):
    """Lay the tokens on the land in random order, using the draws from number `n` onward."""
    m = map_of(g)
    letter, desert = 0, TILES
    for k in range(LAND_COUNT[m]):
        tile = LAND_TABLE[m, k]
        g.token[tile] = 0
        if g.terrain[tile] == DESERT:
            desert = k
        else:
            other = below_at(g.seed, n + letter, letter + 1)
            if other >= desert:
                other += 1
            g.token[tile] = g.token[LAND_TABLE[m, other]]
            g.token[LAND_TABLE[m, other]] = TOKEN_TABLE[m, letter]
            letter += 1


@inline
def reds_touch(g):
    """True if a 6 or 8 is adjacent to a 6 or 8."""
    reds = 0
    for tile in range(TILES):
        if PIPS[g.token[tile]] == 5:
            reds |= bit(tile)
    for tile in range(TILES):
        if holds(reds, tile) and reds & TILE_NEIGHBOUR_SET[tile] != 0:
            return True
    return False


@inline
def index_tiles(g):
    """Index the tiles by token and by resource, and the sea.

    The robber starts on the first desert (C017).
    """
    for token in range(13):
        g.token_tiles[token] = 0
    for resource in range(RESOURCES):
        g.resource_tiles[resource] = 0
    for k in range(TILES):
        tile = TILES - 1 - k
        if g.terrain[tile] == DESERT:
            g.robber = tile
        elif g.terrain[tile] == SEA:
            g.token_tiles[SEA_TOKEN] |= ONE << tile
        else:
            g.resource_tiles[g.terrain[tile]] |= ONE << tile
            g.token_tiles[g.token[tile]] |= ONE << tile


@inline
def close_sea(g):
    """Close the vertices and edges at sea, on which nothing is ever built (C219)."""
    if map_of(g):
        g.blocked |= SEA_VERTEX_SET
        for half in range(2):
            g.laid[half] |= SEA_EDGE_SET[half]


@inline
def index_tiles_but_keep_robber(g):
    """Index the tiles without moving the robber."""
    robber = g.robber
    index_tiles(g)
    g.robber = robber


@inline
def in_set_up(g):
    """True while the first settlements and roads are being placed."""
    return (g.phase == PLACE_SETTLEMENT) | (g.phase == PLACE_ROAD)


@inline
def place_settlement(g, vertex):
    """Place a set-up settlement: free, at any vertex that keeps the distance (C025-C028)."""
    build_settlement(g, g.seat, vertex)
    if g.placed >= g.seats:
        collect_starting_cards(g, g.seat, vertex)
    g.placed += 1
    g.placed_vertex = vertex
    g.phase = PLACE_ROAD


@inline
def collect_starting_cards(g, seat, vertex):
    """Give one card for each tile at the second settlement (C029-C032)."""
    left = VERTEX_TILE_SET[vertex] + 0
    while left:
        terrain = g.terrain[lowest_bit(left)]
        left &= left - 1
        if terrain < DESERT:
            take_from_bank(g, seat, terrain, 1)


@inline
def place_road(g, edge):
    """Place the road next to it; then it is the next seat's turn, in snake order (C023)."""
    build_road(g, g.seat, edge)
    g.placed_vertex = -1
    if g.placed == 2 * g.seats:
        g.phase = ROLL
        g.turn = 1
        g.seat = g.turn_seat = g.first_seat  # C024
        return
    k = g.placed if g.placed < g.seats else 2 * g.seats - 1 - g.placed
    g.seat = g.turn_seat = seat_after(g, g.first_seat, k)
    g.phase = PLACE_SETTLEMENT


@inline
def placing_edges(g, half):
    """The edges at the settlement just placed (C026)."""
    return VERTEX_EDGE_SET[g.placed_vertex, half] & ~g.laid[half]


@inline
def pips_at(g, vertex):
    """The pips of a settlement here, that is, chances in 36 summed over its tiles."""
    total = 0
    left = VERTEX_TILE_SET[vertex] + 0
    while left:
        tile = lowest_bit(left)
        left &= left - 1
        if g.terrain[tile] < DESERT and 0 < g.token[tile] < 13:
            total += PIPS[g.token[tile]]
    return total


@inline
def best_vertex(g, vertices):
    """The vertex with most pips among `vertices`, the first in a tie; -1 if there is none."""
    best, most = -1, -1
    while vertices:
        vertex = lowest_bit(vertices)
        vertices &= vertices - 1
        pips = pips_at(g, vertex)
        if pips > most:
            best, most = vertex, pips
    return best


@inline
def table_settlement(g):
    """The next settlement placed by rule: at the most pips, or at random."""
    free = ~g.blocked & ALL_VERTICES
    if g.placement == PLACED_AT_RANDOM:
        n = below_at(g.seed, PLACEMENT_STREAM + 2 * g.placed, count_bits(free))
        return SETTLEMENT_START + nth_bit(free, n)
    return SETTLEMENT_START + best_vertex(g, free)


@inline
def table_road(g):
    """The next road placed by rule: towards the most pips within two steps, or at random."""
    vertex = int(g.placed_vertex)
    if g.placement == PLACED_AT_RANDOM:
        low, high = placing_edges(g, 0), placing_edges(g, 1)
        lows = count_bits(low)
        n = below_at(g.seed, PLACEMENT_STREAM + 2 * g.placed + 1, lows + count_bits(high))
        if n < lows:
            return ROAD_START + nth_bit(low, n)
        return ROAD_START + HALF + nth_bit(high, n - lows)
    best, most = -1, -1
    for k in range(3):
        edge = EDGES_AT[vertex, k]
        if edge >= 0 and not has_road(g.laid[0], g.laid[1], edge):
            pips = pips_ahead(g, vertex, EDGE_ENDS[edge, 0] + EDGE_ENDS[edge, 1] - vertex)
            if pips > most:
                best, most = edge, pips
    return ROAD_START + best


@inline
def pips_ahead(g, vertex, far):
    """The most pips of a free vertex one step beyond `far`."""
    target = best_vertex(g, VERTEX_NEIGHBOUR_SET[far] & ~bit(vertex) & ~g.blocked)
    return pips_at(g, target) if target >= 0 else 0
