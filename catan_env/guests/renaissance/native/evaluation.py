"""The value of a position for a seat: hand-set weights over public information."""

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
from catan_env.guests.renaissance.native.leaders import cards_of
from catan_env.guests.renaissance.native.purchase import cost_of, count_cards
from catan_env.guests.renaissance.native.state import EMPTY, IN_HAND, KEPT, SLOTS
from catan_env.guests.renaissance.native.track import LAST_SPACE, points_of
from catan_env.guests.renaissance.native.warehouse import count_goods, count_of, has_active
from catan_env.kernel.jit import compiled

# Each weight in the solo game, where only time counts, and in games with rivals, where points do.
CARD = (4.0, 1.1)
FAITH_SPACE = (0.1, 0.45)
GOODS_HELD = (0.45, 0.3)  # up to 14
ENGINE = 1.1  # per piece that productions yield per turn, before the first card
INPUT_PIECE = (0.9, 0.7)
OUTPUT_FAITH = 1.1
LEADER_PRODUCES, LEADER_TURNS_WHITE = 1.5, 1.2
GOAL = (2.7, 1.2)  # a card that can be bought next
GOAL_POINT = (0.3, 0.55)
MISSING = (0.55, 0.8)  # the fraction of a goal's value that each missing piece leaves
LEADER_IN_HAND = 0.8
OTHERS_FAITH, CROSS = 0.25, 1.4
CARDS_TO_END, MOST_GOODS = 7, 14


@compiled
def production_value(g, seat, k):
    """The value of the seat's productions per turn, after their inputs."""
    value = 0.0
    for slot in range(SLOTS):
        if g.height[seat, slot] > 0:
            card = g.slot[seat, slot, g.height[seat, slot] - 1]
            for good in range(GOODS):
                value += g.dev[card, OUTPUT + good] - INPUT_PIECE[k] * g.dev[card, INPUT + good]
            value += OUTPUT_FAITH * g.dev[card, CARD_FAITH]
    for i in range(KEPT):
        if has_active(g, seat, i, PRODUCTION):
            value += LEADER_PRODUCES
        if has_active(g, seat, i, WHITE_MARBLE):
            value += LEADER_TURNS_WHITE
    return value


@compiled
def fits_a_slot(g, seat, level):
    """True if a card of the level, counted from 0, would fit on a slot."""
    for slot in range(SLOTS):
        if g.height[seat, slot] == level:
            return True
    return False


@compiled
def missing_for(g, seat, card):
    """The pieces of its cost that the seat lacks."""
    missing = 0
    for good in range(GOODS):
        missing += max(cost_of(g, seat, card, good) - count_of(g, seat, good), 0)
    return missing


@compiled
def goal_value(g, seat, k):
    """The value of the card that the seat's goods come closest to."""
    best = 0.0
    for colour in range(4):
        for level in range(LEVELS):
            card = g.top[colour, level]
            if card != EMPTY and fits_a_slot(g, seat, level):
                goal = GOAL[k] + GOAL_POINT[k] * g.dev[card, POINTS]
                best = max(best, goal * MISSING[k] ** missing_for(g, seat, card))
    return best


@compiled
def leader_value(g, seat):
    """The value of leaders in hand, by the met fraction of their requirements."""
    value = 0.0
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
        value += LEADER_IN_HAND * (1.0 + 2.0 * there / max(asked, 1))
    return value


@compiled
def position_value(g, seat):
    """The value of the position for the seat."""
    k = 0 if g.seats == 1 else 1
    cards = count_cards(g, seat)
    value = points_of(g, seat) + FAITH_SPACE[k] * g.faith[seat] + CARD[k] * cards
    value += ENGINE * max(CARDS_TO_END - cards, 0) / CARDS_TO_END * production_value(g, seat, k)
    value += goal_value(g, seat, k) + leader_value(g, seat)
    value += GOODS_HELD[k] * min(count_goods(g, seat), MOST_GOODS)
    for other in range(g.seats):
        if other != seat:
            value -= OTHERS_FAITH / (g.seats - 1) * g.faith[other]
    if g.seats == 1:
        value -= CROSS * g.cross
        value += 2.0 * (cards >= CARDS_TO_END) + 2.0 * (g.faith[seat] == LAST_SPACE)
    return value
