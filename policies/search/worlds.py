"""Worlds consistent with a view: hidden hands, development cards and deck dealt at random.

Each card that cannot be located is equally likely in every hidden place. No seat is dealt victory
points that would have ended the game, and none plays a card that it bought this turn.
"""
# mypy: ignore-errors

from catan_env.core.cards import nth_of_deck
from catan_env.core.constants import (
    ANSWER,
    CARD_KINDS,
    CARDS_PER_RESOURCE,
    DECK,
    NOBODY,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
)
from catan_env.kernel.jit import compiled, inline, table
from catan_env.kernel.rng import below

BOX = table(DECK)
TRIES = 256
"""Deals after which one with a winner is kept: an inconsistent view may allow no other."""


@inline
def unseen_of(g, resource):
    """The number of cards of a resource that are neither in the bank nor in a hand dealt so far."""
    n = CARDS_PER_RESOURCE - int(g.bank[resource])
    for seat in range(SEATS):
        n -= g.hand[seat, resource]
    return max(n, 0)


@compiled
def draw_resource(g):
    """A random resource card from those not yet located; of any kind if there are none."""
    total = 0
    for resource in range(RESOURCES):
        total += unseen_of(g, resource)
    if total == 0:
        return below(g, RESOURCES)
    n, resource = below(g, total), 0
    while n >= unseen_of(g, resource):
        n -= unseen_of(g, resource)
        resource += 1
    return resource


@inline
def show_offer(g):
    """Count the cards of a pending offer as known in the hand of the seat that made it."""
    if g.phase == ANSWER:
        for resource in range(RESOURCES):
            shown = g.offer_give[resource]
            g.known[g.turn_seat, resource] = max(g.known[g.turn_seat, resource], shown)


@compiled
def deal_hands(g, viewer):
    """Deal each other seat the cards that it is known to have, then unlocated ones."""
    for seat in range(g.seats):
        if seat != viewer:
            for resource in range(RESOURCES):
                g.hand[seat, resource] = g.known[seat, resource]
    for seat in range(g.seats):
        if seat != viewer:
            missing = int(g.hand_size[seat])
            for resource in range(RESOURCES):
                missing -= g.known[seat, resource]
            for _ in range(missing):
                g.hand[seat, draw_resource(g)] += 1


@inline
def has_cards(g):
    """True if the rules have development cards: some are in the deck, in a hand or played."""
    total = int(g.deck_size)
    for seat in range(g.seats):
        total += g.card_count[seat]
        for kind in range(VICTORY_POINT):
            total += g.played[seat, kind]
    return total > 0


@compiled
def fill_deck(g):
    """Put every card of the box that is neither held nor played into the deck."""
    if not has_cards(g):
        return
    g.deck_size = 0
    for kind in range(CARD_KINDS):
        n = BOX[kind]
        for seat in range(g.seats):
            n -= g.cards[seat, kind]
            if kind != VICTORY_POINT:
                n -= g.played[seat, kind]
        g.deck[kind] = max(n, 0)
        g.deck_size += g.deck[kind]


@compiled
def deal_cards(g, viewer):
    """Deal each other seat its number of development cards; True if one had won by its points."""
    has_won = False
    for seat in range(g.seats):
        if seat != viewer:
            for _ in range(min(g.card_count[seat], g.deck_size)):
                kind = nth_of_deck(g, below(g, g.deck_size))
                g.cards[seat, kind] += 1
                g.deck[kind] -= 1
                g.deck_size -= 1
            shown, held = g.points[seat], g.cards[seat, VICTORY_POINT]
            if held > 0 and shown + held >= g.points_to_win:
                has_won = True
    return has_won


@inline
def take_back_cards(g, viewer):
    """Return the development cards of the other seats to the deck; at first they hold none."""
    for seat in range(g.seats):
        if seat != viewer:
            for kind in range(CARD_KINDS):
                n = g.cards[seat, kind]
                g.cards[seat, kind] = 0
                g.deck[kind] += n
                g.deck_size += n


@compiled
def mark_new_cards(g):
    """Choose which of the cards of the seat on turn are those that it bought this turn."""
    seat, bought, old = int(g.turn_seat), int(g.new_cards[VICTORY_POINT]), 0
    g.new_cards[VICTORY_POINT] = 0
    for kind in range(CARD_KINDS):
        old += g.cards[seat, kind]
    for _ in range(min(bought, old)):
        n, kind = below(g, old), 0
        while n >= g.cards[seat, kind] - g.new_cards[kind]:
            n -= g.cards[seat, kind] - g.new_cards[kind]
            kind += 1
        g.new_cards[kind] += 1
        old -= 1


@compiled
def deal_world(g, random):
    """Turn a view, in place, into a full game consistent with it; `random` is a 64-bit word."""
    viewer = int(g.viewer)
    g.seed = random
    g.draws = 0
    g.viewer = NOBODY
    show_offer(g)
    deal_hands(g, viewer)
    fill_deck(g)
    for _ in range(TRIES):
        take_back_cards(g, viewer)
        if not deal_cards(g, viewer):
            break
    if g.turn_seat != viewer:
        mark_new_cards(g)
