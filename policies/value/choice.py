"""One-ply search: tries the actions worth trying on a copy.

Of the offers, that is the best one-for-one to the seat that is asked next.
Chance is never drawn: a bought or stolen card stays unseen, and in a monopoly the other seats hand
over what can be expected of them. Nothing hidden from the seat is read, whatever the memory
contains.
"""
# mypy: ignore-errors

from catan_env.core.actions import (
    ACCEPT_ACTION,
    BUY_ACTION,
    KNIGHT_ACTION,
    MONOPOLY_START,
    OFFER_START,
    OFFER_WORD,
    OTHER_RESOURCE,
    ROAD_WORD,
    ROBBER_START,
    ROBBER_WORD,
    ROLL_ACTION,
    WORD_START,
)
from catan_env.core.constants import (
    BRICK,
    CARDS_PER_RESOURCE,
    DRAW,
    GRAIN,
    HIDDEN,
    LUMBER,
    MAIN,
    NOBODY,
    ORE,
    RESOURCES,
    ROBBER,
    ROLL,
    WOOL,
)
from catan_env.core.doors import play
from catan_env.core.seats import seat_after
from catan_env.core.trade import one_for_one
from catan_env.kernel.bits import holds, lowest_bit
from catan_env.kernel.jit import compiled, inline
from catan_env.kernel.lockstep import STAY
from catan_env.policies.value.evaluation import WON, plan_value, value
from catan_env.policies.value.names import CARD, GREED

MOST = 320
"""An upper bound of the candidates in one position."""
TRIED, BEYOND = 1, 2
"""Indices in the memory of tries: the position after an action, and one more ply."""
PLACES = 3
TAKEN = -1e18
"""Below every value: of a move that was chosen already."""
NO_HELP_FROM = 2
"""Points short of victory at which a seat gets no offer."""
LAST_SIMPLE_WORD = OFFER_WORD


@inline
def expected_haul(g, seat, resource):
    """The expected outcome of a monopoly from public information: 8 bits per seat, rounded down."""
    free, unknown = CARDS_PER_RESOURCE - g.bank[resource] - g.hand[seat, resource], 0
    for other in range(g.seats):
        if other != seat:
            free -= g.known[other, resource]
            unknown += unseen_cards(g, other)
    haul = 0
    for other in range(g.seats):
        if other != seat:
            n = int(g.known[other, resource])
            if unknown > 0:
                n += unseen_cards(g, other) * max(free, 0) // unknown
            haul |= min(n, int(g.hand_size[other])) << (8 * other)
    return haul


@inline
def unseen_cards(g, seat):
    """The number of a seat's resource cards that public events do not identify."""
    n = int(g.hand_size[seat])
    for resource in range(RESOURCES):
        n -= g.known[seat, resource]
    return max(n, 0)


@inline
def outcome_unseen(g, action):
    """The outcome to assume for an action: what the seat can predict."""
    if action == BUY_ACTION or (action >= ROBBER_START and action < OFFER_START):
        return HIDDEN
    if MONOPOLY_START <= action < MONOPOLY_START + RESOURCES:
        return expected_haul(g, g.seat, action - MONOPOLY_START)
    return DRAW


@compiled
def best_next(tries, word, outcome, seat, weights, vertex_scores):
    """The best action in two words of the first try's mask: its value and index."""
    best, chosen = -WON, -1
    for k in range(word, word + 2):
        left = tries[TRIED].mask[k]
        while left:
            action = WORD_START[k] + lowest_bit(left)
            left &= left - 1
            tries[BEYOND] = tries[TRIED]
            play(tries, BEYOND, action, outcome)
            found = value(tries[BEYOND], seat, weights, vertex_scores)
            if found > best:
                best, chosen = found, action
    return best, chosen


@compiled
def lead_to(states, i, tries, action, weights, vertex_scores):
    """Make the first try the position after an action in game `i`, as far as the seat plans it.

    A knight is followed by the most valuable move of the robber, and free roads by the most
    valuable roads. An offer is open, and a roll changes nothing yet.
    """
    seat = int(states[i].seat)
    tries[TRIED] = states[i]
    if action == ROLL_ACTION:
        return
    outcome, roads = outcome_unseen(states[i], action), 0
    while True:
        play(tries, TRIED, action, outcome)
        if action == KNIGHT_ACTION and tries[TRIED].phase == ROBBER:
            robbery = best_next(tries, ROBBER_WORD, HIDDEN, seat, weights, vertex_scores)[1]
            play(tries, TRIED, robbery, HIDDEN)
            return
        if tries[TRIED].free_roads == 0 or roads == 2 or tries[TRIED].winner != NOBODY:
            return
        action = best_next(tries, ROAD_WORD, DRAW, seat, weights, vertex_scores)[1]
        if action < 0:
            return
        outcome = DRAW
        roads += 1


