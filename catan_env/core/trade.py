"""Trading with the bank (C109-C120) and with other seats (C121-C132)."""

from catan_env.core.actions import (
    BANK_TRADE_START,
    BANK_TRADES,
    OFFER_BLOCK,
    OFFER_START,
    OFFER_WORD,
    OFFERS,
    OTHER_RESOURCE,
)
from catan_env.core.constants import ANSWER, MAIN, NOBODY, RESOURCES
from catan_env.core.hands import gain, lose, pay_bank, resources_held, take_from_bank
from catan_env.core.seats import seat_after
from catan_env.kernel.jit import rule

PER_RESOURCE = OFFER_BLOCK // RESOURCES
ALL_RESOURCES = (1 << RESOURCES) - 1


@rule
def bank_trades(g, seat):
    """The bits of the packed mask's first word for trades with the bank, at the best rates."""
    gives = 0
    gets = 0
    for r in range(RESOURCES):
        gives |= (g.hand[seat, r] >= g.rates[seat, r]) << r
        gets |= (g.bank[r] > 0) << r  # C115
    gets |= ALL_RESOURCES * g.endless_bank
    return BANK_TRADES[gives, gets] << BANK_TRADE_START


@rule
def trade_with_bank(g, seat, give, get, rate):
    """`rate` cards of one kind for one of another."""
    pay_bank(g, seat, give, rate)
    take_from_bank(g, seat, get, 1)


@rule
def write_offers(g, seat):
    """Offers of up to three of one kind that the seat has, to every other seat (C127)."""
    one = OFFERS[resources_held(g, seat, 1)]
    two = OFFERS[resources_held(g, seat, 2)]
    three = OFFERS[resources_held(g, seat, 3)]
    for word in range(OFFER_WORD, OFFER_WORD + 3 * (g.seats - 1), 3):
        g.mask[word] = one
        g.mask[word + 1] = two
        g.mask[word + 2] = three


@rule
def write_offer(g, action):
    """Put the offer that `action` says on the table."""
    code = action - OFFER_START
    block = code // OFFER_BLOCK
    give = code % OFFER_BLOCK // PER_RESOURCE
    slot = code % PER_RESOURCE // 3
    g.offer_give[give] = block % 3 + 1
    g.offer_get[OTHER_RESOURCE[give, slot]] = code % 3 + 1
    ask(g, block // 3 + 1)


@rule
def ask(g, step):
    """The seat `step` places on answers the offer on the table."""
    g.offers = min(g.offers + 1, 100)
    g.offer_to = seat_after(g, g.seat, step)
    g.seat = g.offer_to
    g.phase = ANSWER


@rule
def can_accept(g):
    """The seat asked has what is wanted (C128)."""
    lacks = 0
    for r in range(RESOURCES):
        lacks |= g.hand[g.offer_to, r] < g.offer_get[r]
    return lacks == 0


@rule
def accept(g):
    """The cards change hands."""
    for r in range(RESOURCES):
        hand_over(g, g.turn_seat, g.offer_to, r, g.offer_give[r])
        hand_over(g, g.offer_to, g.turn_seat, r, g.offer_get[r])
    clear_offer(g)


@rule
def hand_over(g, giver, taker, resource, n):
    """`n` cards pass openly from seat to seat."""
    if n > 0:
        lose(g, giver, resource, n)
        gain(g, taker, resource, n)


@rule
def clear_offer(g):
    """The offer leaves the table and the seat on turn goes on."""
    for r in range(RESOURCES):
        g.offer_give[r] = 0
        g.offer_get[r] = 0
    g.offer_to = NOBODY
    g.seat = g.turn_seat
    g.phase = MAIN
