"""The functions that Python calls: each takes an array of games and the index of one."""

from catan_env.core.actions import WORDS
from catan_env.core.build import open_network
from catan_env.core.constants import (
    CARD_KINDS,
    GIVEN,
    PLACED_BY_SEATS,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
)
from catan_env.core.dice import write_weights
from catan_env.core.longest_road import longest_road
from catan_env.core.mask import expand, write_mask
from catan_env.core.observation import observe
from catan_env.core.rules import apply, table_action, table_decides
from catan_env.core.rules_shown import observe_rules
from catan_env.core.setup import begin, index_tiles_but_keep_robber
from catan_env.core.trade import ask, trade_with_bank
from catan_env.core.turn import leave, look_for_winner, run_out_of_time, win
from catan_env.kernel.jit import door


@door
def begin_game(states, i):
    """Lay out the board of new game `i`, which then waits for the first settlement."""
    begin(states[i])
    write_mask(states[i])


@door
def play(states, i, action, outcome):
    """Play a legal action in game `i`; returns the outcome (see `rules.apply`)."""
    result = apply(states[i], action, outcome)
    write_mask(states[i])
    return result


@door
def renew_mask(states, i):
    """Recompute the mask of game `i`, whose memory was changed from outside."""
    write_mask(states[i])


@door
def write_mask_bytes(states, i, out):
    """Write the mask of game `i` as bytes: (1, 848) int8, 1 if an action is legal."""
    expand(states[i], out, 0)


@door
def next_table_action(states, i):
    """The next action that a rule decides in game `i`, or -1 if a seat decides."""
    g = states[i]
    return table_action(g) if table_decides(g) else -1


@door
def observe_game(states, i, viewer, out):
    """Write the observation of seat `viewer` of game `i`: (1, OBSERVATION_SIZE) int8."""
    observe(states[i], viewer, out, 0)


@door
def write_dice_weights(states, i, chances):
    """Write the weight of each outcome of game `i`'s next roll: (36,) int64, 0 if impossible."""
    write_weights(states[i], chances)


@door
def observe_table(states, i, out):
    """Write what version 2 of the observation adds, in game `i`: (1, ADDED_SIZE) int8."""
    observe_rules(states[i], out, 0)


@door
def play_offer(states, i, step, give, get):
    """Offer `give` for `get`, (5,) int8 each, to the seat `step` places further in game `i`."""
    g = states[i]
    for r in range(RESOURCES):
        g.offer_give[r] = give[r]
        g.offer_get[r] = get[r]
    ask(g, step)
    write_mask(g)


@door
def play_bank_trade(states, i, give, get, rate):
    """Trade `rate` cards of `give` for one `get` in game `i`, at any rate the seat has."""
    g = states[i]
    trade_with_bank(g, g.seat, give, get, rate)
    write_mask(g)


@door
def end_turn_unasked(states, i):
    """End the turn of game `i` for the seat on turn, which has run out of time."""
    run_out_of_time(states[i])
    write_mask(states[i])


@door
def leave_table(states, i, seat):
    """Take `seat` out of game `i`."""
    leave(states[i], seat)
    write_mask(states[i])


@door
def redact(states, i, viewer):
    """Remove from game `i` everything that seat `viewer` may not know."""
    g = states[i]
    g.viewer = viewer
    g.seed = 0
    g.draws = 0
    g.layout = GIVEN
    g.placement = PLACED_BY_SEATS
    for seat in range(SEATS):
        if seat != viewer:
            for r in range(RESOURCES):
                g.hand[seat, r] = 0
            for kind in range(CARD_KINDS):
                g.cards[seat, kind] = 0
    for kind in range(CARD_KINDS):
        g.deck[kind] = 0
        if g.turn_seat != viewer and kind != VICTORY_POINT:
            g.new_cards[VICTORY_POINT] += g.new_cards[kind]
            g.new_cards[kind] = 0
    if g.seat != viewer:
        for k in range(WORDS):
            g.mask[k] = 0


@door
def declare_winner(states, i, seat):
    """End game `i` of a view: it was announced that `seat` won."""
    win(states[i], seat)
    write_mask(states[i])


@door
def derive(states, i):
    """Compute the derived fields of a position set up by hand in game `i`."""
    g = states[i]
    index_tiles_but_keep_robber(g)
    for seat in range(g.seats):
        open_network(g, seat)
        g.road_length[seat] = longest_road(g, seat)


@door
def find_winner(states, i):
    """End game `i` if the seat on turn has already won."""
    look_for_winner(states[i])
    write_mask(states[i])
