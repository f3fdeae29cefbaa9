"""The functions that Python calls: each takes an array of games and the index of one."""

from catan_env.guests.renaissance.native import leaders, purchase, setup, track, turn, warehouse
from catan_env.guests.renaissance.native import view as of_seat
from catan_env.guests.renaissance.native.choices import carry_out, only_choice, write_mask
from catan_env.guests.renaissance.native.observation import observe
from catan_env.kernel.jit import door


@door
def begin(states, i):
    """Lay out new game `i`; seat 0 chooses its leaders."""
    setup.begin(states[i])
    write_mask(states[i])


@door
def step(states, i, action):
    """Play an action alone in game `i`; returns the step that then leaves no choice, or -1."""
    carry_out(states[i], action)
    write_mask(states[i])
    return only_choice(states[i])


@door
def ask(states, i, seat):
    """Let a seat choose in the set-up of game `i`, its leaders first."""
    setup.ask_in_setup(states[i], seat)
    write_mask(states[i])


@door
def ask_for_goods(states, i, seat):
    """Let a seat choose its goods in the set-up of game `i`."""
    setup.ask_for_goods(states[i], seat)
    write_mask(states[i])


@door
def go_away(states, i, seat):
    """Mark a seat of game `i` as away."""
    turn.go_away(states[i], seat)
    write_mask(states[i])


@door
def come_back(states, i, seat):
    """Mark a seat of game `i` as present again."""
    turn.come_back(states[i], seat)
    write_mask(states[i])


@door
def exchange(states, i, a, b):
    """Exchange two places of the acting seat of game `i`, also beyond the mask's number."""
    g = states[i]
    warehouse.exchange(g, g.seat, a, b)
    write_mask(g)


@door
def hold_reports(states, i):
    """Hold the reports that the markers of game `i` trigger."""
    track.hold_reports(states[i])
    write_mask(states[i])


@door
def renew_mask(states, i):
    """Recompute the mask of game `i`, whose memory was changed from outside."""
    write_mask(states[i])


@door
def redact(states, i, viewer):
    """Remove from game `i` what seat `viewer` may not know."""
    of_seat.redact(states[i], viewer)
    write_mask(states[i])


@door
def redact_all(states):
    """Remove from each game what its seat to decide may not know, of an ended game seat 0."""
    for i in range(len(states)):
        of_seat.redact(states[i], max(states[i].seat, 0))
        write_mask(states[i])


@door
def ask_viewer(states, i, viewer):
    """In the set-up of view `i`, let its seat choose independently of others."""
    of_seat.ask_viewer(states[i], viewer)
    write_mask(states[i])


@door
def points_of(states, i, seat):
    """The points of a seat of game `i`, without those for goods."""
    return track.points_of(states[i], seat)


@door
def count_of(states, i, seat, good):
    """The pieces of a good that a seat of game `i` has."""
    return warehouse.count_of(states[i], seat, good)


@door
def cost_of(states, i, seat, card, good):
    """The pieces of a good that a card costs a seat of game `i`."""
    return purchase.cost_of(states[i], seat, card, good)


@door
def meets_needs(states, i, seat, leader):
    """True if a seat of game `i` meets the requirements of a leader."""
    return leaders.meets_needs(states[i], seat, leader)


@door
def exchange_fits(states, i, seat, a, b):
    """True if the contents of two places of a seat of game `i` can be exchanged."""
    return warehouse.exchange_fits(states[i], seat, a, b)


@door
def observe_game(states, i, viewer, out):
    """Write the observation of seat `viewer` of game `i`: (1, OBSERVATION_SIZE) uint8."""
    observe(states[i], viewer, out, 0)
