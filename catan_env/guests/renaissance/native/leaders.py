"""Leaders: what they ask for, activation, discard."""

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
from catan_env.kernel.jit import part


@part
def cards_of(g, seat, colour, level):
    """Cards of a colour in the seat's slots, covered ones too; level 0 is any (R062, R063)."""
    total = 0
    for slot in range(SLOTS):
        for k in range(g.height[seat, slot]):
            card = g.slot[seat, slot, k]
            if g.dev[card, COLOUR] == colour and (level == 0 or g.dev[card, LEVEL] == level):
                total += 1
    return total


@part
def meets_needs(g, seat, leader):
    """Whether the seat has what a leader asks for (R060-R063)."""
    for k in range(NEEDS_AT_MOST):
        colour, level = g.leaders[leader, NEEDS + 3 * k], g.leaders[leader, NEEDS + 3 * k + 1]
        if cards_of(g, seat, colour, level) < g.leaders[leader, NEEDS + 3 * k + 2]:
            return False
    for good in range(GOODS):
        if count_of(g, seat, good) < g.leaders[leader, NEEDS_GOODS + good]:
            return False
    return True


@part
def is_in_hand(g, seat, i):
    """Whether the seat still holds its leader `i`."""
    return g.has_kept[seat] == 1 and g.leader_state[seat, i] == IN_HAND


@part
def can_activate(g, seat, i):
    """Whether the seat may activate its leader `i`."""
    return is_in_hand(g, seat, i) and meets_needs(g, seat, g.leader[seat, i])


@part
def activate(g, seat, i):
    """Activate a leader; nothing is paid."""
    g.leader_state[seat, i] = ACTIVE


@part
def discard(g, seat, i):
    """Discard a leader from the hand for one faith (R064, R103)."""
    g.leader_state[seat, i] = DISCARDED
    move(g, seat, 1)
    hold_reports(g)
