"""The inputs of the win-probability network: numbers about each seat, the evaluated one first.

They are read from a full game, or from a world consistent with a view; neither hides anything.
"""
# mypy: ignore-errors

from catan_env.core.board import PIPS, TILE_VERTEX_SET
from catan_env.core.build import settlement_spots
from catan_env.core.constants import (
    CARD_KINDS,
    HAND_LIMIT,
    KNIGHT,
    RESOURCES,
)
from catan_env.kernel.bits import count_bits, lowest_bit
from catan_env.kernel.jit import compiled
from catan_env.policies.value.evaluation import (
    best_of,
    discount,
    lead_of_road,
    one_road_on,
)

OF_SEAT, OF_TABLE = 35, 3
"""The number of features per seat, and of the table."""


@compiled
def write_pips(g, seat, features, at):
    """Write the pips of each resource, ignoring the robber: 5; and the pips that it blocks: 1."""
    robbed = 0
    for resource in range(RESOURCES):
        total = 0
        tiles = int(g.resource_tiles[resource])
        while tiles:
            tile = lowest_bit(tiles)
            tiles &= tiles - 1
            corners = TILE_VERTEX_SET[tile]
            n = count_bits(corners & g.settlements[seat]) + 2 * count_bits(corners & g.cities[seat])
            total += n * PIPS[g.token[tile]]
            if tile == g.robber:
                robbed += n * PIPS[g.token[tile]]
        features[at + resource] = total
    features[at + RESOURCES] = robbed


@compiled
def write_cards(g, seat, features, at):
    """Write resource cards and bank discounts: 5 each; development cards: 5."""
    for resource in range(RESOURCES):
        features[at + resource] = g.hand[seat, resource]
        features[at + RESOURCES + resource] = discount(g, seat, resource)
    for kind in range(CARD_KINDS):
        features[at + 2 * RESOURCES + kind] = g.cards[seat, kind]


@compiled
def write_prospects(g, seat, vertex_scores, features, at):
    """Write the settlement places now and after one more road: best score and count, 2 each."""
    spots, near = settlement_spots(g, seat), one_road_on(g, seat)
    features[at] = best_of(spots, vertex_scores)
    features[at + 1] = count_bits(spots)
    features[at + 2] = best_of(near, vertex_scores)
    features[at + 3] = count_bits(near)


@compiled
def write_progress(g, seat, features, at):
    """Write points to go, knights, roads, both awards, pieces left, cards over the limit: 10."""
    features[at] = g.points_to_win - g.points[seat]
    features[at + 1] = g.played[seat, KNIGHT]
    features[at + 2] = 1 if g.largest_army == seat else 0
    features[at + 3] = g.road_length[seat]
    features[at + 4] = lead_of_road(g, seat)
    features[at + 5] = 1 if g.longest_road == seat else 0
    for piece in range(3):
        features[at + 6 + piece] = g.pieces[seat, piece]
    features[at + 9] = max(int(g.hand_size[seat]) - HAND_LIMIT - int(g.larger_hand), 0)


@compiled
def write_features(g, seat, vertex_scores, features):
    """Write all features: (seats * OF_SEAT + OF_TABLE,) float64."""
    for k in range(g.seats):
        other, at = (seat + k) % g.seats, k * OF_SEAT
        write_progress(g, other, features, at)
        write_pips(g, other, features, at + 10)
        write_cards(g, other, features, at + 16)
        write_prospects(g, other, vertex_scores, features, at + 31)
    at = g.seats * OF_SEAT
    features[at] = 1 if g.turn_seat == seat else 0
    features[at + 1] = g.turn
    features[at + 2] = g.deck_size
