"""The legal actions among the 848, one by one, from the text of the rulebook.

As in `recompute`: plain and slow, using only the engine's numbers of actions and places.
"""

from catan_env.core import actions as act
from catan_env.core.actions import OTHER_RESOURCE, PAIR_TABLE
from catan_env.core.board import EDGE_ENDS, TILE_VERTEX_SET
from catan_env.core.constants import EDGES, NOBODY, TILES, VERTICES, Phase
from tests.core.keep import brief
from tests.core.recompute import (
    BRICK,
    GRAIN,
    LUMBER,
    ORE,
    SEA,
    WOOL,
    has,
    has_road_at,
    is_land,
    may_lay_road,
    near_building,
)

PLACE_SETTLEMENT, PLACE_ROAD, ROLL, DISCARD, ROBBER, FREE_ROAD, MAIN, ANSWER, OVER = map(int, Phase)
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(4)
# Compiled code reads plain numbers, not a module's attributes.
YEAR_OF_PLENTY_START, MONOPOLY_START = act.YEAR_OF_PLENTY_START, act.MONOPOLY_START
DISCARD_START, BANK_TRADE_START = act.DISCARD_START, act.BANK_TRADE_START
SETTLEMENT_START, CITY_START, ROAD_START = act.SETTLEMENT_START, act.CITY_START, act.ROAD_START
ROBBER_START, OFFER_START = act.ROBBER_START, act.OFFER_START


