"""The value of a position for a seat, from that seat's knowledge alone."""
# mypy: ignore-errors

from catan_env.core.board import (
    ALL_VERTICES,
    EDGE_ENDS,
    HALF,
    PIPS,
    TILE_VERTEX_SET,
    VERTEX_TILE_SET,
)
from catan_env.core.build import settlement_spots
from catan_env.core.constants import (
    BANK_RATE,
    BRICK,
    CITY_PIECE,
    GRAIN,
    HAND_LIMIT,
    KNIGHT,
    LUMBER,
    MONOPOLY,
    NOBODY,
    ORE,
    RESOURCES,
    ROAD_BUILDING,
    ROAD_PIECE,
    SETTLEMENT_PIECE,
    VERTICES,
    VICTORY_POINT,
    WOOL,
    YEAR_OF_PLENTY,
)
from catan_env.kernel.bits import bit, count_bits, holds, lowest_bit
from catan_env.kernel.jit import compiled, inline
from catan_env.policies.value.names import (
    AHEAD,
    BRICK_PIP,
    CARD,
    CITY,
    DEVELOPMENT,
    ENEMY,
    ENEMY_CARD,
    ENEMY_DEVELOPMENT,
    KIND,
    KNIGHT_HELD,
    KNIGHT_PLAYED,
    LAYING,
    LEADER,
    NEAR,
    OVER_LIMIT,
    POINT,
    PROGRESS,
    RATE,
    ROAD_LENGTH,
    ROBBED,
    SETTLEMENT,
    SPOT,
    SPOTS,
    STEEP,
    UNSEEN,
)

WON = 1e6
"""The value of a won game; that of a lost one is its negative."""
FARTHEST_AHEAD = 3


@compiled
def score_vertices(g, weights, vertex_scores):
    """Write the weighted pips of a settlement at each vertex: (54,) float64."""
    for vertex in range(VERTICES):
        total = 0.0
        tiles = VERTEX_TILE_SET[vertex]
        while tiles:
            tile = lowest_bit(tiles)
            tiles &= tiles - 1
            if g.token[tile] > 0:
                total += weights[BRICK_PIP + g.terrain[tile]] * PIPS[g.token[tile]]
        vertex_scores[vertex] = total


@inline
def pips_of(g, seat, resource, weights):
    """The pips of a resource from the seat's buildings; fewer under the robber."""
    total = 0.0
    tiles = int(g.resource_tiles[resource])
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        corners = TILE_VERTEX_SET[tile]
        n = count_bits(corners & g.settlements[seat]) + 2 * count_bits(corners & g.cities[seat])
        if n > 0:
            pips = n * PIPS[g.token[tile]]
            total += pips * weights[ROBBED] if tile == g.robber else pips
    return total


@inline
def discount(g, seat, resource):
    """The cards that the seat's harbours save in a trade at the bank; 0 where it does not trade."""
    return max(BANK_RATE - int(g.rates[seat, resource]), 0)


@inline
def production_value(g, seat, weights):
    """The value of the seat's production, including its rates at the bank."""
    total = 0.0
    for resource in range(RESOURCES):
        pips = pips_of(g, seat, resource, weights)
        if pips > 0:
            better = discount(g, seat, resource)
            total += pips * (weights[BRICK_PIP + resource] + weights[RATE] * better)
            total += weights[KIND]
    return total


@inline
def best_of(vertices, vertex_scores):
    """The highest score of a settlement on one of the vertices; 0 without one."""
    best = 0.0
    while vertices:
        best = max(best, vertex_scores[lowest_bit(vertices)])
        vertices &= vertices - 1
    return best


@inline
def one_road_on(g, seat):
    """The vertices that one more road would reach."""
    ends = 0
    for half in range(2):
        edges = g.road_spots[seat, half]
        while edges:
            edge = lowest_bit(edges) + half * HALF
            edges &= edges - 1
            ends |= bit(EDGE_ENDS[edge, 0]) | bit(EDGE_ENDS[edge, 1])
    return ends & ~g.reach[seat] & ~g.blocked & ALL_VERTICES


@inline
def expansion_value(g, seat, weights, vertex_scores):
    """The value of the places for further settlements."""
    if g.pieces[seat, SETTLEMENT_PIECE] == 0:
        return 0.0
    spots = settlement_spots(g, seat)
    best = best_of(spots, vertex_scores)
    total = weights[SPOT] * best
    if spots & (spots - 1):
        total += weights[SPOTS]
    if g.pieces[seat, ROAD_PIECE] > 0:
        near = best_of(one_road_on(g, seat), vertex_scores)
        total += weights[NEAR] * near
    return total


