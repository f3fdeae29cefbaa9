"""Lorenzo il Magnifico, who plays against a single seat with seven tokens."""

from catan_env.guests.renaissance.native.cards import (
    CROSS_1_AND_SHUFFLE,
    CROSS_2,
    LEVELS,
    NUM_COLOURS,
    NUM_TOKENS,
    TOKENS,
)
from catan_env.guests.renaissance.native.purchase import turn_up
from catan_env.guests.renaissance.native.track import LAST_SPACE, hold_reports, move_cross
from catan_env.kernel.jit import compiled
from catan_env.kernel.rng import below

CARDS_A_TOKEN = 2


@compiled
def shuffle_tokens(g):
    """Shuffle all seven tokens face down (R090, R095)."""
    for k in range(NUM_TOKENS):
        g.token_out[k] = 0
        g.token[k] = k
    for k in range(NUM_TOKENS - 1, 0, -1):
        other = below(g, k + 1)
        held = g.token[k]
        g.token[k] = g.token[other]
        g.token[other] = held
    g.drawn = 0


@compiled
def discard_cards(g, colour):
    """Discard two cards of a colour, each from the lowest level that has any (R094)."""
    for _ in range(CARDS_A_TOKEN):
        for level in range(LEVELS):
            if g.left[colour, level] > 0:
                turn_up(g, colour, level)
                break


@compiled
def reveal_token(g):
    """Reveal and apply the next token, and hold the reports it triggers (R092-R096)."""
    token = g.token[g.drawn]
    g.drawn += 1
    g.token_out[token] = 1
    g.last_token = token
    if TOKENS[token] == CROSS_2:
        move_cross(g, 2)
    elif TOKENS[token] == CROSS_1_AND_SHUFFLE:
        move_cross(g, 1)
        shuffle_tokens(g)
    else:
        discard_cards(g, TOKENS[token])
    hold_reports(g)


@compiled
def is_colour_gone(g):
    """True if some colour has no card left in any of its stacks."""
    for colour in range(NUM_COLOURS):
        left = 0
        for level in range(LEVELS):
            left += g.left[colour, level]
        if left == 0:
            return True
    return False


@compiled
def lorenzo_wins(g):
    """True if Lorenzo has won, as checked after his token (R097)."""
    return g.cross == LAST_SPACE or is_colour_gone(g)
