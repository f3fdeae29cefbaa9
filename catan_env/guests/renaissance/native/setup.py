"""The set-up: shuffling, dealing, and the choice of leaders and starting goods."""

from catan_env.guests.renaissance.native.actions import PAIRS
from catan_env.guests.renaissance.native.cards import (
    COLOUR,
    LEVEL,
    LEVELS,
    MARBLES,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_LEADERS,
    SHIELD,
    STACK,
    START_FAITH,
    START_GOODS,
)
from catan_env.guests.renaissance.native.lorenzo import shuffle_tokens
from catan_env.guests.renaissance.native.state import (
    DEALT,
    GAIN,
    KEEP,
    KEPT,
    NOBODY,
    PLACE,
    SETUP,
)
from catan_env.guests.renaissance.native.warehouse import (
    can_place,
    clear_sequence,
    put,
    remember_containers,
)
from catan_env.kernel.jit import compiled
from catan_env.kernel.rng import below

NUM_MARBLES = len(MARBLES)
_MARBLES = MARBLES


@compiled
def shuffle_market(g):
    """Lay out all thirteen marbles at random, the last on the slide (R005)."""
    for k in range(NUM_MARBLES):
        g.market[k] = _MARBLES[k]
    for k in range(NUM_MARBLES - 1, 0, -1):
        other = below(g, k + 1)
        held = g.market[k]
        g.market[k] = g.market[other]
        g.market[other] = held


@compiled
def shuffle_stacks(g):
    """Shuffle each of the twelve stacks (R003)."""
    for colour in range(NUM_COLOURS):
        for level in range(LEVELS):
            g.left[colour, level] = 0
    for card in range(NUM_CARDS):
        colour, level = g.dev[card, COLOUR], g.dev[card, LEVEL] - 1
        n = g.left[colour, level]
        other = below(g, n + 1)
        g.stack[colour, level, n] = g.stack[colour, level, other]
        g.stack[colour, level, other] = card
        g.left[colour, level] = n + 1
    for colour in range(NUM_COLOURS):
        for level in range(LEVELS):
            g.top[colour, level] = g.stack[colour, level, STACK - 1]


@compiled
def deal_leaders(g):
    """Deal four leaders to each seat, sorted by id (R007)."""
    dealt = taken = 0
    while dealt < DEALT * g.seats:
        leader = below(g, NUM_LEADERS)
        if taken >> leader & 1:
            continue
        taken |= 1 << leader
        insert_leader(g, dealt // DEALT, dealt % DEALT, leader)
        dealt += 1


@compiled
def insert_leader(g, seat, held, leader):
    """Insert a leader into the `held` ones dealt before, in ascending order."""
    k = held
    while k > 0 and g.dealt[seat, k - 1] > leader:
        g.dealt[seat, k] = g.dealt[seat, k - 1]
        k -= 1
    g.dealt[seat, k] = leader


@compiled
def begin(g):
    """Lay out a new game; seat 0 chooses its leaders."""
    shuffle_market(g)
    shuffle_stacks(g)
    deal_leaders(g)
    if g.seats == 1:
        shuffle_tokens(g)
    for seat in range(g.seats):
        g.faith[seat] = START_FAITH[seat]
        g.has_goods[seat] = START_GOODS[seat] == 0
    g.turn_seat = 0
    ask_in_setup(g, 0)


@compiled
def ask_in_setup(g, seat):
    """Let a seat make its next choice, leaders first."""
    g.seat = seat
    remember_containers(g, seat)
    g.transaction = SETUP
    if g.has_kept[seat]:
        g.gains = START_GOODS[seat]
        g.phase = GAIN
    else:
        g.phase = KEEP


@compiled
def ask_for_goods(g, seat):
    """Let a seat choose its starting goods before its leaders (R012)."""
    g.seat = seat
    remember_containers(g, seat)
    g.transaction = SETUP
    g.gains = START_GOODS[seat]
    g.phase = GAIN


@compiled
def keep_leaders(g, seat, pair):
    """Keep two of the leaders dealt to the seat (R007)."""
    for i in range(KEPT):
        g.leader[seat, i] = g.dealt[seat, PAIRS[pair, i]]
        g.leader_state[seat, i] = 0
    g.has_kept[seat] = 1
    clear_sequence(g)


@compiled
def starting_place_left(g, seat, good):
    """True if there is a place for another starting good of that kind."""
    for place in range(3):
        if can_place(g, seat, good, place):
            return True
    return False


@compiled
def may_gain_at_start(g, seat, good):
    """True if a starting good may be chosen: they ascend, and each needs a place (R009)."""
    return good >= g.last and starting_place_left(g, seat, good)


@compiled
def gain_at_start(g, good):
    """Choose the next starting good, which is then to be placed."""
    g.gains -= 1
    g.kind = good
    g.to_place[good] = 1
    g.phase = PLACE


@compiled
def may_place_at_start(g, seat, place):
    """True if the starting good fits there and leaves room for those still owed (R010)."""
    if place >= 3 or not can_place(g, seat, g.kind, place):
        return False
    # Only shields can follow a shield: they would not fit on the shelf of one piece.
    return g.gains == 0 or g.kind != SHIELD or place > 0


@compiled
def place_at_start(g, seat, place):
    """Put the starting good on a shelf."""
    put(g, seat, g.kind, place)
    g.to_place[g.kind] = 0
    g.last = g.kind
    g.kind = NOBODY
    if g.gains > 0:
        g.phase = GAIN
    else:
        g.has_goods[seat] = 1
        clear_sequence(g)
