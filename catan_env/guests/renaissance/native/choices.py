"""The mask of legal actions, and the execution of an action."""

from catan_env.guests.renaissance.native.actions import (
    ACTIVATE_AT,
    BUY_AT,
    DISCARD_AT,
    DONE_ACTION,
    END_ACTION,
    GAIN_AT,
    KEEP_AT,
    LINE_AT,
    NUM_ACTIONS,
    PAY_AT,
    PLACE_AT,
    PRODUCE_AT,
    PRODUCTIONS,
    SOURCES,
    SWAP_AT,
    SWAPS,
    WHITE_AT,
)
from catan_env.guests.renaissance.native.cards import GOODS, LEVELS
from catan_env.guests.renaissance.native.leaders import activate, can_activate, discard, is_in_hand
from catan_env.guests.renaissance.native.market import draw_line, may_place, place_good, turn_white
from catan_env.guests.renaissance.native.payment import may_pay, pay
from catan_env.guests.renaissance.native.production import (
    add_production,
    can_produce,
    complete_production,
    gain_from_production,
    go_on_producing,
    may_gain,
)
from catan_env.guests.renaissance.native.purchase import can_buy, choose_card, go_on_buying
from catan_env.guests.renaissance.native.setup import (
    gain_at_start,
    keep_leaders,
    may_gain_at_start,
    may_place_at_start,
    place_at_start,
)
from catan_env.guests.renaissance.native.state import (
    GAIN,
    KEEP,
    KEPT,
    MAIN,
    NOBODY,
    OVER,
    PAY,
    PLACE,
    PRODUCE,
    PURCHASE,
    SETUP,
    SLOTS,
    WHITES,
)
from catan_env.guests.renaissance.native.turn import end_turn, go_on_in_setup
from catan_env.guests.renaissance.native.warehouse import can_swap, exchange
from catan_env.kernel.jit import compiled


@compiled
def write_mask(g):
    """Write the acting seat's legal actions into `g.mask`; none in another seat's view."""
    for action in range(NUM_ACTIONS):
        g.mask[action] = 0
    if g.seat == NOBODY or g.phase == OVER or (g.viewer != NOBODY and g.viewer != g.seat):
        return
    if g.phase == KEEP:
        for pair in range(6):
            g.mask[KEEP_AT + pair] = 1
    elif g.phase == MAIN:
        mask_main(g, g.seat)
    elif g.phase == WHITES:
        g.mask[WHITE_AT] = g.mask[WHITE_AT + 1] = 1
    elif g.phase == PLACE:
        mask_places(g, g.seat)
    elif g.phase == PAY:
        mask_payment(g, g.seat)
    elif g.phase == GAIN:
        mask_gains(g, g.seat)
    elif g.phase == PRODUCE:
        mask_productions(g, g.seat)
        g.mask[DONE_ACTION] = 1


@compiled
def mask_main(g, seat):
    """Write leader actions, exchanges, and main actions or, after one, the end of the turn."""
    for i in range(KEPT):
        g.mask[ACTIVATE_AT + i] = can_activate(g, seat, i)
        g.mask[DISCARD_AT + i] = is_in_hand(g, seat, i)
    for swap in range(len(SWAPS)):
        g.mask[SWAP_AT + swap] = can_swap(g, seat, swap)
    if g.main_done:
        g.mask[END_ACTION] = 1
        return
    for line in range(7):
        g.mask[LINE_AT + line] = 1
    mask_purchases(g, seat)
    mask_productions(g, seat)


@compiled
def mask_purchases(g, seat):
    """Write the cards that the seat can pay for, with the slots they fit."""
    for colour in range(4):
        for level in range(LEVELS):
            for slot in range(SLOTS):
                action = BUY_AT + 9 * colour + 3 * level + slot
                g.mask[action] = can_buy(g, seat, colour, level, slot)


@compiled
def mask_productions(g, seat):
    """Write the productions that can be added."""
    for production in range(PRODUCTIONS):
        g.mask[PRODUCE_AT + production] = can_produce(g, seat, production)


