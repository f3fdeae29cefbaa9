"""The roll and what it yields (C047-C062)."""

from catan_env.core.bits import bit, count_bits, lowest_bit
from catan_env.core.board import TILE_VERTEX_SET
from catan_env.core.constants import RESOURCES
from catan_env.core.hands import take_from_bank
from catan_env.core.jit import rule


@rule
def produce(g, total):
    """Every tile with the number yields, but the robber's; the bank pays kind by kind."""
    tiles = g.token_tiles[total] & ~bit(g.robber)
    for resource in range(RESOURCES):
        yielding = tiles & g.resource_tiles[resource]
        if yielding != 0:
            pay_out(g, resource, yielding)


@rule
def entitled(g, seat, tiles):
    """How many cards `seat` is due from `tiles`: 1 a settlement, 2 a city, tile by tile."""
    due = 0
    while tiles:
        corners = TILE_VERTEX_SET[lowest_bit(tiles)]
        tiles &= tiles - 1
        due += count_bits(corners & g.settlements[seat]) + 2 * count_bits(corners & g.cities[seat])
    return due


@rule
def pay_out(g, resource, tiles):
    """Pay one kind: when the bank is short nobody gets any, but a single seat gets the rest."""
    due = 0  # eight bits a seat
    wanted, receivers = 0, 0
    for seat in range(g.seats):
        n = entitled(g, seat, tiles)
        due |= n << (8 * seat)
        wanted += n
        receivers += n > 0
    if wanted == 0:
        return
    short = wanted > g.bank[resource]
    if short and receivers > 1:  # C055
        return
    for seat in range(g.seats):
        n = (due >> (8 * seat)) & 255
        if n > 0:
            take_from_bank(g, seat, resource, min(n, g.bank[resource]))  # C056
