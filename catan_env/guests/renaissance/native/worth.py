"""What a position is worth to a seat: hand-set weights over what everybody can count.

`best_action` tries every legal action, completes what it begins by a plain rule, and takes the one
after which the seat's position is worth most.
"""

from catan_env.core.jit import door, part
from catan_env.guests.renaissance.native.actions import (
    BUY_AT,
    DONE_ACTION,
    END_ACTION,
    NUM_ACTIONS,
    PRODUCE_AT,
    SWAP_AT,
)
from catan_env.guests.renaissance.native.cards import (
    CARD_FAITH,
    GOODS,
    INPUT,
    OUTPUT,
    PRODUCTION,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.choices import apply, write_mask
from catan_env.guests.renaissance.native.leaders import cards_of
from catan_env.guests.renaissance.native.purchase import cost_of, count_cards
from catan_env.guests.renaissance.native.state import (
    EMPTY,
    IN_HAND,
    KEPT,
    MAIN,
    NOBODY,
    OVER,
    PRODUCE,
    SLOTS,
)
from catan_env.guests.renaissance.native.track import points_of
from catan_env.guests.renaissance.native.warehouse import count_goods, count_of, has_active

SEQUENCE_AT_MOST = 64


@part
def worth_of_engine(g, seat):
    """What the seat's productions give a turn, inputs taken off."""
    worth = 0.0
    for slot in range(SLOTS):
        if g.height[seat, slot] > 0:
            card = g.slot[seat, slot, g.height[seat, slot] - 1]
            for good in range(GOODS):
                worth += 0.5 * g.dev[card, OUTPUT + good] - 0.35 * g.dev[card, INPUT + good]
            worth += 0.55 * g.dev[card, CARD_FAITH]
    for i in range(KEPT):
        if has_active(g, seat, i, PRODUCTION):
            worth += 0.8
        if has_active(g, seat, i, WHITE_MARBLE):
            worth += 0.6
    return worth


@part
def nearness(g, seat, card):
    """How much of what a card costs the seat holds, 0 to 1, and a little more for all of it."""
    owed, missing = 0, 0
    for good in range(GOODS):
        cost = cost_of(g, seat, card, good)
        owed += cost
        missing += max(cost - count_of(g, seat, good), 0)
    share = 1.0 - missing / owed if owed > 0 else 1.0
    return share * share + (0.25 if missing == 0 else 0.0)


@part
def worth_of_goals(g, seat):
    """The card that the goods held come closest to, by its points."""
    best = 0.0
    for colour in range(4):
        for level in range(3):
            card = g.top[colour, level]
            if card == EMPTY:
                continue
            for slot in range(SLOTS):
                if g.height[seat, slot] == level:
                    goal = nearness(g, seat, card) * (1.2 + 0.55 * g.dev[card, 2])
                    best = max(best, goal)
                    break
    return best


@part
def worth_of_hand(g, seat):
    """Leaders in hand, by how much of their cards is there."""
    worth = 0.0
    for i in range(KEPT):
        if g.leader_state[seat, i] != IN_HAND or g.leader[seat, i] == EMPTY:
            continue
        leader = g.leader[seat, i]
        asked, there = 0, 0
        for k in range(2):
            count = g.leaders[leader, 6 + 3 * k]
            asked += count
            have = cards_of(g, seat, g.leaders[leader, 4 + 3 * k], g.leaders[leader, 5 + 3 * k])
            there += min(have, count)
        for good in range(GOODS):
            count = g.leaders[leader, 10 + good]
            asked += count
            there += min(count_of(g, seat, good), count)
        worth += 1.0 + 2.0 * there / max(asked, 1)
    return worth


@part
def worth(g, seat):
    """What the position is worth to the seat."""
    cards = count_cards(g, seat)
    value = 1.0 * points_of(g, seat) + 0.45 * g.faith[seat] + 1.1 * cards
    remaining = max(7 - cards, 0) / 7.0
    value += 2.2 * remaining * worth_of_engine(g, seat)
    value += worth_of_goals(g, seat) + worth_of_hand(g, seat)
    value += 0.28 * min(count_goods(g, seat), 14) + 0.2 * max(count_goods(g, seat) - 14, 0)
    for other in range(g.seats):
        if other != seat:
            value -= 0.25 / (g.seats - 1) * g.faith[other]
    if g.seats == 1:
        value -= 0.3 * g.cross
        value += 2.0 * (cards >= 7) + 2.0 * (g.faith[seat] == 24)
    return value


@part
def next_by_rule(g):
    """How a sequence that was begun is completed: produce with all, then the first choice."""
    if g.phase == PRODUCE:
        for action in range(PRODUCE_AT, DONE_ACTION):
            if g.mask[action]:
                return action
        return DONE_ACTION
    for action in range(NUM_ACTIONS):
        if g.mask[action]:
            return action
    return END_ACTION


@part
def complete(states, i, seat):
    """Complete the sequence that was begun in game `i`."""
    g = states[i]
    for _ in range(SEQUENCE_AT_MOST):
        if g.phase == OVER or g.seat != seat or g.phase == MAIN:
            return
        apply(g, next_by_rule(g))


@part
def worth_after(scratch, i, j, action, depth):
    """What a position is worth after an action in game `i`, looked at in place `j`."""
    scratch[j] = scratch[i]
    g = scratch[j]
    seat = g.seat
    apply(g, action)
    if depth > 0 and g.phase != MAIN and g.phase != OVER and g.seat == seat:
        best = -1.0e9
        for follow in range(NUM_ACTIONS):
            if scratch[j].mask[follow]:
                best = max(best, worth_after_completing(scratch, j, j + 1, follow, seat))
        return best
    complete(scratch, j, seat)
    return worth(scratch[j], seat)


@part
def worth_after_completing(scratch, i, j, action, seat):
    """What a position is worth after an action and the completion by rule."""
    scratch[j] = scratch[i]
    apply(scratch[j], action)
    complete(scratch, j, seat)
    return worth(scratch[j], seat)


@door
def best_action(scratch):
    """The action that leads to the best position from the view in place 0; places 1, 2 are free.

    A turn is ended only when nothing improves the position; exchanges are not considered but
    for nothing else.
    """
    write_mask(scratch[0])
    best, chosen = -1.0e9, NOBODY
    here = worth(scratch[0], scratch[0].seat)
    for action in range(NUM_ACTIONS):
        if not scratch[0].mask[action]:
            continue
        if SWAP_AT <= action < END_ACTION:
            value = -1.0e8
        elif action == END_ACTION:
            value = here + 0.01
        else:
            value = worth_after(scratch, 0, 1, action, 1)
        if BUY_AT <= action < BUY_AT + 36:
            level = (action - BUY_AT) // 3 % 3 + 1
            value += 0.1 * level
        if value > best:
            best, chosen = value, action
    return chosen
