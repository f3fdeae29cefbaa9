"""What a seat can make of its next decisions.

`best_action` tries every legal action, completes what it begins, and takes the one after which the
seat's next turn, if it came at once, could lead to the best position.
"""

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
from catan_env.guests.renaissance.native.choices import apply, write_mask
from catan_env.guests.renaissance.native.state import MAIN, NOBODY, OVER, PLACE, PRODUCE, SHELVES
from catan_env.guests.renaissance.native.worth import worth
from catan_env.kernel.jit import door, part

NEXT_TURN = 0.8  # the share of what another main action would improve
SEQUENCE_AT_MOST = 64
DEEPEST = 4
SCRATCH = DEEPEST + 3
LAST_CHOICE, NEVER = -1.0e3, -1.0e9


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
