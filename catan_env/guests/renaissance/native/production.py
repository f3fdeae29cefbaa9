"""Production: the base, the top card of each slot, and production leaders.

Productions are numbered 0: base, 1-3: slots, 4-5: the seat's leaders. All inputs are taken from
the goods held before; outputs arrive when the whole action is complete (R051).
"""

from catan_env.guests.renaissance.native.actions import BASE, FIRST_LEADER, FIRST_SLOT
from catan_env.guests.renaissance.native.cards import (
    BASE_INPUTS,
    CARD_FAITH,
    FAITH,
    FAITH_OPEN,
    GOODS,
    INPUT,
    OUTPUT,
    PRODUCTION,
)
from catan_env.guests.renaissance.native.payment import is_paid
from catan_env.guests.renaissance.native.state import (
    GAIN,
    MAIN,
    NOBODY,
    PAY,
    PRODUCE,
    PRODUCING,
)
from catan_env.guests.renaissance.native.track import hold_reports, move
from catan_env.guests.renaissance.native.warehouse import (
    clear_sequence,
    count_goods,
    count_of,
    has_active,
    leader_good,
    remember_containers,
)
from catan_env.kernel.jit import compiled


@compiled
def top_card(g, seat, slot):
    """The card on top of a slot that is not empty."""
    return g.slot[seat, slot, g.height[seat, slot] - 1]


@compiled
def has_production(g, seat, production):
    """True if the seat has that production at all."""
    if production == BASE:
        return True
    if production < FIRST_LEADER:
        return g.height[seat, production - FIRST_SLOT] > 0
    return has_active(g, seat, production - FIRST_LEADER, PRODUCTION)


@compiled
def input_of(g, seat, production, good):
    """The pieces of `good` that one of the seat's productions takes."""
    if production == BASE:
        return 0
    if production < FIRST_LEADER:
        return g.dev[top_card(g, seat, production - FIRST_SLOT), INPUT + good]
    return 1 if leader_good(g, seat, production - FIRST_LEADER) == good else 0


@compiled
def can_feed(g, seat, production):
    """True if the seat's containers currently hold the inputs of a production."""
    if production == BASE:
        return count_goods(g, seat) >= BASE_INPUTS
    for good in range(GOODS):
        if count_of(g, seat, good) < input_of(g, seat, production, good):
            return False
    return True


@compiled
def can_produce(g, seat, production):
    """True if a production may be added; productions are added in ascending order."""
    for later in range(production, FIRST_LEADER + 2):
        if g.chosen[later]:
            return False
    return has_production(g, seat, production) and can_feed(g, seat, production)


@compiled
def add_production(g, seat, production):
    """Add a production: its inputs are to be paid, its outputs are recorded."""
    if g.transaction != PRODUCING:
        remember_containers(g, seat)
        g.transaction = PRODUCING
    g.chosen[production] = 1
    g.now = production
    for good in range(GOODS):
        g.owed[good] = input_of(g, seat, production, good)
    if production == BASE:
        g.owed_any = BASE_INPUTS
        g.gains = 1
    elif production < FIRST_LEADER:
        card = top_card(g, seat, production - FIRST_SLOT)
        for good in range(GOODS):
            g.promised[good] += g.dev[card, OUTPUT + good]
        g.promised_faith += g.dev[card, CARD_FAITH]
    else:
        g.gains = 1
        g.promised_faith += 1
    go_on_producing(g)


@compiled
def go_on_producing(g):
    """Ask for what the current production still lacks, or for the next one."""
    if not is_paid(g):
        g.phase = PAY
    elif g.gains > 0:
        g.phase = GAIN
    else:
        g.phase = PRODUCE
        g.now = NOBODY


@compiled
def may_gain(g, seat, good):
    """True if `good` may be chosen; faith only if the production allows it (R055)."""
    if good != FAITH:
        return True
    if g.now == BASE:
        return g.base_faith_open == 1
    return g.leaders[g.leader[seat, g.now - FIRST_LEADER], FAITH_OPEN] == 1


@compiled
def gain_from_production(g, good):
    """Record the chosen good as an output."""
    if good == FAITH:
        g.promised_faith += 1
    else:
        g.promised[good] += 1
    g.gains -= 1
    go_on_producing(g)


@compiled
def complete_production(g, seat):
    """Put outputs into the strongbox, move the faith marker and hold reports."""
    for good in range(GOODS):
        g.strongbox[seat, good] += g.promised[good]
    move(g, seat, g.promised_faith)
    hold_reports(g)
    g.main_done = 1
    g.phase = MAIN
    clear_sequence(g)
