"""Arithmetic on seats around the table."""

from catan_env.kernel.bits import holds
from catan_env.kernel.jit import inline


@inline
def seat_after(g, seat, step):
    """The seat `step` places clockwise of `seat`; `step` is less than the number of seats."""
    place = int(seat) + int(step)
    return place - g.seats if place >= g.seats else place


@inline
def steps_to(g, viewer, seat):
    """The number of places from `viewer` clockwise to `seat`."""
    step = int(seat) - int(viewer)
    return step + g.seats if step < 0 else step


@inline
def seat_on_next_turn(g):
    """The seat whose turn follows: the next that is still at the table."""
    seat = seat_after(g, g.turn_seat, 1)
    while holds(g.gone, seat) and seat != g.turn_seat:
        seat = seat_after(g, seat, 1)
    return seat
