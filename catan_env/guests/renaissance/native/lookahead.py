"""Lookahead over a seat's next decisions.

`best_action` tries every legal action, completes the sequence it starts, and returns the one after
which the seat's next turn, if it were immediate, could lead to the best position.
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
from catan_env.guests.renaissance.native.evaluation import position_value
from catan_env.guests.renaissance.native.state import MAIN, NOBODY, OVER, PLACE, PRODUCE, SHELVES
from catan_env.kernel.jit import compiled, door

NEXT_TURN = 0.8  # the weight of the gain of another main action
SEQUENCE_AT_MOST = 64
DEEPEST = 4
SCRATCH = DEEPEST + 3
LAST_CHOICE, NEVER = -1.0e3, -1.0e9


@compiled
def place_by_rule(g):
    """A place that already has this kind, else the smallest that takes all of it, else the largest.

    The good is discarded if there is no such place.
    """
    found, pieces = DISCARD_PLACE, g.to_place[g.kind]
    for place in range(DISCARD_PLACE):
        if g.mask[PLACE_AT + place]:
            if place >= SHELVES or g.shelf_count[g.seat, place] > 0:
                return PLACE_AT + place
            if found == DISCARD_PLACE or found + 1 < pieces:
                found = place
    return PLACE_AT + found


@compiled
def next_by_rule(g):
    """The next action in a sequence: produce with everything, otherwise the first choice."""
    if g.phase == PLACE:
        return place_by_rule(g)
    first = PRODUCE_AT if g.phase == PRODUCE else 0
    for action in range(first, NUM_ACTIONS):
        if g.mask[action]:
            return action
    return END_ACTION


@compiled
def is_complete(g, seat):
    """True if the seat is not in the middle of a sequence."""
    return g.phase == OVER or g.phase == MAIN or g.seat != seat


@compiled
def complete(g, seat):
    """Complete the current sequence by rule."""
    for _ in range(SEQUENCE_AT_MOST):
        if is_complete(g, seat):
            return
        apply(g, next_by_rule(g))


@compiled
def value_with_next_turn(scratch, i, seat):
    """The value of the position in place `i`, plus most of the gain of one more main action."""
    here = position_value(scratch[i], seat)
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
            best = max(best, position_value(scratch[i + 2], seat))
    return here + NEXT_TURN * (best - here)


@compiled
def next_legal(g, action):
    """The first legal action from `action` on; NUM_ACTIONS when there is none."""
    while action < NUM_ACTIONS and not g.mask[action]:
        action += 1
    return action


@compiled
def best_value(scratch, tried, seat):
    """The highest value that the position in place 1 can reach by the end of its sequence.

    Its decisions are searched depth first; `tried` counts the actions tried in each place. At the
    DEEPEST place the rest is completed by rule.
    """
    best, i = -1.0e9, 1
    tried[1] = 0
    while i > 0:
        if i == DEEPEST:
            complete(scratch[i], seat)
        action = next_legal(scratch[i], tried[i])
        if is_complete(scratch[i], seat):
            best = max(best, value_with_next_turn(scratch, i, seat))
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


@compiled
def value_of_action(scratch, tried, action):
    """The value of an action in the position of place 0; exchanges are a last resort.

    A turn is only ended if nothing improves the position.
    """
    seat = scratch[0].seat
    if SWAP_AT <= action < END_ACTION:
        return LAST_CHOICE
    if action == END_ACTION:
        return value_with_next_turn(scratch, 0, seat) + 0.01
    scratch[1] = scratch[0]
    apply(scratch[1], action)
    return best_value(scratch, tried, seat)


@door
def best_action(scratch, tried):
    """The action that leads to the best position from the view in place 0 of SCRATCH places.

    `tried`, (SCRATCH,) int64, is scratch memory for counting.
    """
    write_mask(scratch[0])
    best, chosen = -1.0e9, NOBODY
    for action in range(NUM_ACTIONS):
        if scratch[0].mask[action]:
            value = value_of_action(scratch, tried, action)
            if value > best:
                best, chosen = value, action
    return chosen


@door
def action_values(states, scratch, tried, out):
    """Write the value of each legal action of each game, NEVER for the others: (n, 96) float64."""
    for i in range(out.shape[0]):
        for action in range(NUM_ACTIONS):
            out[i, action] = NEVER
            if states[i].mask[action]:
                scratch[0] = states[i]
                out[i, action] = value_of_action(scratch, tried, action)


@compiled
def prospect(scratch, seat):
    """The value of the position in place 0 to a seat, whichever seat acts, with its next turn."""
    complete(scratch[0], scratch[0].seat)
    if scratch[0].phase == MAIN:
        scratch[0].seat = seat
    return value_with_next_turn(scratch, 0, seat)


@door
def prospects(states, scratch, out):
    """Write the value of each game to each of its seats: (n, 4) float32."""
    for i in range(out.shape[0]):
        for seat in range(states[i].seats):
            scratch[0] = states[i]
            if scratch[0].phase == OVER:
                out[i, seat] = position_value(scratch[0], seat)
            else:
                out[i, seat] = prospect(scratch, seat)
