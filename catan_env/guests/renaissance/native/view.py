"""The view of a seat: hidden information is removed in place."""

from catan_env.guests.renaissance.native.cards import LEVELS, NUM_TOKENS, STACK, START_GOODS
from catan_env.guests.renaissance.native.setup import ask_in_setup
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    DEALT,
    EMPTY,
    KEEP,
    KEPT,
    MAIN,
    NOBODY,
    NONE,
    OVER,
    SHELVES,
)
from catan_env.guests.renaissance.native.warehouse import clear_sequence, restore_containers
from catan_env.kernel.jit import compiled


@compiled
def redact(g, viewer):
    """Remove everything that seat `viewer` may not know."""
    g.viewer = viewer
    g.seed = 0
    g.draws = 0
    for colour in range(4):
        for level in range(LEVELS):
            for k in range(STACK):
                g.stack[colour, level, k] = EMPTY
    for k in range(NUM_TOKENS):
        g.token[k] = 0
    if g.seat != viewer and g.phase != OVER:
        hide_sequence(g)
    for seat in range(g.seats):
        if seat != viewer:
            hide_leaders(g, seat)
            if not g.is_playing:
                hide_setup(g, seat)


@compiled
def hide_sequence(g):
    """Hide another seat's incomplete decisions; in the set-up also which seat decides."""
    if g.transaction != NONE:
        restore_containers(g, g.seat)
        clear_sequence(g)
    g.phase = MAIN
    if not g.is_playing:
        g.phase = KEEP
        g.seat = NOBODY


@compiled
def hide_leaders(g, seat):
    """Hide a seat's leaders that are not active, except their number."""
    for k in range(DEALT):
        g.dealt[seat, k] = EMPTY
    for i in range(KEPT):
        if g.leader_state[seat, i] != ACTIVE:
            g.leader[seat, i] = EMPTY


@compiled
def hide_setup(g, seat):
    """Hide another seat's choices until all have chosen (R012)."""
    g.has_kept[seat] = 0
    g.has_goods[seat] = START_GOODS[seat] == 0
    for shelf in range(SHELVES):
        g.shelf_good[seat, shelf] = EMPTY
        g.shelf_count[seat, shelf] = 0


@compiled
def ask_viewer(g, viewer):
    """In the set-up, let the viewer choose independently of other seats, if it still has to."""
    if not g.is_playing and not (g.has_kept[viewer] and g.has_goods[viewer]):
        ask_in_setup(g, viewer)
