"""Worlds that a view allows: hidden hands, development cards and the deck dealt at random.

Every card that nobody can name is as likely to be in one hidden place as in another. Nobody is
dealt victory points that would have ended the game.
"""
# mypy: ignore-errors

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
from catan_env.kernel.jit import part, rule, table
from catan_env.kernel.rng import below

BOX = table(DECK)
TRIES = 16


@rule
def unseen_of(g, resource):
    """How many cards of a resource are neither in the bank nor in a hand that is filled so far."""
    n = CARDS_PER_RESOURCE - int(g.bank[resource])
    for seat in range(SEATS):
        n -= g.hand[seat, resource]
    return max(n, 0)


@part
def draw_resource(g):
    """A resource card that lies somewhere unseen; any kind if the count leaves none."""
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


@rule
def show_offer(g):
    """Who made the offer that waits holds what it gives."""
    if g.phase == ANSWER:
        for resource in range(RESOURCES):
            shown = g.offer_give[resource]
            g.known[g.turn_seat, resource] = max(g.known[g.turn_seat, resource], shown)


@part
def deal_hands(g, viewer):
    """Give each other seat the cards that it is known to have, then unseen ones."""
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


@part
def fill_deck(g):
    """Put into the deck every card of the box that nobody holds or has played."""
    g.deck_size = 0
    for kind in range(CARD_KINDS):
        n = BOX[kind]
        for seat in range(g.seats):
            n -= g.cards[seat, kind]
            if kind != VICTORY_POINT:
                n -= g.played[seat, kind]
        g.deck[kind] = max(n, 0)
        g.deck_size += g.deck[kind]


@rule
def draw_kind(g):
    """The kind of a card of the deck, at random, which is left there."""
    n, kind = below(g, g.deck_size), 0
    while n >= g.deck[kind]:
        n -= g.deck[kind]
        kind += 1
    return kind


@rule
def would_have_won(g, seat, kind):
    """Whether the seat could not hold another card of that kind and the game still go on."""
    points = g.points[seat] + g.cards[seat, VICTORY_POINT] + 1
    return kind == VICTORY_POINT and points >= g.points_to_win


@part
def deal_cards(g, viewer):
    """Give each other seat as many development cards as it holds."""
    for seat in range(g.seats):
        if seat != viewer:
            for _ in range(g.card_count[seat]):
                if g.deck_size > 0:
                    kind = draw_kind(g)
                    for _ in range(TRIES):
                        if would_have_won(g, seat, kind):
                            kind = draw_kind(g)
                    g.cards[seat, kind] += 1
                    g.deck[kind] -= 1
                    g.deck_size -= 1


@part
def deal_world(g, random):
    """Make of a view, in place, a whole game that it allows; `random` is a 64-bit word."""
    viewer = int(g.viewer)
    g.seed = random
    g.draws = 0
    g.viewer = NOBODY
    show_offer(g)
    deal_hands(g, viewer)
    fill_deck(g)
    deal_cards(g, viewer)
