"""The roll and what it yields (C047-C062)."""

from catan_env.core.board import TILE_VERTEX_SET
from catan_env.core.constants import RESOURCES
from catan_env.core.hands import in_stock, spare_cards, take_from_bank
from catan_env.kernel.bits import bit, count_bits, lowest_bit
from catan_env.kernel.jit import rule

MOST_FROM_A_TILE = 6  # three cities


@rule
def produce(g, total):
    """Every tile with the number yields, but the robber's; the bank pays kind by kind."""
    tiles = g.token_tiles[total] & ~bit(g.robber)
    if bank_lasts(g, tiles):
        while tiles:
            pay_tile(g, lowest_bit(tiles))
            tiles &= tiles - 1
        return
    for resource in range(RESOURCES):
        yielding = tiles & g.resource_tiles[resource]
        if yielding != 0:
            pay_out(g, resource, yielding)


@rule
def bank_lasts(g, tiles):
    """Whether the bank can pay for `tiles` whatever stands on them, as it mostly can."""
    least = g.bank[0]
    for resource in range(1, RESOURCES):
        least = min(least, g.bank[resource])
    return least + spare_cards(g) >= MOST_FROM_A_TILE * count_bits(tiles)


@rule
def pay_tile(g, tile):
    """Pay every seat what it is due from a tile, without a branch."""
    for seat in range(g.seats):
        take_from_bank(g, seat, g.terrain[tile], due(g, seat, tile))


@rule
def due(g, seat, tile):
    """How many cards `seat` is due from a tile: 1 a settlement, 2 a city."""
    corners = TILE_VERTEX_SET[tile]
    return count_bits(corners & g.settlements[seat]) + 2 * count_bits(corners & g.cities[seat])


@rule
def due_from(g, seat, tiles):
    """How many cards `seat` is due from `tiles`."""
    cards = 0
    while tiles:
        cards += due(g, seat, lowest_bit(tiles))
        tiles &= tiles - 1
    return cards


@rule
def pay_out(g, resource, tiles):
    """Pay one kind: when the bank is short nobody gets any, but a single seat gets the rest."""
    shares = 0  # eight bits a seat
    wanted, receivers = 0, 0
    for seat in range(g.seats):
        n = due_from(g, seat, tiles)
        shares |= n << (8 * seat)
        wanted += n
        receivers += n > 0
    if wanted == 0:
        return
    short = wanted > in_stock(g, resource)
    if short and receivers > 1:  # C055
        return
    for seat in range(g.seats):
        n = (shares >> (8 * seat)) & 255
        if n > 0:
            take_from_bank(g, seat, resource, min(n, in_stock(g, resource)))  # C056