@compiled
def score(states, i, tries, action, weights, vertex_scores):
    """The value of the position after `action` in game `i` for the acting seat.

    The position is that of `lead_to`, found again: by a call of it, `greedy` is 3 % slower.
    """
    g = states[i]
    seat = int(g.seat)
    if action == ROLL_ACTION:
        return value(g, seat, weights, vertex_scores)
    tries[TRIED] = states[i]
    outcome, roads = outcome_unseen(g, action), 0
    while True:
        play(tries, TRIED, action, outcome)
        if action == KNIGHT_ACTION and tries[TRIED].phase == ROBBER:
            return best_next(tries, ROBBER_WORD, HIDDEN, seat, weights, vertex_scores)[0]
        if tries[TRIED].free_roads == 0 or roads == 2 or tries[TRIED].winner != NOBODY:
            return value(tries[TRIED], seat, weights, vertex_scores)
        action = best_next(tries, ROAD_WORD, DRAW, seat, weights, vertex_scores)[1]
        if action < 0:
            return value(tries[TRIED], seat, weights, vertex_scores)
        outcome = DRAW
        roads += 1


@inline
def worth_trying(g, action):
    """Before the roll, only the knight can be worth more than it would be after it."""
    return g.phase != ROLL or action == ROLL_ACTION or action == KNIGHT_ACTION


@compiled
def rank(states, i, tries, weights, vertex_scores, moves, scores):
    """Write the actions worth trying and their values, in index order; returns their number.

    `moves` (320,) int64, ended by STAY, and `scores` (320,) float64; one offer at most.
    """
    g = states[i]
    n = 0
    for k in range(LAST_SIMPLE_WORD):
        left = g.mask[k]
        while left:
            action = WORD_START[k] + lowest_bit(left)
            left &= left - 1
            if worth_trying(g, action):
                moves[n] = action
                scores[n] = score(states, i, tries, action, weights, vertex_scores)
                if action == ACCEPT_ACTION:
                    scores[n] -= price_of_helping(g, weights)
                n += 1
    if g.phase == MAIN and g.mask[OFFER_WORD] != 0:
        n = add_offer(g, weights, vertex_scores, moves, scores, n)
    moves[n] = STAY
    return n


@inline
def price_of_helping(g, weights):
    """The minimum gain of a trade; unreachable if the other seat is about to win."""
    if g.points[g.turn_seat] >= g.points_to_win - NO_HELP_FROM:
        return WON
    return weights[GREED] * weights[CARD]


@inline
def asked(g):
    """The relative seat that gets an offer: each in turn."""
    return 1 + g.offers % (g.seats - 1)


@inline
def may_ask(g, step):
    """True if the seat is worth an offer: it has cards, and is not about to win."""
    other = seat_after(g, g.seat, step)
    far = g.points[other] < g.points_to_win - NO_HELP_FROM
    return far and g.hand_size[other] > 0 and not holds(g.gone, other)


@inline
def held_after(g, seat, resource, give, get):
    """A seat's cards of a resource after giving one `give` for one `get`."""
    return int(g.hand[seat, resource]) - (resource == give) + (resource == get)


@inline
def plan_after(g, seat, give, get, weights):
    """The plan value of the hand after such a trade."""
    return plan_value(
        g,
        seat,
        held_after(g, seat, BRICK, give, get),
        held_after(g, seat, GRAIN, give, get),
        held_after(g, seat, LUMBER, give, get),
        held_after(g, seat, ORE, give, get),
        held_after(g, seat, WOOL, give, get),
        weights,
    )


@compiled
def add_offer(g, weights, vertex_scores, moves, scores, n):
    """Add the one-for-one offer that helps the seat most, if any helps enough."""
    step, seat = asked(g), int(g.seat)
    if not may_ask(g, step):
        return n
    other = seat_after(g, g.seat, step)
    now = plan_after(g, seat, -1, -1, weights)
    best, chosen = weights[GREED] * weights[CARD], -1
    for give in range(RESOURCES):
        for slot in range(RESOURCES - 1):
            get = OTHER_RESOURCE[give, slot]
            if g.hand[seat, give] > 0 and g.known[other, get] > 0:
                gain = plan_after(g, seat, give, get, weights) - now
                if gain > best:
                    best = gain
                    chosen = one_for_one(step, give, slot)
    if chosen >= 0:
        moves[n] = chosen
        scores[n] = value(g, seat, weights, vertex_scores) + best
        n += 1
    return n


@inline
def best_of_ranked(scores, n):
    """The index of the highest of the first `n` scores; the first in a tie."""
    best = 0
    for k in range(1, n):
        if scores[k] > scores[best]:
            best = k
    return best
