"""Development cards: the grid of stacks, and purchases."""

from catan_env.guests.renaissance.native.cards import (
    AMOUNT,
    COST,
    DISCOUNT,
    GOODS,
    LEVEL,
)
from catan_env.guests.renaissance.native.payment import is_paid
from catan_env.guests.renaissance.native.state import (
    EMPTY,
    KEPT,
    MAIN,
    PAY,
    PURCHASE,
    SLOTS,
)
from catan_env.guests.renaissance.native.warehouse import (
    clear_sequence,
    count_of,
    has_active,
    leader_good,
    remember_containers,
)
from catan_env.kernel.jit import compiled

CARDS_TO_END = 7


@compiled
def turn_up(g, colour, level):
    """Remove the top card of a stack and turn up the next one (R041)."""
    g.left[colour, level] -= 1
    left = g.left[colour, level]
    g.top[colour, level] = g.stack[colour, level, left - 1] if left > 0 else EMPTY


@compiled
def cost_of(g, seat, card, good):
    """The pieces of `good` that the card costs the seat, after discounts (R047, R048)."""
    cost = g.dev[card, COST + good]
    for i in range(KEPT):
        if has_active(g, seat, i, DISCOUNT) and leader_good(g, seat, i) == good:
            cost -= g.leaders[g.leader[seat, i], AMOUNT]
    return max(cost, 0)


@compiled
def fits_slot(g, seat, card, slot):
    """True if the card fits on that slot (R043, R044)."""
    return g.dev[card, LEVEL] == g.height[seat, slot] + 1


@compiled
def can_afford(g, seat, card):
    """True if the seat's containers hold the card's cost."""
    for good in range(GOODS):
        if count_of(g, seat, good) < cost_of(g, seat, card, good):
            return False
    return True


@compiled
def can_buy(g, seat, colour, level, slot):
    """True if the top card of a stack may be bought onto a slot."""
    card = g.top[colour, level]
    return card != EMPTY and fits_slot(g, seat, card, slot) and can_afford(g, seat, card)


@compiled
def choose_card(g, seat, colour, level, slot):
    """Start a purchase, whose cost is to be paid."""
    remember_containers(g, seat)
    g.transaction = PURCHASE
    g.card = g.top[colour, level]
    g.into = slot
    for good in range(GOODS):
        g.owed[good] = cost_of(g, seat, g.card, good)
    g.phase = PAY
    go_on_buying(g, seat)


@compiled
def go_on_buying(g, seat):
    """Complete the purchase once it is paid, in the order of R102."""
    if not is_paid(g):
        return
    card, slot = g.card, g.into
    g.slot[seat, slot, g.height[seat, slot]] = card
    g.height[seat, slot] += 1
    for colour in range(4):
        level = g.dev[card, LEVEL] - 1
        if g.top[colour, level] == card:
            turn_up(g, colour, level)
    if count_cards(g, seat) >= CARDS_TO_END:
        g.last_round = 1
    g.main_done = 1
    g.phase = MAIN
    clear_sequence(g)


@compiled
def count_cards(g, seat):
    """The number of cards in all slots of a seat."""
    total = 0
    for slot in range(SLOTS):
        total += g.height[seat, slot]
    return total
