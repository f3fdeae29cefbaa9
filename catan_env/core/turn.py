"""A turn from its roll to its end, leaving the table, and winning."""

from catan_env.core.cards import total_points
from catan_env.core.constants import CARD_KINDS, DRAW, MAIN, OVER, ROLL
from catan_env.core.production import produce
from catan_env.core.robber import seven
from catan_env.core.seats import seat_after
from catan_env.core.setup import in_set_up
from catan_env.core.trade import clear_offer
from catan_env.kernel.bits import bit, count_bits, holds
from catan_env.kernel.jit import rule
from catan_env.kernel.rng import below


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
    """Pass the dice on, unless victory is looked at only now and is there (C192)."""
    if not g.win_at_once and has_enough_points(g, g.turn_seat):
        win(g, g.turn_seat)
    else:
        begin_next_turn(g)


@rule
def has_enough_points(g, seat):
    """Whether the seat has the points to win; a view may know so without seeing the cards.

    It is shown who wins, and by then has that seat as its winner.
    """
    return total_points(g, seat) >= g.points_to_win or g.winner == seat


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
    clear_offer(g)
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
    """Ten points on one's own turn win at once (C187-C194), where the rules say so.

    That may be as the turn begins, before the roll (C189).
    """
    if g.win_at_once and not in_set_up(g) and g.phase != OVER:
        if total_points(g, g.turn_seat) >= g.points_to_win:
            win(g, g.turn_seat)


@rule
def win(g, seat):
    """The game is over."""
    g.winner = seat
    g.phase = OVER
    g.seat = g.turn_seat
