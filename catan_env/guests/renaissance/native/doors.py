"""The functions that Python calls: only a few, since each is compiled with everything it calls.

Each takes an array of games and the index of one.
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
    """Change game `i` as `verb` specifies.

    | verb | a, b | |
    |---|---|---|
    | BEGIN | | lay out a new game; seat 0 chooses its leaders |
    | PLAY | action | play it, and the following steps that leave no choice |
    | STEP | action | play it alone; returns the step that then leaves no choice, or -1 |
    | ASK | seat | let it choose in the set-up, its leaders first |
    | ASK_FOR_GOODS | seat | let it choose its goods in the set-up |
    | GO_AWAY, COME_BACK | seat | |
    | REDACT | seat | remove what it may not know |
    | ASK_VIEWER | seat | in the set-up of a view, let its seat choose independently of others |
    | EXCHANGE | places | of the acting seat, also beyond the number that the mask allows |
    | REPORT | | hold the reports that the markers trigger |
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
    """Return a number about a seat of game `i`.

    POINTS, without those for goods; COUNT of good `a`; COST of card `a` in good `b`; NEEDS: 1 if
    the requirements of leader `a` are met; EXCHANGE_FITS: 1 if places `a` and `b` can be exchanged.
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
