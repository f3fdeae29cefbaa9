"""Random road networks, and their longest trails by exhaustive search."""

from catan_env.core.board import EDGES_AT, HALF
from catan_env.core.constants import EDGES, NOBODY, VERTICES
from catan_env.core.longest_road import longest_road, longest_through
from catan_env.kernel.rng import below_at
from tests.core.faults import NONE, ROAD_LENGTH
from tests.core.keep import loop, slow
from tests.core.recompute import has_road_at, longest_trail


@slow
def grow(board, seed):
    """Up to 15 connected roads of seat 0, and some buildings of seat 1."""
    for v in range(VERTICES):
        board.owner[v] = NOBODY
    for e in range(EDGES):
        board.road[e] = NOBODY
    board.road[below_at(seed, 0, EDGES)] = 0
    roads, n, crowded = 1, 1, below_at(seed, 1000, 3)
    while n < 400 and roads < 15:
        v, way = below_at(seed, 2 * n, VERTICES), below_at(seed, 2 * n + 1, 3)
        e = EDGES_AT[v, way]
        if e >= 0 and board.road[e] == NOBODY and has_road_at(board, 0, v):
            board.road[e] = 0
            roads += 1
        n += 1
    for k in range(4 * crowded):
        board.owner[below_at(seed, 2000 + k, VERTICES)] = 1


@slow
def write(g, board):
    """Write the network into a game's sets."""
    for half in range(2):
        g.roads[0, half] = 0
        for e in range(HALF):
            if board.road[half * HALF + e] == 0:
                g.roads[0, half] += 1 << e
    g.settlements[1] = 0
    for v in range(VERTICES):
        if board.owner[v] == 1:
            g.settlements[1] += 1 << v
    g.built = g.settlements[1]


@loop
def watch_networks(slots, boards, trails, networks, longest, report):
    """Compare the engine's search with exhaustive search, from each road and over all.

    `longest` (16,) counts the lengths found.
    """
    g, board, trail = slots[0], boards[0], trails[0]
    for seed in range(networks):
        grow(board, seed)
        write(g, board)
        fault = NONE
        found = longest_trail(board, 0, trail, -1)
        if longest_road(g, 0) != found:
            fault = ROAD_LENGTH
        longest[found] += 1
        for e in range(EDGES):
            if board.road[e] == 0 and seed % 4 == 0:
                if longest_through(g, 0, e) != longest_trail(board, 0, trail, e):
                    fault = ROAD_LENGTH
        for depth in range(len(g.trail)):
            if g.trail[depth] != 0:
                fault = ROAD_LENGTH
        if fault != NONE:
            report[0], report[1] = seed, fault
            return
