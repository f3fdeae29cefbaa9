"""Going round the table."""

from catan_env.kernel.jit import rule


@rule
def seat_after(g, seat, step):
    """The seat `step` places clockwise of `seat`, fewer than there are seats."""
    place = int(seat) + int(step)
    return place - g.seats if place >= g.seats else place


@rule
def steps_to(g, viewer, seat):
    """How many places clockwise of `viewer` a seat sits."""
    step = int(seat) - int(viewer)
    return step + g.seats if step < 0 else step
