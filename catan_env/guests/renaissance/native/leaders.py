"""Leaders: requirements, activation, discarding."""

from catan_env.guests.renaissance.native.cards import (
    COLOUR,
    GOODS,
    LEVEL,
    NEEDS,
    NEEDS_AT_MOST,
    NEEDS_GOODS,
)
from catan_env.guests.renaissance.native.state import ACTIVE, DISCARDED, IN_HAND, SLOTS
from catan_env.guests.renaissance.native.track import hold_reports, move
from catan_env.guests.renaissance.native.warehouse import count_of
from catan_env.kernel.jit import compiled


@compiled
def cards_of(g, seat, colour, level):
    """The cards of a colour in the seat's slots, covered ones too; level 0: any (R062, R063)."""
    total = 0
    for slot in range(SLOTS):
        for k in range(g.height[seat, slot]):
            card = g.slot[seat, slot, k]
            if g.dev[card, COLOUR] == colour and (level == 0 or g.dev[card, LEVEL] == level):
                total += 1
    return total


@compiled
def meets_needs(g, seat, leader):
    """True if the seat meets a leader's requirements (R060-R063)."""
    for k in range(NEEDS_AT_MOST):
        colour, level = g.leaders[leader, NEEDS + 3 * k], g.leaders[leader, NEEDS + 3 * k + 1]
        if cards_of(g, seat, colour, level) < g.leaders[leader, NEEDS + 3 * k + 2]:
            return False
    for good in range(GOODS):
        if count_of(g, seat, good) < g.leaders[leader, NEEDS_GOODS + good]:
            return False
    return True


@compiled
def is_in_hand(g, seat, i):
    """True if leader `i` is still in the seat's hand."""
    return g.has_kept[seat] == 1 and g.leader_state[seat, i] == IN_HAND


@compiled
def can_activate(g, seat, i):
    """True if the seat may activate its leader `i`."""
    return is_in_hand(g, seat, i) and meets_needs(g, seat, g.leader[seat, i])


@compiled
def activate(g, seat, i):
    """Activate a leader, at no cost."""
    g.leader_state[seat, i] = ACTIVE


@compiled
def discard(g, seat, i):
    """Discard a leader from the hand for one faith (R064, R103)."""
    g.leader_state[seat, i] = DISCARDED
    move(g, seat, 1)
    hold_reports(g)
