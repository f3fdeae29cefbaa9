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
from catan_env.core.constants import ANSWER, MAIN, MOST_OFFERS, NOBODY, RESOURCES
from catan_env.core.hands import gain, lose, pay_bank, resources_held, take_from_bank
from catan_env.core.seats import seat_after
from catan_env.kernel.jit import inline

PER_RESOURCE = OFFER_BLOCK // RESOURCES
ALL_RESOURCES = (1 << RESOURCES) - 1


@inline
def bank_trades(g, seat):
    """The bits of the mask's first word for trades with the bank, at the best rates."""
    gives = 0
    gets = 0
    for r in range(RESOURCES):
        gives |= (g.hand[seat, r] >= g.rates[seat, r]) << r
        gets |= (g.bank[r] > 0) << r  # C115
    gets |= ALL_RESOURCES * g.endless_bank
    return BANK_TRADES[gives, gets * g.bank_trade] << BANK_TRADE_START


@inline
def trade_with_bank(g, seat, give, get, rate):
    """Trade `rate` cards of one kind for one of another."""
    pay_bank(g, seat, give, rate)
    take_from_bank(g, seat, get, 1)


@inline
def write_offers(g, seat):
    """Write the offers of up to three of one kind that the seat has, to each other seat (C127)."""
    one = OFFERS[resources_held(g, seat, 1)]
    two = OFFERS[resources_held(g, seat, 2)]
    three = OFFERS[resources_held(g, seat, 3)]
    for word in range(OFFER_WORD, OFFER_WORD + 3 * (g.seats - 1), 3):
        g.mask[word] = one
        g.mask[word + 1] = two
        g.mask[word + 2] = three


@inline
def write_offer(g, action):
    """Make the offer that `action` encodes."""
    code = action - OFFER_START
    block = code // OFFER_BLOCK
    give = code % OFFER_BLOCK // PER_RESOURCE
    slot = code % PER_RESOURCE // 3
    g.offer_give[give] = block % 3 + 1
    g.offer_get[OTHER_RESOURCE[give, slot]] = code % 3 + 1
    ask(g, block // 3 + 1)


@inline
def one_for_one(step, give, slot):
    """The action that offers the seat `step` places further a card `give` for another kind."""
    return OFFER_START + (step - 1) * 3 * OFFER_BLOCK + give * PER_RESOURCE + slot * 3


@inline
def ask(g, step):
    """Ask the seat `step` places further to answer the current offer."""
    g.offers = min(g.offers + 1, MOST_OFFERS)
    g.offer_to = seat_after(g, g.seat, step)
    g.seat = g.offer_to
    g.phase = ANSWER


@inline
def can_accept(g):
    """True if the asked seat has the cards that the offer wants (C128)."""
    lacks = 0
    for r in range(RESOURCES):
        lacks |= g.hand[g.offer_to, r] < g.offer_get[r]
    return lacks == 0


@inline
def accept(g):
    """Exchange the cards of the offer."""
    for r in range(RESOURCES):
        hand_over(g, g.turn_seat, g.offer_to, r, g.offer_give[r])
        hand_over(g, g.offer_to, g.turn_seat, r, g.offer_get[r])
    clear_offer(g)


@inline
def hand_over(g, giver, taker, resource, n):
    """Move `n` cards openly from seat to seat."""
    if n > 0:
        lose(g, giver, resource, n)
        gain(g, taker, resource, n)


@inline
def clear_offer(g):
    """Withdraw the offer; the seat on turn continues."""
    for r in range(RESOURCES):
        g.offer_give[r] = 0
        g.offer_get[r] = 0
    g.offer_to = NOBODY
    g.seat = g.turn_seat
    g.phase = MAIN
