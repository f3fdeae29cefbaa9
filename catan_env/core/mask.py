"""The legal actions: the packed mask, and the same mask as bytes."""

from catan_env.core.actions import (
    ACCEPT_ACTION,
    BUY_ACTION,
    CITY_WORD,
    DISCARD_START,
    END_TURN_ACTION,
    NUM_ACTIONS,
    OFFER_BLOCK,
    REJECT_ACTION,
    ROAD_WORD,
    ROLL_ACTION,
    SETTLEMENT_WORD,
    SIMPLE_WORD,
    WORD_START,
    WORDS,
)
from catan_env.core.board import ALL_VERTICES
from catan_env.core.build import ROAD_COST, SETTLEMENT_COST, can_pay_city, settlement_spots
from catan_env.core.cards import can_buy_card, playable_cards
from catan_env.core.constants import (
    ANSWER,
    CITY_PIECE,
    DISCARD,
    FREE_ROAD,
    MAIN,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    RESOURCES,
    ROAD_PIECE,
    ROBBER,
    ROLL,
    SETTLEMENT_PIECE,
)
from catan_env.core.hands import pays, resources_held
from catan_env.core.robber import write_robber_moves
from catan_env.core.setup import placing_edges
from catan_env.core.trade import bank_trades, can_accept, write_offers
from catan_env.kernel.bits import bit, only_if, store_bits
from catan_env.kernel.jit import inline


@inline
def write_mask(g):
    """Write the legal actions of the acting seat into `g.mask`; see `core.actions`."""
    for k in range(WORDS):
        g.mask[k] = 0
    phase = g.phase
    if phase == MAIN:
        write_main(g, g.seat)
    elif phase == ROLL:
        g.mask[SIMPLE_WORD] = bit(ROLL_ACTION) | playable_cards(g, g.seat)
        write_roads(g, g.seat, g.free_roads > 0)
    elif phase == ANSWER:
        g.mask[SIMPLE_WORD] = bit(REJECT_ACTION) | only_if(can_accept(g), bit(ACCEPT_ACTION))
    elif phase == ROBBER:
        write_robber_moves(g)
    elif phase == DISCARD:
        for r in range(RESOURCES):
            if g.hand[g.seat, r] > 0:
                g.mask[SIMPLE_WORD] |= bit(DISCARD_START + r)
    elif phase == FREE_ROAD:
        write_roads(g, g.seat, True)
    elif phase == PLACE_SETTLEMENT:
        g.mask[SETTLEMENT_WORD] = ~g.blocked & ALL_VERTICES
    elif phase == PLACE_ROAD:
        g.mask[ROAD_WORD] = placing_edges(g, 0)
        g.mask[ROAD_WORD + 1] = placing_edges(g, 1)


@inline
def write_main(g, seat):
    """Write the actions after the roll: trade, build, buy, play a card or end the turn (C039)."""
    held = resources_held(g, seat, 1)
    word = bit(END_TURN_ACTION) | bank_trades(g, seat) | playable_cards(g, seat)
    word |= only_if(can_buy_card(g, held), bit(BUY_ACTION))
    g.mask[SIMPLE_WORD] = word
    write_roads(g, seat, (g.free_roads > 0) | pays(held, ROAD_COST))
    can_settle = (g.pieces[seat, SETTLEMENT_PIECE] > 0) & pays(held, SETTLEMENT_COST)
    g.mask[SETTLEMENT_WORD] = only_if(can_settle, settlement_spots(g, seat))
    can_upgrade = (g.pieces[seat, CITY_PIECE] > 0) & can_pay_city(g, seat)
    g.mask[CITY_WORD] = only_if(can_upgrade, g.settlements[seat])
    if g.player_trade and g.offers < g.offers_per_turn:
        write_offers(g, seat)


@inline
def write_roads(g, seat, may_lay):
    """Write the edges where the seat may build a road, if it has one left (C088-C093)."""
    may_lay = may_lay & (g.pieces[seat, ROAD_PIECE] > 0)
    g.mask[ROAD_WORD] = only_if(may_lay, g.road_spots[seat, 0])
    g.mask[ROAD_WORD + 1] = only_if(may_lay, g.road_spots[seat, 1])


@inline
def expand(g, out, row):
    """Write the packed mask as bytes into `out[row]`: (848,) int8, 1 if an action is legal."""
    for k in range(WORDS - 1):
        store_bits(out, row, WORD_START[k], g.mask[k], 0)
    # The last 64 bytes: the last word, and before it the top of the previous one.
    spare = 64 - OFFER_BLOCK
    above = g.mask[WORDS - 2] >> (OFFER_BLOCK - spare)
    store_bits(out, row, NUM_ACTIONS - 64, (g.mask[WORDS - 1] << spare) | above, 0)
