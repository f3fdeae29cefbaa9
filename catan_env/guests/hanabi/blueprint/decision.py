"""The decisions of `best` as compiled functions (policies.best); a test compares the two."""

from catan_env.guests.hanabi.blueprint.conventions import (
    NONE,
    chop,
    is_known_placeable,
    is_touched,
    narrowed,
    touched_by,
    try_hint,
)
from catan_env.guests.hanabi.policies.worth import (
    BITS_EXCLUDED,
    LEAST_USEFUL,
    MISLEADS,
    NUMBER_LATER,
    SHOWS_PLAY,
    TOUCHES_GOOD,
    TOUCHES_WASTE,
)
from catan_env.kernel.bits import ONE, count_bits, lowest_bit
from catan_env.kernel.jit import compiled, inline

REFUSED = -(1 << 20)  # the worth of a hint that would mislead


@compiled
def decide(p, g, s):
    """The action of the seat to move."""
    count_left(p, g, s)
    danger = is_in_danger(p, g, s, next_seat(g, s, 1), False)
    place = best_play(p, g, s)
    best, best_worth, saving = NONE, REFUSED, NONE
    if g.tokens > 0 and (danger or place == NONE):
        best, best_worth, saving = best_hint(p, g, s, danger)
    if saving != NONE and (place == NONE or g.left > 0):
        return saving
    if place != NONE:
        return s.places + place
    if best != NONE and best_worth >= LEAST_USEFUL:
        return best
    if g.left == 0:
        place = risky_play(p, g, s)
        if place != NONE:
            return s.places + place
    if g.tokens < s.max_tokens:
        return discard_place(p, g, s)
    return best if best != NONE else any_action(p, g, s)


@inline
def next_seat(g, s, step):
    """The seat `step` places to the left."""
    seat = g.seat + step
    return seat - s.players * (seat >= s.players)


