"""The roll and its production (C047-C062)."""

from catan_env.core.board import TILE_VERTEX_SET
from catan_env.core.constants import RESOURCES
from catan_env.core.hands import endless_stock, in_stock, take_from_bank
from catan_env.kernel.bits import bit, count_bits, lowest_bit
from catan_env.kernel.jit import inline

MOST_FROM_A_TILE = 6  # three cities


@inline
def produce(g, total):
    """Pay for every tile with that number except the robber's; shortages are per resource."""
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


@inline
def bank_lasts(g, tiles):
    """True if the bank can pay for `tiles` whatever is built on them, as it usually can."""
    least = int(g.bank[0])
    for resource in range(1, RESOURCES):
        least = min(least, int(g.bank[resource]))
    if g.endless_bank:
        least = endless_stock(g)
    return least >= MOST_FROM_A_TILE * count_bits(tiles)


@inline
def pay_tile(g, tile):
    """Pay every seat its cards from a tile, branch-free."""
    for seat in range(g.seats):
        take_from_bank(g, seat, g.terrain[tile], due(g, seat, tile))


@inline
def due(g, seat, tile):
    """The number of cards due to `seat` from a tile: 1 per settlement, 2 per city."""
    corners = TILE_VERTEX_SET[tile]
    return count_bits(corners & g.settlements[seat]) + 2 * count_bits(corners & g.cities[seat])


@inline
def due_from(g, seat, tiles):
    """The number of cards due to `seat` from `tiles`."""
    cards = 0
    while tiles:
        cards += due(g, seat, lowest_bit(tiles))
        tiles &= tiles - 1
    return cards


@inline
def pay_out(g, resource, tiles):
    """Pay out one resource: if the bank is short, a single seat gets the rest, several nothing."""
    shares = 0  # eight bits per seat
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
