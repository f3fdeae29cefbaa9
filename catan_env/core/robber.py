"""Sevens, discards, and the robber (C063-C086)."""

from catan_env.core.actions import DISCARD_START, ROBBER_SPLIT, ROBBER_WORD, SPREAD
from catan_env.core.board import VERTEX_TILE_SET
from catan_env.core.constants import (
    DISCARD,
    DRAW,
    HAND_LIMIT,
    NOTHING,
    PROTECTED_POINTS,
    RESOURCES,
    ROBBER,
    SEA_TOKEN,
    TILES,
)
from catan_env.core.hands import nth_card, pay_bank, steal
from catan_env.core.seats import seat_after
from catan_env.kernel.bits import bit, lowest_bit
from catan_env.kernel.jit import inline
from catan_env.kernel.rng import below

LOW_TILES = (1 << ROBBER_SPLIT) - 1
ALL_TILES = (1 << TILES) - 1


@inline
def seven(g):
    """Make each seat with more than seven cards discard half of them, rounded down (C064-C067).

    Some tables allow larger hands (C202).

    Without a robber nothing happens and the turn continues.
    """
    if not g.robber_moves:
        g.phase = g.resume
        return
    for seat in range(g.seats):
        if g.hand_size[seat] > HAND_LIMIT + g.larger_hand:
            g.owed[seat] = g.hand_size[seat] // 2
    go_on_discarding(g)


@inline
def go_on_discarding(g):
    """Ask the next seat from the roller onward that owes cards; then the robber moves."""
    for k in range(g.seats):
        seat = seat_after(g, g.turn_seat, k)
        if g.owed[seat] > 0:
            g.phase = DISCARD
            g.seat = seat
            return
    g.phase = ROBBER
    g.seat = g.turn_seat


@inline
def discard(g, seat, resource):
    """Discard one card openly to the bank."""
    pay_bank(g, seat, resource, 1)
    g.owed[seat] -= 1
    go_on_discarding(g)


@inline
def discard_of_most_numerous(g, seat):
    """The discard of a card of the most numerous kind; the first kind in a tie."""
    best = 0
    for r in range(1, RESOURCES):
        if g.hand[seat, r] > g.hand[seat, best]:
            best = r
    return DISCARD_START + best


@inline
def touched_tiles(g, seat):
    """The tiles next to the seat's buildings."""
    tiles = 0
    left = g.settlements[seat] | g.cities[seat]
    while left:
        tiles |= VERTEX_TILE_SET[lowest_bit(left)]
        left &= left - 1
    return tiles


@inline
def unprotected(g, tiles):
    """The tiles without those next to another seat of at most two points; all if none is left.

    For a friendly robber (C203-C206).
    """
    left = tiles
    for step in range(1, g.seats):
        seat = seat_after(g, g.seat, step)
        if g.points[seat] <= PROTECTED_POINTS:
            left &= ~touched_tiles(g, seat)
    return left if left != 0 else tiles


@inline
def write_robber_moves(g):
    """Write every other tile with each seat to rob there, or with none (C071-C081, C219)."""
    free = ALL_TILES & ~(bit(g.robber) | g.token_tiles[SEA_TOKEN])
    if g.friendly_robber:
        free = unprotected(g, free)
    empty = free
    for step in range(1, g.seats):
        tiles = touched_tiles(g, seat_after(g, g.seat, step)) & free
        empty &= ~tiles
        g.mask[ROBBER_WORD] |= SPREAD[tiles & LOW_TILES] << step
        g.mask[ROBBER_WORD + 1] |= SPREAD[tiles >> ROBBER_SPLIT] << step
    g.mask[ROBBER_WORD] |= SPREAD[empty & LOW_TILES]
    g.mask[ROBBER_WORD + 1] |= SPREAD[empty >> ROBBER_SPLIT]


@inline
def move_robber(g, tile, step, outcome):
    """Move the robber and rob the seat `step` places further, if any; returns the card stolen."""
    g.robber = tile
    g.phase = g.resume
    if step == 0:
        return NOTHING
    victim = seat_after(g, g.seat, step)
    if g.hand_size[victim] <= 0:  # C077; an uncertain view may count below zero
        return NOTHING
    if outcome == DRAW:
        resource = nth_card(g, victim, below(g, g.hand_size[victim]))
    else:
        g.draws += 1
        resource = outcome
    steal(g, g.seat, victim, resource)
    return resource