@compiled
def mask_places(g, seat):
    """Write the places where the next good may go."""
    for place in range(6):
        if g.transaction == SETUP:
            g.mask[PLACE_AT + place] = may_place_at_start(g, seat, place)
        else:
            g.mask[PLACE_AT + place] = may_place(g, seat, place)


@compiled
def mask_payment(g, seat):
    """Write the goods and sources that the next piece can be paid with."""
    for good in range(GOODS):
        for source in range(SOURCES):
            g.mask[PAY_AT + SOURCES * good + source] = may_pay(g, seat, good, source)


@compiled
def mask_gains(g, seat):
    """Write the goods that can be chosen."""
    if g.transaction == SETUP:
        for good in range(GOODS):
            g.mask[GAIN_AT + good] = may_gain_at_start(g, seat, good)
    else:
        for good in range(GOODS + 1):
            g.mask[GAIN_AT + good] = may_gain(g, seat, good)


@compiled
def carry_out(g, action):
    """Execute a legal action."""
    seat = g.seat
    if action < LINE_AT:
        keep_leaders(g, seat, action - KEEP_AT)
        go_on_in_setup(g)
    elif action < WHITE_AT:
        draw_line(g, seat, action - LINE_AT)
    elif action < PLACE_AT:
        turn_white(g, seat, action - WHITE_AT)
    elif action < BUY_AT:
        carry_out_place(g, seat, action - PLACE_AT)
    elif action < PAY_AT:
        at = action - BUY_AT
        choose_card(g, seat, at // 9, at // 3 % 3, at % 3)
    elif action < GAIN_AT:
        carry_out_payment(g, seat, action - PAY_AT)
    elif action < PRODUCE_AT:
        carry_out_gain(g, action - GAIN_AT)
    else:
        carry_out_main(g, seat, action)


@compiled
def carry_out_place(g, seat, place):
    """Put a good from the market or the set-up in a place."""
    if g.transaction == SETUP:
        place_at_start(g, seat, place)
        if g.has_goods[seat]:
            go_on_in_setup(g)
    else:
        place_good(g, seat, place)


@compiled
def carry_out_payment(g, seat, piece):
    """Pay a piece for a card or a production."""
    pay(g, seat, piece // SOURCES, piece % SOURCES)
    if g.transaction == PURCHASE:
        go_on_buying(g, seat)
    else:
        go_on_producing(g)


@compiled
def carry_out_gain(g, good):
    """Choose a good."""
    if g.transaction == SETUP:
        gain_at_start(g, good)
    else:
        gain_from_production(g, good)


@compiled
def carry_out_main(g, seat, action):
    """Execute a production, a leader action, an exchange or the end of the turn."""
    if action < DONE_ACTION:
        add_production(g, seat, action - PRODUCE_AT)
    elif action == DONE_ACTION:
        complete_production(g, seat)
    elif action < DISCARD_AT:
        activate(g, seat, action - ACTIVATE_AT)
    elif action < SWAP_AT:
        discard(g, seat, action - DISCARD_AT)
    elif action < END_ACTION:
        exchange(g, seat, SWAPS[action - SWAP_AT, 0], SWAPS[action - SWAP_AT, 1])
    else:
        end_turn(g)


@compiled
def only_choice(g):
    """The only legal action of a step that is taken automatically, or NOBODY."""
    if g.phase < WHITES or g.phase > GAIN:
        return NOBODY
    found = NOBODY
    for action in range(WHITE_AT, PRODUCE_AT):
        if g.mask[action]:
            if found != NOBODY:
                return NOBODY
            found = action
    return found


@compiled
def take_only_choices(g):
    """Write the mask, and take each step automatically that leaves no choice."""
    write_mask(g)
    while only_choice(g) != NOBODY:
        carry_out(g, only_choice(g))
        write_mask(g)


@compiled
def apply(g, action):
    """Execute a legal action and the following steps that leave no choice."""
    carry_out(g, action)
    take_only_choices(g)
