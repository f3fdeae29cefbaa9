"""A turn from its roll to its end, leaving the table, and winning."""

from catan_env.core.cards import total_points
from catan_env.core.constants import CARD_KINDS, DRAW, MAIN, OVER, ROLL
from catan_env.core.dice import draw_roll, remember_roll
from catan_env.core.production import produce
from catan_env.core.robber import seven
from catan_env.core.seats import seat_on_next_turn
from catan_env.core.setup import in_set_up
from catan_env.core.trade import clear_offer
from catan_env.kernel.bits import bit, count_bits
from catan_env.kernel.jit import inline


@inline
def roll(g, outcome):
    """Roll two dice and resolve a seven or the production."""
    if outcome == DRAW:
        outcome = draw_roll(g)
    else:
        g.draws += 1
    if g.balanced_dice:
        remember_roll(g, outcome)
    total = outcome // 6 + outcome % 6 + 2
    g.roll = total
    g.resume = MAIN
    if total == 7:
        seven(g)
    else:
        produce(g, total)
        g.phase = MAIN
    return outcome


@inline
def end_turn(g):
    """End the turn, or the game if victory is only checked now and is reached (C192)."""
    if not g.win_at_once and has_enough_points(g, g.turn_seat):
        win(g, g.turn_seat)
    else:
        begin_next_turn(g)


@inline
def has_enough_points(g, seat):
    """True if the seat has enough points to win.

    A view may know this without seeing the cards: once the winner is announced, it is stored there.
    """
    return total_points(g, seat) >= g.points_to_win or g.winner == seat


@inline
def begin_next_turn(g):
    """Clear the fields of the turn and pass the dice to the next seat at the table."""
    for kind in range(CARD_KINDS):
        g.new_cards[kind] = 0
    g.card_played = 0
    g.free_roads = 0
    g.offers = 0
    g.roll = 0
    g.turn += 1
    g.phase = ROLL
    g.turn_seat = g.seat = seat_on_next_turn(g)


@inline
def clear_table(g):
    """Drop what waits for an answer: an offer, or cards owed after a seven."""
    clear_offer(g)
    for seat in range(g.seats):
        g.owed[seat] = 0


@inline
def run_out_of_time(g):
    """End the turn of the seat on turn, wherever in its turn it is."""
    clear_table(g)
    end_turn(g)
    look_for_winner(g)


@inline
def is_waited_for(g, seat):
    """True if the turn cannot continue without the seat."""
    return seat == g.turn_seat or seat == g.seat or g.owed[seat] > 0


@inline
def leave(g, seat):
    """Remove a seat; its pieces and cards stay, and the last remaining seat wins.

    The turn ends if it was waiting for that seat (C222-C226).
    """
    g.gone |= bit(seat)
    if is_waited_for(g, seat):
        clear_table(g)
        begin_next_turn(g)
    left = count_bits(g.gone)
    if left == g.seats:
        g.phase = OVER
    elif left == g.seats - 1:
        win(g, g.turn_seat)
    else:
        look_for_winner(g)


@inline
def look_for_winner(g):
    """End the game if the seat on turn has enough points (C187-C194), if the rules check it now.

    That may be at the start of the turn, before the roll (C189).
    """
    if g.win_at_once and not in_set_up(g) and g.phase != OVER:
        if total_points(g, g.turn_seat) >= g.points_to_win:
            win(g, g.turn_seat)


@inline
def win(g, seat):
    """End the game."""
    g.winner = seat
    g.phase = OVER
    g.seat = g.turn_seat
