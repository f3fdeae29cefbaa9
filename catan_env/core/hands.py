"""Resource cards changing hands, and what the table can count of it.

`g.known[seat]` is a lower bound of every resource in a hand, from public events alone; the same
for everybody at the table. In a view the hands of others are not kept, `known` and sizes are.
"""

from catan_env.core.constants import HIDDEN, RESOURCES, SPARE_CARDS
from catan_env.kernel.jit import rule


@rule
def gain(g, seat, resource, n):
    """`seat` openly receives `n` cards."""
    g.hand[seat, resource] += n
    g.known[seat, resource] += n
    g.hand_size[seat] += n


@rule
def lose(g, seat, resource, n):
    """`seat` openly gives up `n` cards, which it has."""
    g.hand[seat, resource] -= n
    g.known[seat, resource] = max(g.known[seat, resource] - n, 0)
    g.hand_size[seat] -= n


@rule
def in_stock(g, resource):
    """How many cards of a resource the bank can give."""
    return g.bank[resource] + spare_cards(g)


@rule
def spare_cards(g):
    """How many cards of each resource there are beside those of the box."""
    return SPARE_CARDS * g.endless_bank


@rule
def take_from_bank(g, seat, resource, n):
    """The bank gives `seat` `n` cards, which it has."""
    g.bank[resource] -= n
    gain(g, seat, resource, n)


@rule
def pay_bank(g, seat, resource, n):
    """`seat` gives `n` cards, which it has, to the bank (C011)."""
    g.bank[resource] += n
    lose(g, seat, resource, n)


@rule
def steal(g, thief, victim, resource):
    """One card passes unseen from `victim` to `thief` (C083); `resource` may be HIDDEN."""
    if resource != HIDDEN:
        g.hand[victim, resource] -= 1
        g.hand[thief, resource] += 1
    for r in range(RESOURCES):
        if g.known[victim, r] == g.hand_size[victim]:  # a hand of one kind hides nothing
            g.known[thief, r] += 1
        g.known[victim, r] = max(g.known[victim, r] - 1, 0)
    g.hand_size[victim] -= 1
    g.hand_size[thief] += 1


@rule
def nth_card(g, seat, n):
    """The resource of the n-th card of a hand, all cards in order of their resource (C082)."""
    resource = 0
    while n >= g.hand[seat, resource]:
        n -= g.hand[seat, resource]
        resource += 1
    return resource


@rule
def resources_held(g, seat, n):
    """The set of resources of which a hand holds at least `n`."""
    held = 0
    for r in range(RESOURCES):
        held |= (g.hand[seat, r] >= n) << r
    return held


@rule
def pays(held, cost):
    """Whether the set of resources held covers a cost of one card each."""
    return held & cost == cost
