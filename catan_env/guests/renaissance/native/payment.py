"""Payments, piece by piece, in ascending order of good and source."""

from catan_env.guests.renaissance.native.actions import SOURCES
from catan_env.guests.renaissance.native.cards import GOODS
from catan_env.guests.renaissance.native.state import NOBODY
from catan_env.guests.renaissance.native.warehouse import available, take
from catan_env.kernel.jit import compiled


@compiled
def next_owed(g):
    """The first good with a fixed number of pieces still owed, or NOBODY."""
    for good in range(GOODS):
        if g.owed[good] > 0:
            return good
    return NOBODY


@compiled
def is_paid(g):
    """True if nothing is owed any more."""
    return g.owed_any == 0 and next_owed(g) == NOBODY


@compiled
def may_pay(g, seat, good, source):
    """True if a piece can be paid from there so that the rest can be paid in ascending order."""
    piece = SOURCES * good + source
    if piece < g.last or available(g, seat, good, source) == 0:
        return False
    owed = next_owed(g)
    if owed != NOBODY:
        if good != owed:
            return False
        within = 0
        for other in range(source, SOURCES):
            within += available(g, seat, good, other)
        return within >= g.owed[good]
    within = 0
    for later in range(piece, SOURCES * GOODS):
        within += available(g, seat, later // SOURCES, later % SOURCES)
    return within >= g.owed_any


@compiled
def pay(g, seat, good, source):
    """Pay a piece."""
    take(g, seat, good, source)
    if g.owed[good] > 0:
        g.owed[good] -= 1
    else:
        g.owed_any -= 1
    g.last = SOURCES * good + source
    if g.owed_any == 0 and next_owed(g) == NOBODY:
        g.last = NOBODY
