"""What a seat may know of the truth: hidden things taken out, in place."""

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
from catan_env.kernel.jit import part


@part
def redact(g, viewer):
    """Leave in the block what seat `viewer` knows."""
    g.viewer = viewer
    g.seed = 0
    g.draws = 0
    for colour in range(4):
        for level in range(LEVELS):
            for k in range(STACK):
                g.stack[colour, level, k] = 0
    for k in range(NUM_TOKENS):
        g.token[k] = 0
    if g.seat != viewer and g.phase != OVER:
        hide_sequence(g)
    for seat in range(g.seats):
        if seat != viewer:
            hide_leaders(g, seat)
            if not g.is_playing:
                hide_setup(g, seat)


@part
def hide_sequence(g):
    """Another seat's decisions are seen when they are complete; in the set-up not even whose."""
    if g.transaction != NONE:
        restore_containers(g, g.seat)
        clear_sequence(g)
    g.phase = MAIN
    if not g.is_playing:
        g.phase = KEEP
        g.seat = NOBODY


@part
def hide_leaders(g, seat):
    """Only active leaders of other seats are seen; of the others how many there are."""
    for k in range(DEALT):
        g.dealt[seat, k] = EMPTY
    for i in range(KEPT):
        if g.leader_state[seat, i] != ACTIVE:
            g.leader[seat, i] = EMPTY


@part
def hide_setup(g, seat):
    """Nothing is seen of another seat's choices before all are done (R012)."""
    g.has_kept[seat] = 0
    g.has_goods[seat] = START_GOODS[seat] == 0
    for shelf in range(SHELVES):
        g.shelf_good[seat, shelf] = EMPTY
        g.shelf_count[seat, shelf] = 0


@part
def ask_viewer(g, viewer):
    """In the set-up a seat may choose whatever others do; let the viewer, if it has to."""
    if not g.is_playing and not (g.has_kept[viewer] and g.has_goods[viewer]):
        ask_in_setup(g, viewer)
