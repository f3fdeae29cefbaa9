"""What may be played: the mask, and an action carried out."""

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
from catan_env.kernel.jit import part


@part
def write_mask(g):
    """Write what the seat to decide may play into `g.mask`; nothing in another seat's view."""
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


@part
def mask_main(g, seat):
    """Leader actions and exchanges at any time; a main action, or then the end of the turn."""
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


@part
def mask_purchases(g, seat):
    """Cards that the seat can pay, and the slots they fit into."""
    for colour in range(4):
        for level in range(LEVELS):
            for slot in range(SLOTS):
                action = BUY_AT + 9 * colour + 3 * level + slot
                g.mask[action] = can_buy(g, seat, colour, level, slot)


@part
def mask_productions(g, seat):
    """Productions that may be added."""
    for production in range(PRODUCTIONS):
        g.mask[PRODUCE_AT + production] = can_produce(g, seat, production)


@part
def mask_places(g, seat):
    """Where the next good may go."""
    for place in range(6):
        if g.transaction == SETUP:
            g.mask[PLACE_AT + place] = may_place_at_start(g, seat, place)
        else:
            g.mask[PLACE_AT + place] = may_place(g, seat, place)


@part
def mask_payment(g, seat):
    """What the next piece may be paid from."""
    for good in range(GOODS):
        for source in range(SOURCES):
            g.mask[PAY_AT + SOURCES * good + source] = may_pay(g, seat, good, source)


@part
def mask_gains(g, seat):
    """What the piece of choice may be."""
    if g.transaction == SETUP:
        for good in range(GOODS):
            g.mask[GAIN_AT + good] = may_gain_at_start(g, seat, good)
    else:
        for good in range(GOODS + 1):
            g.mask[GAIN_AT + good] = may_gain(g, seat, good)


@part
def carry_out(g, action):
    """Carry out a legal action."""
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


@part
def carry_out_place(g, seat, place):
    """A good from the market or the set-up goes to a place."""
    if g.transaction == SETUP:
        place_at_start(g, seat, place)
        if g.has_goods[seat]:
            go_on_in_setup(g)
    else:
        place_good(g, seat, place)


@part
def carry_out_payment(g, seat, piece):
    """A piece is paid for a card or a production."""
    pay(g, seat, piece // SOURCES, piece % SOURCES)
    if g.transaction == PURCHASE:
        go_on_buying(g, seat)
    else:
        go_on_producing(g)


@part
def carry_out_gain(g, good):
    """A piece of choice is named."""
    if g.transaction == SETUP:
        gain_at_start(g, good)
    else:
        gain_from_production(g, good)


@part
def carry_out_main(g, seat, action):
    """Productions, leader actions, exchanges, the end of the turn."""
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


@part
def only_choice(g):
    """The one legal action of a step that is taken by itself, or NOBODY."""
    if g.phase < WHITES or g.phase > GAIN:
        return NOBODY
    found = NOBODY
    for action in range(WHITE_AT, PRODUCE_AT):
        if g.mask[action]:
            if found != NOBODY:
                return NOBODY
            found = action
    return found


@part
def take_only_choices(g):
    """Write the mask, and take each step by itself that leaves no choice."""
    write_mask(g)
    while only_choice(g) != NOBODY:
        carry_out(g, only_choice(g))
        write_mask(g)


@part
def apply(g, action):
    """Carry out a legal action and the steps after it that leave no choice."""
    carry_out(g, action)
    take_only_choices(g)
