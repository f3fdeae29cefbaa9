"""What Python calls: few functions, for each that is compiled is compiled with all that it calls.

Everything takes an array of games and the number of one.
"""

from catan_env.guests.renaissance.native import setup, turn, view, warehouse
from catan_env.guests.renaissance.native.choices import (
    apply,
    carry_out,
    only_choice,
    write_mask,
)
from catan_env.guests.renaissance.native.leaders import meets_needs
from catan_env.guests.renaissance.native.observation import observe
from catan_env.guests.renaissance.native.purchase import cost_of
from catan_env.guests.renaissance.native.track import hold_reports, points_of
from catan_env.kernel.jit import door

BEGIN, PLAY, STEP, ASK, ASK_FOR_GOODS, GO_AWAY, COME_BACK = range(7)
REDACT, ASK_VIEWER, EXCHANGE, REPORT, MASK = range(7, 12)
POINTS, COUNT, COST, NEEDS, EXCHANGE_FITS = range(5)


@door
def change(states, i, verb, a, b):
    """Do to game `i` what `verb` says.

    | verb | a, b | |
    |---|---|---|
    | BEGIN | | lay out a fresh game; seat 0 chooses its leaders |
    | PLAY | action | play it, and the steps after it that leave no choice |
    | STEP | action | play it alone; returns the step that now leaves no choice, or -1 |
    | ASK | seat | in the set-up let it choose, its leaders first |
    | ASK_FOR_GOODS | seat | in the set-up let it choose its goods |
    | GO_AWAY, COME_BACK | seat | |
    | REDACT | seat | leave what it knows |
    | ASK_VIEWER | seat | in the set-up of a view, let its seat choose whatever others do |
    | EXCHANGE | places | of the seat on turn, however often it has exchanged |
    | REPORT | | hold the reports that the markers call for |
    | MASK | | write the mask |
    """
    g = states[i]
    if verb == STEP:
        carry_out(g, a)
        write_mask(g)
        return only_choice(g)
    if verb == BEGIN:
        setup.begin(g)
    elif verb == PLAY:
        apply(g, a)
        return 0
    elif verb == ASK:
        setup.ask_in_setup(g, a)
    elif verb == ASK_FOR_GOODS:
        setup.ask_for_goods(g, a)
    elif verb == GO_AWAY:
        turn.go_away(g, a)
    elif verb == COME_BACK:
        turn.come_back(g, a)
    elif verb == REDACT:
        view.redact(g, a)
    elif verb == ASK_VIEWER:
        view.ask_viewer(g, a)
    elif verb == EXCHANGE:
        warehouse.exchange(g, g.seat, a, b)
    elif verb == REPORT:
        hold_reports(g)
    write_mask(g)
    return 0


@door
def read(states, i, what, seat, a, b):
    """A number of a seat of game `i`.

    POINTS without those for goods; COUNT of good `a`; COST of card `a` in good `b`; whether it
    has what leader `a` NEEDS; whether EXCHANGE_FITS places `a` and `b`.
    """
    g = states[i]
    if what == POINTS:
        return points_of(g, seat)
    if what == COUNT:
        return warehouse.count_of(g, seat, a)
    if what == COST:
        return cost_of(g, seat, a, b)
    if what == NEEDS:
        return 1 if meets_needs(g, seat, a) else 0
    return 1 if warehouse.exchange_fits(g, seat, a, b) else 0


@door
def observe_game(states, i, viewer, out):
    """Write the observation of seat `viewer` of game `i`: (1, OBSERVATION_SIZE) uint8."""
    observe(states[i], viewer, out, 0)
