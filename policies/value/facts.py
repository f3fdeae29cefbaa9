"""What a seat's odds follow from: numbers that say how each seat stands, its own first.

They are read from a whole game, or from a world that a view allows; nothing is hidden in either.
"""
# mypy: ignore-errors

from catan_env.core.board import PIPS, TILE_VERTEX_SET
from catan_env.core.constants import (
    BANK_RATE,
    CARD_KINDS,
    HAND_LIMIT,
    KNIGHT,
    RESOURCES,
)
from catan_env.kernel.bits import count_bits, lowest_bit
from catan_env.kernel.jit import part
from catan_env.policies.value.standing import best_of, lead_of_road, one_road_on, open_spots

OF_SEAT, OF_TABLE = 35, 3
"""How many numbers there are of each seat, and of the table."""


@part
def tell_pips(g, seat, facts, at):
    """The pips of each resource, as if there were no robber: 5; and those that he takes: 1."""
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
        facts[at + resource] = total
    facts[at + RESOURCES] = robbed


@part
def tell_cards(g, seat, facts, at):
    """Resource cards, what the bank takes less than four: 5 each; development cards: 5."""
    for resource in range(RESOURCES):
        facts[at + resource] = g.hand[seat, resource]
        facts[at + RESOURCES + resource] = BANK_RATE - g.rates[seat, resource]
    for kind in range(CARD_KINDS):
        facts[at + 2 * RESOURCES + kind] = g.cards[seat, kind]


@part
def tell_prospects(g, seat, worth, facts, at):
    """Places for a settlement at once, and after one more road: the best and how many, 2 each."""
    spots, near = open_spots(g, seat), one_road_on(g, seat)
    facts[at] = best_of(spots, worth)
    facts[at + 1] = count_bits(spots)
    facts[at + 2] = best_of(near, worth)
    facts[at + 3] = count_bits(near)


@part
def tell_standing(g, seat, facts, at):
    """Points that are lacking, the two awards, what is left to build, cards over the limit: 10."""
    facts[at] = g.points_to_win - g.points[seat]
    facts[at + 1] = g.played[seat, KNIGHT]
    facts[at + 2] = 1 if g.largest_army == seat else 0
    facts[at + 3] = g.road_length[seat]
    facts[at + 4] = lead_of_road(g, seat)
    facts[at + 5] = 1 if g.longest_road == seat else 0
    for piece in range(3):
        facts[at + 6 + piece] = g.pieces[seat, piece]
    facts[at + 9] = max(int(g.hand_size[seat]) - HAND_LIMIT, 0)


@part
def tell(g, seat, worth, facts):
    """Write everything: (seats * OF_SEAT + OF_TABLE,) float64; `worth` is that of the vertices."""
    for k in range(g.seats):
        other, at = (seat + k) % g.seats, k * OF_SEAT
        tell_standing(g, other, facts, at)
        tell_pips(g, other, facts, at + 10)
        tell_cards(g, other, facts, at + 16)
        tell_prospects(g, other, worth, facts, at + 31)
    at = g.seats * OF_SEAT
    facts[at] = 1 if g.turn_seat == seat else 0
    facts[at + 1] = g.turn
    facts[at + 2] = g.deck_size
