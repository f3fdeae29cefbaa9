"""What a position is worth to a seat: hand-set weights over what everybody can count.

`best_action` tries every legal action, completes what it begins, and takes the one after which the
seat's next turn, if it came at once, could lead to the best position.
"""

from catan_env.core.jit import door, part
from catan_env.guests.renaissance.native.actions import (
    DISCARD_PLACE,
    DONE_ACTION,
    END_ACTION,
    LINE_AT,
    NUM_ACTIONS,
    PLACE_AT,
    PRODUCE_AT,
    SWAP_AT,
)
from catan_env.guests.renaissance.native.cards import (
    CARD_FAITH,
    GOODS,
    INPUT,
    LEVELS,
    OUTPUT,
    POINTS,
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
    PLACE,
    PRODUCE,
    SHELVES,
    SLOTS,
)
from catan_env.guests.renaissance.native.track import LAST_SPACE, points_of
from catan_env.guests.renaissance.native.warehouse import count_goods, count_of, has_active

# Each weight in the solo game, where only time counts, and at a table, where points do.
CARD = (4.0, 1.1)
FAITH_SPACE = (0.1, 0.45)
GOODS_HELD = (0.45, 0.3)  # up to 14
ENGINE = 1.1  # a piece that productions bring a turn, before the first card
INPUT_PIECE = (0.9, 0.7)
OUTPUT_FAITH = 1.1
LEADER_PRODUCES, LEADER_TURNS_WHITE = 1.5, 1.2
GOAL = (2.7, 1.2)  # a card that may be bought next
GOAL_POINT = (0.3, 0.55)
MISSING = (0.55, 0.8)  # what of a goal each piece leaves that is missing
LEADER_IN_HAND = 0.8
OTHERS_FAITH, CROSS = 0.25, 1.4
NEXT_TURN = 0.8  # the share of what another main action would improve
CARDS_TO_END, MOST_GOODS = 7, 14
SEQUENCE_AT_MOST = 64
DEEPEST = 4
SCRATCH = DEEPEST + 3
LAST_CHOICE, NEVER = -1.0e3, -1.0e9


@part
def worth_of_engine(g, seat, k):
    """What the seat's productions give a turn, inputs taken off."""
    worth = 0.0
    for slot in range(SLOTS):
        if g.height[seat, slot] > 0:
            card = g.slot[seat, slot, g.height[seat, slot] - 1]
            for good in range(GOODS):
                worth += g.dev[card, OUTPUT + good] - INPUT_PIECE[k] * g.dev[card, INPUT + good]
            worth += OUTPUT_FAITH * g.dev[card, CARD_FAITH]
    for i in range(KEPT):
        if has_active(g, seat, i, PRODUCTION):
            worth += LEADER_PRODUCES
        if has_active(g, seat, i, WHITE_MARBLE):
            worth += LEADER_TURNS_WHITE
    return worth


@part
def fits_a_slot(g, seat, level):
    """Whether a card of the level, from 0, could be laid somewhere."""
    for slot in range(SLOTS):
        if g.height[seat, slot] == level:
            return True
    return False


@part
def missing_for(g, seat, card):
    """Pieces of its cost that the seat does not hold."""
    missing = 0
    for good in range(GOODS):
        missing += max(cost_of(g, seat, card, good) - count_of(g, seat, good), 0)
    return missing


@part
def worth_of_goals(g, seat, k):
    """The card that the goods held come closest to."""
    best = 0.0
    for colour in range(4):
        for level in range(LEVELS):
            card = g.top[colour, level]
            if card != EMPTY and fits_a_slot(g, seat, level):
                goal = GOAL[k] + GOAL_POINT[k] * g.dev[card, POINTS]
                best = max(best, goal * MISSING[k] ** missing_for(g, seat, card))
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
        worth += LEADER_IN_HAND * (1.0 + 2.0 * there / max(asked, 1))
    return worth


@part
def worth(g, seat):
    """What the position is worth to the seat."""
    k = 0 if g.seats == 1 else 1
    cards = count_cards(g, seat)
    value = points_of(g, seat) + FAITH_SPACE[k] * g.faith[seat] + CARD[k] * cards
    value += ENGINE * max(CARDS_TO_END - cards, 0) / CARDS_TO_END * worth_of_engine(g, seat, k)
    value += worth_of_goals(g, seat, k) + worth_of_hand(g, seat)
    value += GOODS_HELD[k] * min(count_goods(g, seat), MOST_GOODS)
    for other in range(g.seats):
        if other != seat:
            value -= OTHERS_FAITH / (g.seats - 1) * g.faith[other]
    if g.seats == 1:
        value -= CROSS * g.cross
        value += 2.0 * (cards >= CARDS_TO_END) + 2.0 * (g.faith[seat] == LAST_SPACE)
    return value