@inline
def count_left(p, g, s):
    """Count the copies of each kind that the acting seat does not see."""
    for kind in range(s.kinds):
        is_placed = kind % s.ranks < p.tops[kind // s.ranks]
        p.left[kind] = count_bits(s.pile[kind]) - p.gone[kind] - is_placed
    for step in range(1, s.players):
        seat = next_seat(g, s, step)
        for place in range(g.count[seat]):
            p.left[lowest_bit(ONE * g.hand[seat, place])] -= 1
    unseen = 0 * ONE
    for kind in range(s.kinds):
        unseen |= (ONE * (p.left[kind] > 0)) << kind
    p.unseen = unseen


@inline
def mine(p, seat, place):
    """The possible identities of an own card, by the picture and the visible cards."""
    possible = p.possible[seat, place] & p.unseen
    if possible == 0:
        possible = p.hinted[seat, place] & p.unseen
    if is_touched(p, seat, place):
        possible = narrowed(possible, ~p.useless)
    return possible


@compiled
def best_play(p, g, s):
    """The place of the lowest card that is certain to be placed, fives before others; or NONE."""
    best, found = 2 * s.ranks, NONE
    for place in range(g.count[g.seat]):
        possible = mine(p, g.seat, place)
        if g.mistakes + 1 >= s.max_lives:
            possible = p.possible[g.seat, place] & p.unseen
        if possible == 0 or possible & ~p.placeable != 0:
            continue
        number = lowest_number(s, possible)
        if number == s.ranks:
            number = 0
        if number < best:
            best, found = number, place
    return found


@inline
def lowest_number(s, cards):
    """The lowest number among some cards."""
    lowest = s.ranks * ONE
    while cards != 0:
        lowest = min(lowest, lowest_bit(cards) % s.ranks + 1)
        cards &= cards - 1
    return lowest


@compiled
def risky_play(p, g, s):
    """The place of the likeliest card while there is a life to spare, or NONE."""
    best, found = 0.0, NONE
    if s.max_lives - g.mistakes < 2:
        return found
    for place in range(g.count[g.seat]):
        cards = mine(p, g.seat, place)
        good = every = 0
        while cards != 0:
            kind = lowest_bit(cards)
            every += p.left[kind]
            good += p.left[kind] * (p.placeable >> kind & 1)
            cards &= cards - 1
        if good / max(1, every) > best:
            best, found = good / max(1, every), place
    return found


@compiled
def discard_place(p, g, s):
    """The place of a useless card, else of the one on the chop, else of the least risky one."""
    for place in range(g.count[g.seat]):
        if mine(p, g.seat, place) & ~p.useless == 0:
            return place
    place = chop(p, g, g.seat)
    if place != NONE:
        return place
    best, found = 1e9, 0
    for place in range(g.count[g.seat]):
        cards = mine(p, g.seat, place)
        risk = 2 * count_bits(cards & p.last) + count_bits(cards & p.placeable)
        if risk / max(1, count_bits(cards)) < best:
            best, found = risk / max(1, count_bits(cards)), place
    return found


@compiled
def best_hint(p, g, s, danger):
    """The best hint with its worth, and with `danger` the best that averts it; or NONE."""
    best, best_worth, saving, saving_worth = NONE, REFUSED, NONE, REFUSED
    promised = 0 * ONE
    target = 0
    for action in range(2 * s.places, s.actions):
        if g.mask >> action & 1 == 0:
            continue
        seat = next_seat(g, s, s.target[action])
        if s.target[action] != target:
            target, promised = s.target[action], promised_but(p, g, s, seat)
        try_hint(p, g, s, seat, s.value[action])
        worth = worth_of_trial(p, g, s, seat, promised)
        if worth == REFUSED:
            continue
        if worth > best_worth:
            best, best_worth = action, worth
        if danger and s.target[action] == 1 and worth > saving_worth:
            if not is_in_danger(p, g, s, seat, True):
                saving, saving_worth = action, worth
    return best, best_worth, saving


@inline
def promised_but(p, g, s, but):
    """Cards that hints have touched in the hands of all but the acting seat and the seat `but`."""
    cards = 0 * ONE
    for step in range(1, s.players):
        seat = next_seat(g, s, step)
        if seat != but:
            for place in range(g.count[seat]):
                if is_touched(p, seat, place):
                    cards |= g.hand[seat, place]
    return cards


@compiled
def worth_of_trial(p, g, s, seat, promised):
    """The value of a hint; REFUSED if its receiver would play a wrong card."""
    worth, meant = 0, 0 * ONE
    for place in range(g.count[seat]):
        card, old, new = ONE * g.hand[seat, place], p.possible[seat, place], p.trial_possible[place]
        was_touched, touches = is_touched(p, seat, place), p.trial_touched >> place & 1 != 0
        if is_known_placeable(p, new, touches):
            was_known = is_known_placeable(p, old, was_touched)
            if card & p.placeable == 0 or card & (meant | promised) != 0:
                if not was_known:
                    return REFUSED
            elif not was_known:
                worth += SHOWS_PLAY - NUMBER_LATER * (lowest_bit(card) % s.ranks + 1)
            meant |= card
        if new & card == 0:
            worth += MISLEADS
        if touches and not was_touched:
            is_waste = card & (p.useless | promised) != 0
            worth += TOUCHES_WASTE if is_waste else TOUCHES_GOOD
        worth += BITS_EXCLUDED * (count_bits(old) - count_bits(new))
    return worth


@compiled
def is_in_danger(p, g, s, seat, is_trial):
    """True if that player has nothing to place and would discard a last copy.

    With `is_trial`, the hand is that after the hint being considered.
    """
    first = useless = NONE
    for place in range(g.count[seat]):
        possible = p.trial_possible[place] if is_trial else p.possible[seat, place]
        touched = (p.trial_touched if is_trial else p.touched[seat]) >> place & 1 != 0
        if is_known_placeable(p, possible, touched):
            return False
        if useless == NONE and possible & ~p.useless == 0:
            useless = place
        if first == NONE and not touched:
            first = place
    first = first if useless == NONE else useless
    return first != NONE and g.left > 0 and g.hand[seat, max(first, 0)] & p.last != 0


@compiled
def any_action(p, g, s):
    """A hint that touches nothing new, else any hint, else any action."""
    found = NONE
    for action in range(2 * s.places, s.actions):
        if g.mask >> action & 1 == 0:
            continue
        seat = next_seat(g, s, s.target[action])
        if touched_by(g, s, seat, s.value[action]) & ~p.touched[seat] == 0:
            return action
        if found == NONE:
            found = action
    return found if found != NONE else lowest_bit(g.mask)
