"""The decisions of `best` as compiled functions (policies.best); a test compares the two."""

from catan_env.guests.hanabi.blueprint.conventions import (
    NONE,
    chop,
    following,
    is_known_placeable,
    is_touched,
    narrowed,
    touched_by,
    try_hint,
    useful,
)
from catan_env.guests.hanabi.policies.worth import (
    BITS_EXCLUDED,
    IDLE,
    LEAST_STALLING,
    LEAST_USEFUL,
    LEAST_WITHOUT_CHOP,
    MISLEADS,
    NUMBER_LATER,
    SHOWS_NEXT,
    SHOWS_PLAY,
    SPARE_TURNS,
    STILL_IN_DANGER,
    TOUCHES_GOOD,
    TOUCHES_LAST,
    TOUCHES_WASTE,
)
from catan_env.kernel.bits import ONE, count_bits, lowest_bit
from catan_env.kernel.jit import compiled, inline

MISLEADING = -(1 << 20)  # the worth of a hint that would mislead


@compiled
def decide(p, g, s):
    """The action of the seat to move."""
    count_left(p, g, s)
    seat = next_seat(g, s, 1)
    is_threatened = is_in_danger(p, g, seat, False)
    is_wrong = g.left > 0 and would_err(p, g, s, seat, False)
    place = best_play(p, g, s)
    best, worth, saving, correction = NONE, MISLEADING, NONE, NONE
    if g.tokens > 0 and (is_threatened or is_wrong or place == NONE):
        best, worth, saving, correction = best_hint(p, g, s, is_threatened, is_wrong)
    if saving != NONE:
        return saving
    if correction != NONE:
        return correction
    if place != NONE:
        return s.places + place
    return without_play(p, g, s, best, worth)


@inline
def without_play(p, g, s, best, worth):
    """The best hint, a risk in the last turns, or a discard."""
    if best != NONE and worth >= LEAST_USEFUL[min(g.tokens, len(LEAST_USEFUL) - 1)]:
        return best
    if g.left == 0:
        place = risky_play(p, g, s)
        if place != NONE:
            return s.places + place
    if best != NONE and is_better_than_discard(p, g, s, worth):
        return best
    if g.tokens < s.max_tokens:
        return discard_place(p, g, s)
    return best if best != NONE else any_action(p, g, s)


@inline
def is_better_than_discard(p, g, s, worth):
    """True if a hint saves a turn that is needed, or a card that may be useful."""
    missing = s.kinds - count_bits(p.useless)
    if g.left + s.players - missing <= SPARE_TURNS and worth > LEAST_STALLING:
        return True
    if worth < LEAST_WITHOUT_CHOP:
        return False
    for place in range(g.count[g.seat]):
        if not is_touched(p, g.seat, place) or mine(p, g.seat, place) & ~p.useless == 0:
            return False
    return True


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
    """The place of the most useful card that is certain to be placed, or NONE."""
    first, found = 2.0 * s.ranks, NONE
    for place in range(g.count[g.seat]):
        possible = mine(p, g.seat, place)
        if g.mistakes + 1 >= s.max_lives:
            possible = p.possible[g.seat, place] & p.unseen
        if possible == 0 or possible & ~p.placeable != 0:
            continue
        order = lowest_number(s, possible) - waiting(p, g, s, possible) / count_bits(possible)
        if order < first:
            first, found = order, place
    return found


@inline
def waiting(p, g, s, cards):
    """1 if another seat holds a card that follows one of these, 2 if a hint has touched it."""
    after, most = following(s, cards), 0
    for step in range(1, s.players):
        seat = next_seat(g, s, step)
        for place in range(g.count[seat]):
            if g.hand[seat, place] & after != 0:
                most = max(most, 1 + is_touched(p, seat, place))
    return most


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
    """The place of a useless card, a promised one, that on the chop, or the least risky."""
    promised = touched_but(p, g, s, g.seat)
    for waste in (p.useless, p.useless | promised):
        for place in range(g.count[g.seat]):
            if mine(p, g.seat, place) & ~waste == 0:
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
def best_hint(p, g, s, is_threatened, is_wrong):
    """The best hint with its worth, the best warning, and the best correction; or NONE."""
    best, best_worth, saving, saving_worth = NONE, MISLEADING, NONE, MISLEADING
    correction, correction_worth = NONE, MISLEADING
    promised, own = 0 * ONE, known_own(p, g)
    target, first = 0, chop(p, g, next_seat(g, s, 1))
    for action in range(2 * s.places, s.actions):
        if g.mask >> action & 1 == 0 or 0 <= g.turns_left <= s.target[action]:
            continue
        seat = next_seat(g, s, s.target[action])
        if s.target[action] != target:
            target, promised = s.target[action], own | touched_but(p, g, s, seat)
        try_hint(p, g, s, seat, s.value[action])
        worth = worth_of_trial(p, g, s, seat, promised)
        if worth == MISLEADING:
            continue
        if worth > best_worth:
            best, best_worth = action, worth
        if s.target[action] != 1:
            continue
        if is_wrong and worth > correction_worth and not would_err(p, g, s, seat, True):
            correction, correction_worth = action, worth
        if is_threatened:
            still = is_in_danger(p, g, seat, True)
            touches = touched_by(g, s, seat, s.value[action]) >> max(first, 0) & 1 != 0
            worth += STILL_IN_DANGER * still
            if worth > saving_worth and (touches or not still):
                saving, saving_worth = action, worth
    return best, best_worth, saving, correction


