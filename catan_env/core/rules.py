"""The entry to the rules: the effect of an action, and the decisions made by a fixed rule."""

from catan_env.core.actions import (
    ACCEPT_ACTION,
    BANK_TRADE_START,
    BUY_ACTION,
    CITY_START,
    DISCARD_START,
    END_TURN_ACTION,
    KNIGHT_ACTION,
    MONOPOLY_START,
    OFFER_START,
    OTHER_RESOURCE,
    REJECT_ACTION,
    ROAD_BUILDING_ACTION,
    ROAD_START,
    ROBBER_START,
    ROLL_ACTION,
    SETTLEMENT_START,
    YEAR_OF_PLENTY_START,
)
from catan_env.core.build import (
    build_city,
    build_road,
    build_settlement,
    pay_city,
    pay_road,
    pay_settlement,
)
from catan_env.core.cards import (
    buy_card,
    go_on_building_free_roads,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
)
from catan_env.core.constants import (
    DISCARD,
    DRAW,
    NOBODY,
    NOTHING,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    PLACED_AT_RANDOM,
    PLACED_BY_PIPS,
)
from catan_env.core.robber import discard, discard_of_most_numerous, move_robber
from catan_env.core.setup import (
    begin,
    in_set_up,
    place_road,
    place_settlement,
    table_road,
    table_settlement,
)
from catan_env.core.trade import accept, clear_offer, trade_with_bank, write_offer
from catan_env.core.turn import end_turn, look_for_winner, roll
from catan_env.kernel.jit import inline


@inline
def apply(g, action, outcome):
    """Play a legal action; its random outcome is drawn, or is `outcome`. Returns the outcome.

    Outcomes: a roll is (first - 1) * 6 + second - 1; a theft the Resource, a purchase the
    DevelopmentCard, both HIDDEN in a view; a monopoly its counts, 8 bits per seat.
    """
    result = NOTHING
    if action < SETTLEMENT_START:
        result = apply_simple(g, action, outcome)
    elif action < CITY_START:
        apply_settlement(g, action - SETTLEMENT_START)
    elif action < ROAD_START:
        pay_city(g, g.seat)
        build_city(g, g.seat, action - CITY_START)
    elif action < ROBBER_START:
        apply_road(g, action - ROAD_START)
    elif action < OFFER_START:
        where = action - ROBBER_START
        result = move_robber(g, where // 4, where % 4, outcome)
    else:
        write_offer(g, action)
    look_for_winner(g)
    return result


@inline
def apply_simple(g, action, outcome):
    """Play an action of the first word, that is, one without a place on the board."""
    seat = g.seat
    result = NOTHING
    if action == ROLL_ACTION:
        result = roll(g, outcome)
    elif action == END_TURN_ACTION:
        end_turn(g)
    elif action == ACCEPT_ACTION:
        accept(g)
    elif action == REJECT_ACTION:
        clear_offer(g)
    elif action == BUY_ACTION:
        result = buy_card(g, seat, outcome)
    elif action == KNIGHT_ACTION:
        play_knight(g, seat)
    elif action == ROAD_BUILDING_ACTION:
        play_road_building(g, seat)
    elif YEAR_OF_PLENTY_START <= action < MONOPOLY_START:
        play_year_of_plenty(g, seat, action - YEAR_OF_PLENTY_START)
    elif MONOPOLY_START <= action < DISCARD_START:
        result = play_monopoly(g, seat, action - MONOPOLY_START, outcome)
    elif DISCARD_START <= action < BANK_TRADE_START:
        discard(g, seat, action - DISCARD_START)
    elif BANK_TRADE_START <= action < SETTLEMENT_START:
        give = (action - BANK_TRADE_START) // 4
        get = OTHER_RESOURCE[give, (action - BANK_TRADE_START) % 4]
        trade_with_bank(g, seat, give, get, g.rates[seat, give])
    return result


@inline
def apply_settlement(g, vertex):
    """Place a settlement, or buy one."""
    if g.phase == PLACE_SETTLEMENT:
        place_settlement(g, vertex)
    else:
        pay_settlement(g, g.seat)
        build_settlement(g, g.seat, vertex)


@inline
def apply_road(g, edge):
    """Place a road, build a free one, or buy one."""
    if g.phase == PLACE_ROAD:
        place_road(g, edge)
    elif g.free_roads > 0:
        build_road(g, g.seat, edge)
        go_on_building_free_roads(g, g.seat)
    else:
        pay_road(g, g.seat)
        build_road(g, g.seat, edge)


@inline
def table_decides(g):
    """True if a fixed rule, not a seat, makes the next decision."""
    if g.viewer != NOBODY:
        return False
    if g.phase == DISCARD:
        return g.chosen_discards == 0
    return in_set_up(g) and (g.placement == PLACED_BY_PIPS or g.placement == PLACED_AT_RANDOM)


@inline
def table_action(g):
    """The action that the fixed rule decides."""
    if g.phase == DISCARD:
        return discard_of_most_numerous(g, g.seat)
    return table_settlement(g) if g.phase == PLACE_SETTLEMENT else table_road(g)


@inline
def let_table_decide(g):
    """Play the actions decided by a fixed rule, until a seat is to act."""
    while table_decides(g):
        apply(g, table_action(g), DRAW)


@inline
def start_game(g):
    """Start a new game and play it up to the first decision of a seat."""
    begin(g)
    let_table_decide(g)
