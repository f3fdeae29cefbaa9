"""The rules' table of contents: which actions are legal, and what an action does."""

from catan_env.core.actions import (
    ACCEPT_ACTION,
    BANK_TRADE_START,
    BUY_ACTION,
    CITY_START,
    CITY_WORD,
    DISCARD_START,
    END_TURN_ACTION,
    KNIGHT_ACTION,
    MONOPOLY_START,
    OFFER_START,
    OTHER_RESOURCE,
    REJECT_ACTION,
    ROAD_BUILDING_ACTION,
    ROAD_START,
    ROAD_WORD,
    ROBBER_START,
    ROLL_ACTION,
    SETTLEMENT_START,
    SETTLEMENT_WORD,
    SIMPLE_WORD,
    WORDS,
    YEAR_OF_PLENTY_START,
)
from catan_env.core.bits import bit, count_bits, holds, only_if
from catan_env.core.board import ALL_VERTICES
from catan_env.core.build import (
    ROAD_COST,
    SETTLEMENT_COST,
    build_city,
    build_road,
    build_settlement,
    can_pay_city,
    pay_city,
    pay_road,
    pay_settlement,
    settlement_spots,
)
from catan_env.core.cards import (
    buy_card,
    can_buy_card,
    go_on_building_free_roads,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
    playable_cards,
    total_points,
)
from catan_env.core.constants import (
    ANSWER,
    CARD_KINDS,
    CITY_PIECE,
    DISCARD,
    DRAW,
    FREE_ROAD,
    MAIN,
    NOBODY,
    NOTHING,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    PLACED_AT_RANDOM,
    PLACED_BY_PIPS,
    RESOURCES,
    ROAD_PIECE,
    ROBBER,
    ROLL,
    SETTLEMENT_PIECE,
)
from catan_env.core.hands import pays, resources_held
from catan_env.core.jit import rule
from catan_env.core.production import produce
from catan_env.core.rng import below
from catan_env.core.robber import discard, most_numerous, move_robber, seven, write_robber_moves
from catan_env.core.seats import seat_after
from catan_env.core.setup import (
    begin,
    place_road,
    place_settlement,
    placing_edges,
    table_road,
    table_settlement,
)
from catan_env.core.trade import (
    accept,
    bank_trades,
    can_accept,
    reject,
    trade_with_bank,
    write_offer,
    write_offers,
)


@rule
def write_mask(g):
    """Keep in `g.mask` what the seat to decide may play; see `core.actions`."""
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


@rule
def write_main(g, seat):
    """After the roll: trade, build, buy and play in any order, then end the turn (C039)."""
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


@rule
def write_roads(g, seat, may_lay):
    """Where the seat may lay a road, while it has one (C088-C093)."""
    may_lay = may_lay & (g.pieces[seat, ROAD_PIECE] > 0)
    g.mask[ROAD_WORD] = only_if(may_lay, g.road_spots[seat, 0])
    g.mask[ROAD_WORD + 1] = only_if(may_lay, g.road_spots[seat, 1])