@inline
def touched_but(p, g, s, but):
    """Cards that hints have touched in the hands of all but the acting seat and the seat `but`."""
    cards = 0 * ONE
    for step in range(1, s.players):
        seat = next_seat(g, s, step)
        if seat != but:
            for place in range(g.count[seat]):
                if is_touched(p, seat, place):
                    cards |= g.hand[seat, place]
    return cards


@inline
def known_own(p, g):
    """The acting seat's own touched cards that it knows."""
    cards = 0 * ONE
    for place in range(g.count[g.seat]):
        if is_touched(p, g.seat, place):
            possible = mine(p, g.seat, place)
            cards |= possible * (count_bits(possible) == 1)
    return cards


@inline
def is_idle(p, g, seat):
    """True if all players know that this one has nothing to place."""
    for place in range(g.count[seat]):
        if is_known_placeable(p, p.possible[seat, place], is_touched(p, seat, place)):
            return False
    return True


@compiled
def worth_of_trial(p, g, s, seat, promised):
    """The value of a hint; MISLEADING if its receiver would play a wrong card."""
    worth, shown = 0, 0 * ONE
    for place in range(g.count[seat]):
        card, old, new = ONE * g.hand[seat, place], p.possible[seat, place], p.trial_possible[place]
        was_touched, touches = is_touched(p, seat, place), p.trial_touched >> place & 1 != 0
        if is_known_placeable(p, new, touches):
            was_known = is_known_placeable(p, old, was_touched)
            if card & p.placeable == 0 or card & (shown | promised) != 0:
                if not was_known:
                    return MISLEADING
            elif not was_known:
                worth += SHOWS_PLAY - NUMBER_LATER * (lowest_bit(card) % s.ranks + 1)
            shown |= card
        elif touches and useful(p, new, True) & ~p.expected == 0:
            is_news = not was_touched or useful(p, old, True) & ~p.expected != 0
            if is_news and card & p.expected & ~(shown | promised) != 0:
                worth += SHOWS_NEXT
        if new & card == 0:
            worth += MISLEADS
        if touches and not was_touched:
            is_waste = card & (p.useless | promised) != 0
            worth += TOUCHES_WASTE if is_waste else TOUCHES_GOOD
            worth += TOUCHES_LAST * (card & p.last != 0)
        worth += BITS_EXCLUDED * (count_bits(old) - count_bits(new))
    if worth >= SHOWS_NEXT and is_idle(p, g, seat):
        worth += IDLE
    return worth


@compiled
def would_err(p, g, s, seat, is_trial):
    """True if that player believes that it can place a card that it cannot place.

    With `is_trial`, its hand is that after the hint being considered.
    """
    first, wrong, unseen = s.ranks + 1, False, p.unseen
    for place in range(g.count[seat]):
        unseen |= g.hand[seat, place]
    for place in range(g.count[seat]):
        possible = p.trial_possible[place] if is_trial else p.possible[seat, place]
        hinted = p.trial_hinted[place] if is_trial else p.hinted[seat, place]
        touched = (p.trial_touched if is_trial else p.touched[seat]) >> place & 1 != 0
        possible &= unseen
        if g.mistakes + 1 < s.max_lives:
            if possible == 0:
                possible = hinted & unseen
            possible = useful(p, possible, touched)
        if possible == 0 or possible & ~p.placeable != 0:
            continue
        lowest = lowest_number(s, possible)
        if lowest < first:
            first, wrong = lowest, g.hand[seat, place] & p.placeable == 0
    return wrong


@compiled
def is_in_danger(p, g, seat, is_trial):
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
