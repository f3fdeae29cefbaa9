"""Arithmetic on seats around the table."""

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