@inline
def lead_of_road(g, seat):
    """The roads by which the seat's trail exceeds any other's, within -3..3."""
    most = 0
    for other in range(g.seats):
        if other != seat:
            most = max(most, int(g.road_length[other]))
    return max(-FARTHEST_AHEAD, min(FARTHEST_AHEAD, int(g.road_length[seat]) - most))


@compiled
def public_value(g, seat, weights, vertex_scores):
    """The value of a seat's public features."""
    total = weights[POINT] * g.points[seat] + production_value(g, seat, weights)
    total += expansion_value(g, seat, weights, vertex_scores)
    total += weights[ROAD_LENGTH] * g.road_length[seat] + weights[AHEAD] * lead_of_road(g, seat)
    return total + weights[KNIGHT_PLAYED] * g.played[seat, KNIGHT]


@inline
def short_of(held, wanted):
    """The number of cards missing."""
    return max(wanted - held, 0)


@inline
def fraction_paid(missing, cost, steep):
    """The weighted fraction of a cost in the hand; a high `steep` favours the last cards."""
    done = (cost - missing) / cost
    return done * (1 - steep + steep * done)


@compiled
def plan_value(g, seat, brick, grain, lumber, ore, wool, weights):
    """The value of a hand as partial progress towards purchases."""
    steep = weights[STEEP]
    total = 0.0
    if g.pieces[seat, CITY_PIECE] > 0 and g.settlements[seat] != 0:
        total += weights[CITY] * fraction_paid(short_of(ore, 3) + short_of(grain, 2), 5, steep)
    laying = short_of(brick, 1) + short_of(lumber, 1)
    if g.pieces[seat, SETTLEMENT_PIECE] > 0:
        missing = laying + short_of(grain, 1) + short_of(wool, 1)
        ready = 1.0 if settlement_spots(g, seat) != 0 else 0.5
        total += weights[SETTLEMENT] * ready * fraction_paid(missing, 4, steep)
    if g.deck_size > 0:
        missing = short_of(ore, 1) + short_of(grain, 1) + short_of(wool, 1)
        total += weights[DEVELOPMENT] * fraction_paid(missing, 3, steep)
    if g.pieces[seat, ROAD_PIECE] > 0:
        total += weights[LAYING] * fraction_paid(laying, 2, steep)
    return total


@compiled
def hand_value(g, seat, weights):
    """The value of the seat's resource cards to it, including those it has not seen yet."""
    hand = g.hand
    total = plan_value(
        g,
        seat,
        int(hand[seat, BRICK]),
        int(hand[seat, GRAIN]),
        int(hand[seat, LUMBER]),
        int(hand[seat, ORE]),
        int(hand[seat, WOOL]),
        weights,
    )
    n, limit = int(g.hand_size[seat]), HAND_LIMIT + int(g.larger_hand)
    return total + weights[CARD] * min(n, limit) + weights[OVER_LIMIT] * max(n - limit, 0)


@inline
def cards_value(g, seat, weights):
    """The value of the seat's development cards to it."""
    cards = g.cards
    seen = 0
    for kind in range(VICTORY_POINT + 1):
        seen += cards[seat, kind]
    progress = cards[seat, ROAD_BUILDING] + cards[seat, YEAR_OF_PLENTY] + cards[seat, MONOPOLY]
    total = weights[POINT] * cards[seat, VICTORY_POINT] + weights[PROGRESS] * progress
    total += weights[KNIGHT_HELD] * cards[seat, KNIGHT]
    return total + weights[UNSEEN] * (g.card_count[seat] - seen)


@compiled
def value(g, seat, weights, vertex_scores):
    """The value of the position for the seat, given the vertex scores."""
    if g.winner != NOBODY:
        return WON if g.winner == seat else -WON
    total = public_value(g, seat, weights, vertex_scores)
    total += hand_value(g, seat, weights) + cards_value(g, seat, weights)
    against, most = 0.0, 0
    for other in range(g.seats):
        if other != seat and not holds(g.gone, other):
            against += public_value(g, other, weights, vertex_scores)
            against += weights[ENEMY_CARD] * g.hand_size[other]
            against += weights[ENEMY_DEVELOPMENT] * g.card_count[other]
            most = max(most, int(g.points[other]))
    against = against * weights[ENEMY] / (g.seats - 1)
    return total - against - weights[LEADER] * most