@part
def place_by_rule(g):
    """A place that has the kind already, else the smallest that takes all of it, else the largest.

    Without a place the good is discarded.
    """
    found, pieces = DISCARD_PLACE, g.to_place[g.kind]
    for place in range(DISCARD_PLACE):
        if g.mask[PLACE_AT + place]:
            if place >= SHELVES or g.shelf_count[g.seat, place] > 0:
                return PLACE_AT + place
            if found == DISCARD_PLACE or found + 1 < pieces:
                found = place
    return PLACE_AT + found


@part
def next_by_rule(g):
    """How a sequence that was begun is completed: produce with all, else the first choice."""
    if g.phase == PLACE:
        return place_by_rule(g)
    first = PRODUCE_AT if g.phase == PRODUCE else 0
    for action in range(first, NUM_ACTIONS):
        if g.mask[action]:
            return action
    return END_ACTION


@part
def is_complete(g, seat):
    """Whether the seat is inside no sequence."""
    return g.phase == OVER or g.phase == MAIN or g.seat != seat


@part
def complete(g, seat):
    """Complete the sequence that was begun."""
    for _ in range(SEQUENCE_AT_MOST):
        if is_complete(g, seat):
            return
        apply(g, next_by_rule(g))


@part
def worth_with_next_turn(scratch, i, seat):
    """What the position in place `i` is worth, and most of what one more main action would add."""
    here = worth(scratch[i], seat)
    if scratch[i].phase != MAIN or scratch[i].seat != seat:
        return here
    scratch[i + 1] = scratch[i]
    scratch[i + 1].main_done = 0
    write_mask(scratch[i + 1])
    best = here
    for action in range(LINE_AT, DONE_ACTION):
        if scratch[i + 1].mask[action]:
            scratch[i + 2] = scratch[i + 1]
            apply(scratch[i + 2], action)
            complete(scratch[i + 2], seat)
            best = max(best, worth(scratch[i + 2], seat))
    return here + NEXT_TURN * (best - here)


@part
def next_legal(g, action):
    """The first legal action from `action` on; NUM_ACTIONS when there is none."""
    while action < NUM_ACTIONS and not g.mask[action]:
        action += 1
    return action


@part
def best_worth(scratch, tried, seat):
    """The most that the position in place 1 can come to by the end of the sequence it is in.

    Its decisions are tried depth first, `tried` counting them off in each place; what is left at
    the DEEPEST place is completed by rule.
    """
    best, i = -1.0e9, 1
    tried[1] = 0
    while i > 0:
        if i == DEEPEST:
            complete(scratch[i], seat)
        action = next_legal(scratch[i], tried[i])
        if is_complete(scratch[i], seat):
            best = max(best, worth_with_next_turn(scratch, i, seat))
            i -= 1
        elif action == NUM_ACTIONS:
            i -= 1
        else:
            tried[i] = action + 1
            scratch[i + 1] = scratch[i]
            apply(scratch[i + 1], action)
            i += 1
            tried[i] = 0
    return best


@part
def worth_of_action(scratch, tried, action):
    """What the position in place 0 comes to by an action; places are exchanged for nothing else.

    A turn is ended only when nothing improves the position.
    """
    seat = scratch[0].seat
    if SWAP_AT <= action < END_ACTION:
        return LAST_CHOICE
    if action == END_ACTION:
        return worth_with_next_turn(scratch, 0, seat) + 0.01
    scratch[1] = scratch[0]
    apply(scratch[1], action)
    return best_worth(scratch, tried, seat)


@door
def best_action(scratch, tried):
    """The action that leads to the best position from the view in place 0 of SCRATCH places.

    `tried`, (SCRATCH,) int64, is memory to count in.
    """
    write_mask(scratch[0])
    best, chosen = -1.0e9, NOBODY
    for action in range(NUM_ACTIONS):
        if scratch[0].mask[action]:
            value = worth_of_action(scratch, tried, action)
            if value > best:
                best, chosen = value, action
    return chosen


@door
def worths(states, scratch, tried, out):
    """Write what each legal action of each game comes to, NEVER for the others: (n, 96) float64."""
    for i in range(out.shape[0]):
        for action in range(NUM_ACTIONS):
            out[i, action] = NEVER
            if states[i].mask[action]:
                scratch[0] = states[i]
                out[i, action] = worth_of_action(scratch, tried, action)


@part
def prospect(scratch, seat):
    """What the position in place 0 is worth to a seat, whoever decides, its next turn included."""
    complete(scratch[0], scratch[0].seat)
    if scratch[0].phase == MAIN:
        scratch[0].seat = seat
    return worth_with_next_turn(scratch, 0, seat)


@door
def prospects(states, scratch, out):
    """Write what each game is worth to each of its seats: (n, 4) float32."""
    for i in range(out.shape[0]):
        for seat in range(states[i].seats):
            scratch[0] = states[i]
            if scratch[0].phase == OVER:
                out[i, seat] = worth(scratch[0], seat)
            else:
                out[i, seat] = prospect(scratch, seat)
