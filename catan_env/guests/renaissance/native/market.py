"""The market: thirteen marbles, twelve in rows and one on the slide."""

from catan_env.guests.renaissance.native.cards import (
    COLUMNS,
    FAITH,
    GOODS,
    ROWS,
    WHITE,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.state import (
    KEPT,
    MAIN,
    MARKET,
    NOBODY,
    PLACE,
    WHITES,
)
from catan_env.guests.renaissance.native.track import hold_reports, move, move_others
from catan_env.guests.renaissance.native.warehouse import (
    can_place,
    clear_sequence,
    has_active,
    leader_good,
    put,
    remember_containers,
)
from catan_env.kernel.jit import compiled

SLIDE = ROWS * COLUMNS


@compiled
def line_length(line):
    """The number of marbles in a line: rows are 0-2, columns 3-6."""
    return COLUMNS if line < ROWS else ROWS


@compiled
def marble_at(line, k):
    """The index of the k-th marble of a line, from the end where marbles leave."""
    return COLUMNS * line + k if line < ROWS else COLUMNS * k + line - ROWS


@compiled
def count_in_line(g, line, marble):
    """The number of marbles of one colour in a line."""
    total = 0
    for k in range(line_length(line)):
        total += g.market[marble_at(line, k)] == marble
    return total


@compiled
def shift(g, line):
    """Push the slide's marble into a line; the one pushed out goes to the slide (R021, R022)."""
    n = line_length(line)
    first = g.market[marble_at(line, 0)]
    for k in range(n - 1):
        g.market[marble_at(line, k)] = g.market[marble_at(line, k + 1)]
    g.market[marble_at(line, n - 1)] = g.market[SLIDE]
    g.market[SLIDE] = first


@compiled
def white_leaders(g, seat):
    """The number of the seat's active leaders that turn white marbles into goods."""
    return has_active(g, seat, 0, WHITE_MARBLE) + has_active(g, seat, 1, WHITE_MARBLE)


@compiled
def draw_line(g, seat, line):
    """Start the market action: the goods of the line's marbles are to be placed."""
    remember_containers(g, seat)
    g.transaction = MARKET
    g.line = line
    for good in range(GOODS):
        g.to_place[good] = count_in_line(g, line, good)
    whites = count_in_line(g, line, WHITE)
    leaders = white_leaders(g, seat)
    if leaders == KEPT:
        g.whites = whites
    elif leaders == 1:
        i = 0 if has_active(g, seat, 0, WHITE_MARBLE) else 1
        g.to_place[leader_good(g, seat, i)] += whites
    go_on_placing(g, seat)


@compiled
def turn_white(g, seat, i):
    """Turn one white marble into the good of the seat's leader `i` (R026)."""
    g.whites -= 1
    g.to_place[leader_good(g, seat, i)] += 1
    go_on_placing(g, seat)


@compiled
def may_place(g, seat, place):
    """True if the next good may go there: pieces of one kind go to places in ascending order."""
    return place >= g.last and can_place(g, seat, g.kind, place)


@compiled
def place_good(g, seat, place):
    """Put the next good from the market in a place, or discard it."""
    put(g, seat, g.kind, place)
    g.to_place[g.kind] -= 1
    g.last = place
    go_on_placing(g, seat)


@compiled
def go_on_placing(g, seat):
    """Find the next white marble or good to decide on, or complete the action."""
    if g.whites > 0:
        g.phase = WHITES
        return
    for good in range(GOODS):
        if g.to_place[good] > 0:
            g.phase = PLACE
            if g.kind != good:
                g.kind = good
                g.last = NOBODY
            return
    take_from_market(g, seat)


@compiled
def take_from_market(g, seat):
    """Complete the action, in the order of R101."""
    move_others(g, seat, g.discarded)
    move(g, seat, count_in_line(g, g.line, FAITH))
    shift(g, g.line)
    hold_reports(g)
    g.main_done = 1
    g.phase = MAIN
    clear_sequence(g)