@rule
def apply(g, action, outcome):
    """Play a legal action; chance is drawn, or `outcome` is what it answered. Returns it.

    Outcomes: a roll is (first - 1) * 6 + second - 1; a theft the Resource, a purchase the
    DevelopmentCard, either of them HIDDEN in a view; a monopoly its counts, 8 bits a seat.
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


@rule
def apply_simple(g, action, outcome):
    """Play an action of the first word: those without a place on the board."""
    seat = g.seat
    result = NOTHING
    if action == ROLL_ACTION:
        result = roll(g, outcome)
    elif action == END_TURN_ACTION:
        end_turn(g)
    elif action == ACCEPT_ACTION:
        accept(g)
    elif action == REJECT_ACTION:
        reject(g)
    elif action >= BANK_TRADE_START:
        give = (action - BANK_TRADE_START) // 4
        get = OTHER_RESOURCE[give, (action - BANK_TRADE_START) % 4]
        trade_with_bank(g, seat, give, get, g.rates[seat, give])
    elif action >= DISCARD_START:
        discard(g, seat, action - DISCARD_START)
    elif action == BUY_ACTION:
        result = buy_card(g, seat, outcome)
    elif action == KNIGHT_ACTION:
        play_knight(g, seat)
    elif action == ROAD_BUILDING_ACTION:
        play_road_building(g, seat)
    elif action >= MONOPOLY_START:
        result = play_monopoly(g, seat, action - MONOPOLY_START, outcome)
    else:
        play_year_of_plenty(g, seat, action - YEAR_OF_PLENTY_START)
    return result


@rule
def apply_settlement(g, vertex):
    """Place or found a settlement."""
    if g.phase == PLACE_SETTLEMENT:
        place_settlement(g, vertex)
    else:
        pay_settlement(g, g.seat)
        build_settlement(g, g.seat, vertex)


@rule
def apply_road(g, edge):
    """Place a road, lay a free one, or pay for it."""
    if g.phase == PLACE_ROAD:
        place_road(g, edge)
    elif g.free_roads > 0:
        build_road(g, g.seat, edge)
        go_on_building_free_roads(g, g.seat)
    else:
        pay_road(g, g.seat)
        build_road(g, g.seat, edge)


@rule
def roll(g, outcome):
    """Two dice: a seven, or what the tiles yield."""
    if outcome == DRAW:
        outcome = below(g, 36)
    else:
        g.draws += 1
    total = outcome // 6 + outcome % 6 + 2
    g.roll = total
    g.resume = MAIN
    if total == 7:
        seven(g)
    else:
        produce(g, total)
        g.phase = MAIN
    return outcome


@rule
def end_turn(g):
    """Pass the dice on, unless victory is looked at only now and is there.

    A view may have been told of a winner whose points it cannot see.
    """
    has_points = total_points(g, g.turn_seat) >= g.points_to_win
    if not g.win_at_once and (has_points or g.winner == g.turn_seat):
        win(g, g.turn_seat)
    else:
        begin_next_turn(g)


@rule
def begin_next_turn(g):
    """Clear what belongs to one turn; the next seat at the table is to roll."""
    for kind in range(CARD_KINDS):
        g.new_cards[kind] = 0
    g.card_played = 0
    g.free_roads = 0
    g.offers = 0
    g.roll = 0
    g.turn += 1
    g.phase = ROLL
    seat = seat_after(g, g.turn_seat, 1)
    while holds(g.gone, seat) and seat != g.turn_seat:
        seat = seat_after(g, seat, 1)
    g.turn_seat = g.seat = seat


@rule
def clear_table(g):
    """Drop what waits for an answer: an offer, and cards owed at a seven."""
    reject(g)
    for seat in range(g.seats):
        g.owed[seat] = 0


@rule
def run_out_of_time(g):
    """The table ends the turn for the seat on turn, wherever in it the seat is."""
    clear_table(g)
    end_turn(g)
    look_for_winner(g)


@rule
def is_waited_for(g, seat):
    """Whether the turn cannot go on without the seat."""
    return seat == g.turn_seat or seat == g.seat or g.owed[seat] > 0


@rule
def leave(g, seat):
    """A seat leaves; its pieces and cards stay, and the last one left has won.

    The turn ends if it was waiting for that seat.
    """
    g.gone |= bit(seat)
    if is_waited_for(g, seat):
        clear_table(g)
        begin_next_turn(g)
    if holds(g.gone, g.seat):
        g.phase = OVER
    elif count_bits(g.gone) == g.seats - 1:
        win(g, g.turn_seat)
    else:
        look_for_winner(g)


@rule
def look_for_winner(g):
    """Ten points on one's own turn win at once (C187-C194), where the rules say so."""
    if g.win_at_once and g.phase >= ROLL and g.phase != OVER:
        if total_points(g, g.turn_seat) >= g.points_to_win:
            win(g, g.turn_seat)


@rule
def win(g, seat):
    """The game is over."""
    g.winner = seat
    g.phase = OVER
    g.seat = g.turn_seat


@rule
def table_decides(g):
    """Whether the next decision is the table's, by a fixed rule, not a seat's."""
    if g.viewer != NOBODY:
        return False
    if g.phase == DISCARD:
        return g.chosen_discards == 0
    return g.phase <= PLACE_ROAD and (
        g.placement == PLACED_BY_PIPS or g.placement == PLACED_AT_RANDOM
    )


@rule
def table_action(g):
    """What the table decides."""
    if g.phase == DISCARD:
        return most_numerous(g, g.seat)
    return table_settlement(g) if g.phase == PLACE_SETTLEMENT else table_road(g)


@rule
def let_table_decide(g):
    """Play what is the table's to decide, until a seat is asked."""
    while table_decides(g):
        apply(g, table_action(g), DRAW)


@rule
def start_game(g):
    """Begin a fresh game, up to the first decision of a seat."""
    begin(g)
    let_table_decide(g)
