"""Resource cards changing hands, and what all seats can count of them.

`g.known[seat]` is a lower bound for each resource of a hand, from public events alone; it is the
same for all observers. A view contains no other hands, but their `known` and their sizes.
"""

from catan_env.core.constants import HIDDEN, MOST_CARDS, RESOURCES
from catan_env.kernel.jit import inline


@inline
def gain(g, seat, resource, n):
    """Openly give `seat` `n` cards."""
    g.hand[seat, resource] += n
    g.known[seat, resource] += n
    g.hand_size[seat] += n


@inline
def lose(g, seat, resource, n):
    """Openly take `n` cards, which it has, from `seat`."""
    g.hand[seat, resource] -= n
    g.known[seat, resource] = max(g.known[seat, resource] - n, 0)
    g.hand_size[seat] -= n


@inline
def in_stock(g, resource):
    """The number of cards of a resource that the bank can give."""
    return endless_stock(g) if g.endless_bank else int(g.bank[resource])


@inline
def endless_stock(g):
    """The number of cards that an endless bank can give: all hands together have a limit (C227).

    A hand is thus counted in a byte, whatever a table's rules are.
    """
    left = MOST_CARDS
    for seat in range(g.seats):
        left -= g.hand_size[seat]
    return left


@inline
def take_from_bank(g, seat, resource, n):
    """Give `seat` `n` cards from the bank, which has them."""
    g.bank[resource] -= n
    gain(g, seat, resource, n)


@inline
def pay_bank(g, seat, resource, n):
    """Pay `n` cards, which `seat` has, to the bank (C011)."""
    g.bank[resource] += n
    lose(g, seat, resource, n)


@inline
def steal(g, thief, victim, resource):
    """Move one card unseen from `victim` to `thief` (C083); `resource` may be HIDDEN."""
    if resource != HIDDEN:
        g.hand[victim, resource] -= 1
        g.hand[thief, resource] += 1
    for r in range(RESOURCES):
        if g.known[victim, r] == g.hand_size[victim]:  # a hand of one kind hides nothing
            g.known[thief, r] += 1
        g.known[victim, r] = max(g.known[victim, r] - 1, 0)
    g.hand_size[victim] -= 1
    g.hand_size[thief] += 1


@inline
def nth_card(g, seat, n):
    """The resource of the n-th card of a hand, sorted by resource (C082)."""
    resource = 0
    while n >= g.hand[seat, resource]:
        n -= g.hand[seat, resource]
        resource += 1
    return resource


@inline
def resources_held(g, seat, n):
    """The set of resources of which a hand contains at least `n`."""
    held = 0
    for r in range(RESOURCES):
        held |= (g.hand[seat, r] >= n) << r
    return held


@inline
def pays(held, cost):
    """True if the set of resources held covers a cost of one card each."""
    return held & cost == cost
