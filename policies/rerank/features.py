"""The inputs of the network: numbers about the position after an action, as its seat knows it."""
# mypy: ignore-errors

from catan_env.core.actions import (
    BANK_TRADE_START,
    CITY_START,
    DISCARD_START,
    MONOPOLY_START,
    OFFER_START,
    ROAD_START,
    ROBBER_START,
    SETTLEMENT_START,
    YEAR_OF_PLENTY_START,
)
from catan_env.core.constants import (
    BRICK,
    CARD_KINDS,
    GRAIN,
    LUMBER,
    NOBODY,
    ORE,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
    WOOL,
)
from catan_env.core.seats import steps_to
from catan_env.kernel.jit import compiled
from catan_env.policies.value.evaluation import discount, short_of
from catan_env.policies.value.features import write_pips, write_progress, write_prospects

OF_SEAT, OF_HAND, OF_TABLE = 32, 12, 9
"""The number of features per seat, of the seat's own cards, and of the table."""
OF_OFFER = RESOURCES + SEATS - 1
"""The number of features of an open offer: what the seat would gain, and the seat asked."""
KINDS = 16
"""The kinds of actions: a feature each, 1 or 0. The last feature is the log odds by value."""
KNOWN, HAND_SIZE, CARD_COUNT = 20, 30, 31
"""The places of a seat's known resource cards and of its numbers of cards."""
HAND_AT = SEATS * OF_SEAT
TABLE_AT = HAND_AT + OF_HAND
OFFER_AT = TABLE_AT + OF_TABLE
KIND_AT = OFFER_AT + OF_OFFER
LOG_ODDS_AT = KIND_AT + KINDS
FEATURES = LOG_ODDS_AT + 1


@compiled
def kind_of(action):
    """The kind of an action, 0..15: each single action, then each span of the index."""
    if action < YEAR_OF_PLENTY_START:
        return action
    if action < MONOPOLY_START:
        return 7
    if action < DISCARD_START:
        return 8
    if action < BANK_TRADE_START:
        return 9
    if action < SETTLEMENT_START:
        return 10
    if action < CITY_START:
        return 11
    if action < ROAD_START:
        return 12
    if action < ROBBER_START:
        return 13
    if action < OFFER_START:
        return 14
    return 15


@compiled
def write_seat(g, seat, vertex_scores, features, at):
    """Write what all seats know of one: OF_SEAT numbers."""
    write_progress(g, seat, features, at)
    write_pips(g, seat, features, at + 10)
    write_prospects(g, seat, vertex_scores, features, at + 16)
    for resource in range(RESOURCES):
        features[at + KNOWN + resource] = g.known[seat, resource]
        features[at + KNOWN + RESOURCES + resource] = discount(g, seat, resource)
    features[at + HAND_SIZE] = g.hand_size[seat]
    features[at + CARD_COUNT] = g.card_count[seat]


@compiled
def write_hand(g, seat, features):
    """Write the seat's development cards and what it lacks for each purchase: OF_HAND numbers."""
    hand = g.hand
    brick, grain, lumber = int(hand[seat, BRICK]), int(hand[seat, GRAIN]), int(hand[seat, LUMBER])
    ore, wool = int(hand[seat, ORE]), int(hand[seat, WOOL])
    laying = short_of(brick, 1) + short_of(lumber, 1)
    bought = 0
    for kind in range(CARD_KINDS):
        features[HAND_AT + kind] = g.cards[seat, kind]
        bought += int(g.new_cards[kind])
    at = HAND_AT + CARD_KINDS
    features[at] = short_of(ore, 3) + short_of(grain, 2)
    features[at + 1] = laying + short_of(grain, 1) + short_of(wool, 1)
    features[at + 2] = short_of(ore, 1) + short_of(grain, 1) + short_of(wool, 1)
    features[at + 3] = laying
    features[at + 4] = g.card_played
    features[at + 5] = g.free_roads
    features[at + 6] = bought


@compiled
def write_table(g, seat, features):
    """Write whose turn it is and how far, and what the bank has: OF_TABLE numbers."""
    features[TABLE_AT] = 1 if g.turn_seat == seat else 0
    features[TABLE_AT + 1] = g.turn
    features[TABLE_AT + 2] = g.deck_size
    features[TABLE_AT + 3] = 1 if g.roll == 0 else 0
    for resource in range(RESOURCES):
        features[TABLE_AT + 4 + resource] = g.bank[resource]


@compiled
def write_open_offer(g, seat, features):
    """Write what the seat offers: OF_OFFER numbers, 0 unless its offer is open."""
    if g.offer_to == NOBODY:
        return
    for resource in range(RESOURCES):
        features[OFFER_AT + resource] = g.offer_get[resource] - g.offer_give[resource]
    features[OFFER_AT + RESOURCES + steps_to(g, seat, g.offer_to) - 1] = 1


@compiled
def write_features(g, seat, kind, log_odds, vertex_scores, features):
    """Write all features: (FEATURES,) float64. Nothing hidden from the seat is read.

    `g` is the position after an action of that kind; `log_odds` are the log odds by its value.
    """
    for k in range(FEATURES):
        features[k] = 0
    for k in range(g.seats):
        write_seat(g, (seat + k) % g.seats, vertex_scores, features, k * OF_SEAT)
    for resource in range(RESOURCES):
        features[KNOWN + resource] = g.hand[seat, resource]
    features[0] -= g.cards[seat, VICTORY_POINT]
    write_hand(g, seat, features)
    write_table(g, seat, features)
    write_open_offer(g, seat, features)
    features[KIND_AT + kind] = 1
    features[LOG_ODDS_AT] = log_odds