@brief
def is_legal_by_the_book(g, board, action):
    """True if the acting seat may play the action; `board` was written by `read_pieces`."""
    seat = g.seat
    if action < YEAR_OF_PLENTY_START:
        return may_do_without_choice(g, board, seat, action)
    if action < MONOPOLY_START:
        return may_take_pair(g, seat, action - YEAR_OF_PLENTY_START)
    if action < DISCARD_START:
        return may_play_card(g, seat, MONOPOLY)
    if action < BANK_TRADE_START:
        return g.phase == DISCARD and g.hand[seat, action - DISCARD_START] > 0
    if action < SETTLEMENT_START:
        return may_trade_with_bank(g, board, seat, action - BANK_TRADE_START)
    if action < CITY_START:
        return may_settle(g, board, seat, action - SETTLEMENT_START)
    if action < ROAD_START:
        return may_build_city(g, board, seat, action - CITY_START)
    if action < ROBBER_START:
        return may_build_road(g, board, seat, action - ROAD_START)
    if action < OFFER_START:
        return may_rob(g, board, seat, (action - ROBBER_START) // 4, (action - ROBBER_START) % 4)
    return may_offer(g, seat, action - OFFER_START)


@brief
def may_do_without_choice(g, board, seat, action):
    """Roll, end the turn, buy, play a knight or road building, answer an offer."""
    if action == 0:
        return g.phase == ROLL
    if action == 1:
        return g.phase == MAIN
    if action == 2:
        pays = g.hand[seat, ORE] > 0 and g.hand[seat, WOOL] > 0 and g.hand[seat, GRAIN] > 0
        return g.phase == MAIN and pays and g.deck_size > 0
    if action == 3:
        return may_play_card(g, seat, KNIGHT)
    if action == 4:
        if not may_play_card(g, seat, ROAD_BUILDING):
            return False
        if g.free_roads_at_once == 0:
            return g.phase == MAIN
        return has_place_for_road(g, board, seat)
    if g.phase != ANSWER:
        return False
    if action == 5:
        for r in range(5):
            if g.hand[seat, r] < g.offer_get[r]:
                return False
    return True


@brief
def may_play_card(g, seat, kind):
    """One per turn, before or after the roll, and not one bought this turn (C136-C139)."""
    if g.phase != ROLL and g.phase != MAIN:
        return False
    return g.card_played == 0 and g.cards[seat, kind] - g.new_cards[kind] >= 1


@brief
def has_place_for_road(g, board, seat):
    """True if the seat has a road left and an edge where it may be built."""
    if g.pieces[seat, 0] == 0:
        return False
    for e in range(EDGES):
        if may_lay_road(g, board, seat, e):
            return True
    return False


@brief
def may_take_pair(g, seat, pair):
    """Two cards that the bank has; its last card counts as a pair of its kind."""
    if not may_play_card(g, seat, YEAR_OF_PLENTY):
        return False
    a, b = PAIR_TABLE[pair, 0], PAIR_TABLE[pair, 1]
    if a != b:
        return g.bank[a] >= 1 and g.bank[b] >= 1
    all_cards = 0
    for r in range(5):
        all_cards += g.bank[r]
    return g.bank[a] >= 2 or (g.bank[a] == 1 and all_cards == 1)


@brief
def may_trade_with_bank(g, board, seat, code):
    """As many equal cards as the seat's best harbour takes, for a card that the bank has."""
    give = code // 4
    get = OTHER_RESOURCE[give, code % 4]
    rate = board.rate[seat, give]
    return g.phase == MAIN and g.hand[seat, give] >= rate and g.bank[get] >= 1


@brief
def may_settle(g, board, seat, vertex):
    """Away from all buildings; after the set-up at a road of the seat, and paid for."""
    if g.phase == PLACE_SETTLEMENT:
        return is_land(g, vertex) and not near_building(board, vertex)
    if g.phase != MAIN or g.pieces[seat, 1] == 0:
        return False
    if g.hand[seat, BRICK] == 0 or g.hand[seat, LUMBER] == 0:
        return False
    if g.hand[seat, WOOL] == 0 or g.hand[seat, GRAIN] == 0:
        return False
    return has_road_at(board, seat, vertex) and not near_building(board, vertex)


@brief
def may_build_city(g, board, seat, vertex):
    """On a settlement of the seat, for 3 ore and 2 grain."""
    if board.owner[vertex] != seat or board.level[vertex] != 1:
        return False
    can_pay = g.hand[seat, ORE] >= 3 and g.hand[seat, GRAIN] >= 2
    return g.phase == MAIN and g.pieces[seat, 2] >= 1 and can_pay


@brief
def may_build_road(g, board, seat, edge):
    """In the set-up at the settlement without a road; otherwise connected, and paid for or free."""
    if g.pieces[seat, 0] == 0:
        return False
    if g.phase == PLACE_ROAD:
        return may_lay_road(g, board, seat, edge) and touches_bare_settlement(board, seat, edge)
    is_free = g.free_roads > 0 and (g.phase == FREE_ROAD or g.phase == ROLL or g.phase == MAIN)
    is_paid = g.phase == MAIN and g.hand[seat, BRICK] >= 1 and g.hand[seat, LUMBER] >= 1
    return (is_free or is_paid) and may_lay_road(g, board, seat, edge)


@brief
def touches_bare_settlement(board, seat, edge):
    """True if an end of the edge is a settlement of the seat that none of its roads touches."""
    for k in range(2):
        v = EDGE_ENDS[edge, k]
        if board.owner[v] == seat and not has_road_at(board, seat, v):
            return True
    return False


@brief
def may_rob(g, board, seat, tile, step):
    """Another tile; a seat with a building there, or none if no other seat has one."""
    if g.phase != ROBBER or tile == g.robber or g.terrain[tile] == SEA or step >= g.seats:
        return False
    if g.friendly_robber and is_protected(g, board, seat, tile) and has_open_tile(g, board, seat):
        return False
    anybody, victim = False, False
    for v in range(VERTICES):
        if has(TILE_VERTEX_SET[tile], v):
            owner = board.owner[v]
            if owner != NOBODY and owner != seat:
                anybody = True
                victim = victim or owner == (seat + step) % g.seats
    return victim if step > 0 else not anybody


@brief
def is_protected(g, board, seat, tile):
    """True if another seat with two points or fewer has a building at the tile."""
    for v in range(VERTICES):
        if has(TILE_VERTEX_SET[tile], v):
            owner = board.owner[v]
            if owner != NOBODY and owner != seat and g.points[owner] < 3:
                return True
    return False


@brief
def has_open_tile(g, board, seat):
    """True if a tile that the robber may move to is not protected."""
    for tile in range(TILES):
        is_open = tile != g.robber and g.terrain[tile] != SEA
        if is_open and not is_protected(g, board, seat, tile):
            return True
    return False


@brief
def may_offer(g, seat, code):
    """Cards that the seat has, to a seat in the game, while offers are left this turn."""
    step, n = code // 180 + 1, code // 60 % 3 + 1
    if g.phase != MAIN or not g.player_trade or g.offers >= g.offers_per_turn:
        return False
    return step < g.seats and g.hand[seat, code % 60 // 12] >= n


@brief
def seat_to_decide(g):
    """The acting seat, which during a turn is not always the seat on turn."""
    if g.phase == ANSWER:
        return g.offer_to
    if g.phase == DISCARD:
        for k in range(g.seats):
            seat = (g.turn_seat + k) % g.seats
            if g.owed[seat] > 0:
                return seat
        return NOBODY
    return g.turn_seat
