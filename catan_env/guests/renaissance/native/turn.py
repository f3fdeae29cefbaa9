"""Turns, the end of the game and its winner, and absent seats."""

from catan_env.guests.renaissance.native.lorenzo import lorenzo_wins, reveal_token
from catan_env.guests.renaissance.native.setup import ask_in_setup
from catan_env.guests.renaissance.native.state import (
    LORENZO,
    MAIN,
    NOBODY,
    NONE,
    OVER,
)
from catan_env.guests.renaissance.native.track import points_of
from catan_env.guests.renaissance.native.warehouse import (
    clear_sequence,
    count_goods,
    restore_containers,
)
from catan_env.kernel.jit import compiled

GOODS_A_POINT = 5


@compiled
def begin_turn(g, seat):
    """Start a seat's turn, with its main action to come."""
    g.seat = g.turn_seat = seat
    g.turn += 1
    g.main_done = g.swaps = 0
    g.phase = MAIN


@compiled
def seat_from(g, first):
    """The first seat that is not away, from `first` around the table, or NOBODY."""
    for step in range(g.seats):
        seat = (first + step) % g.seats
        if not g.away[seat]:
            return seat
    return NOBODY


@compiled
def go_on_in_setup(g):
    """Let the next seat choose; once all have chosen, start the first turn."""
    for seat in range(g.seats):
        if not (g.has_kept[seat] and g.has_goods[seat]):
            ask_in_setup(g, seat)
            return
    g.is_playing = 1
    g.round = 1
    seat = seat_from(g, 0)
    if seat == NOBODY:
        wait(g)
    else:
        begin_turn(g, seat)


@compiled
def wait(g):
    """Wait without an acting seat, since all are away, until one comes back (R114)."""
    g.seat = NOBODY
    g.phase = MAIN


@compiled
def pass_turn(g):
    """Start the next present seat's turn; the last round ends where seat 0 would follow (R081)."""
    for step in range(1, g.seats + 1):
        seat = (g.turn_seat + step) % g.seats
        if seat == 0:
            if g.last_round and g.seats > 1:
                finish(g, leading_seat(g))
                return
            g.round += 1
        if not g.away[seat]:
            begin_turn(g, seat)
            return
    wait(g)


@compiled
def end_turn(g):
    """End the turn; in the solo game Lorenzo's token is revealed first (R092, R097-R099)."""
    if g.seats == 1:
        reveal_token(g)
        if lorenzo_wins(g):
            finish(g, LORENZO)
            return
        if g.last_round:
            finish(g, 0)
            return
    pass_turn(g)


@compiled
def final_score(g, seat):
    """The points of R084, including those for goods."""
    return points_of(g, seat) + count_goods(g, seat) // GOODS_A_POINT


@compiled
def leading_seat(g):
    """The winner: most points, then most goods, then the lower seat (R085)."""
    best = 0
    for seat in range(1, g.seats):
        ahead = final_score(g, seat) - final_score(g, best)
        if ahead > 0 or (ahead == 0 and count_goods(g, seat) > count_goods(g, best)):
            best = seat
    return best


@compiled
def finish(g, winner):
    """End the game."""
    for seat in range(g.seats):
        g.score[seat] = final_score(g, seat)
    g.winner = winner
    g.phase = OVER
    g.seat = NOBODY


@compiled
def abandon_sequence(g):
    """Undo a sequence of decisions that is not complete."""
    if g.transaction != NONE:
        restore_containers(g, g.seat)
        clear_sequence(g)
        g.phase = MAIN
        if not g.is_playing:
            ask_in_setup(g, g.seat)


@compiled
def go_away(g, seat):
    """Mark a seat as away; its turn, if it has one, ends immediately, without a token (R112)."""
    g.away[seat] = 1
    if g.phase != OVER and seat == g.seat:
        abandon_sequence(g)
        if g.is_playing:
            pass_turn(g)


@compiled
def come_back(g, seat):
    """Mark a seat as present; if all were away, its turn starts (R114)."""
    g.away[seat] = 0
    if g.is_playing and g.phase != OVER and g.seat == NOBODY:
        begin_turn(g, seat)
