"""The observation as compiled functions: bits are packed into words and stored 64 at a time.

Each store writes 64 bytes; the bytes after its own bits are overwritten by the next one, and the
last store ends with the row. Sections are those of `observation.sections`.
"""

from catan_env.guests.hanabi.native.memory import NOBODY
from catan_env.guests.hanabi.native.turn import KIND_BITS
from catan_env.kernel.bits import ONE, only_if, store_bits
from catan_env.kernel.jit import compiled, inline

STORED = 64
"""Bytes that one store writes: no observation may be shorter."""


@compiled
def observe(g, s, viewer, out, row):
    """Write the observation of `viewer` into `out[row]`, int8."""
    at = observe_hands(g, s, viewer, out, row)
    at = observe_board(g, s, out, row, at)
    at, last = observe_last(g, s, viewer, out, row, at)
    observe_knowledge(g, s, viewer, out, row, at, last)


@compiled
def observe_hands(g, s, viewer, out, row):
    """Write the other seats' cards, oldest first, two per word; then the seats with short hands."""
    at = 0
    fewer = ONE * (g.count[viewer] < s.places)
    for step in range(1, s.players):
        seat = viewer + step
        seat -= s.players * (seat >= s.players)
        fewer |= (ONE * (g.count[seat] < s.places)) << step
        for place in range(0, s.places, 2):
            pair = ONE * g.hand[seat, place] | (ONE * g.hand[seat, place + 1]) << s.kinds
            store_bits(out, row, at, pair, 0 * ONE)
            at += 2 * s.kinds
        at -= s.kinds * (s.places % 2)
    store_bits(out, row, at, fewer, 0 * ONE)
    return at + s.players


@compiled
def observe_board(g, s, out, row, at):
    """Write deck, fireworks, tokens and lives; then the discards."""
    store_bits(out, row, at, (ONE << g.left) - 1, 0 * ONE)
    at += s.box_size - s.players * s.places
    lives = max(0, s.max_lives - g.mistakes)
    standing = (
        g.tops
        | ((ONE << g.tokens) - 1) << s.kinds
        | ((ONE << lives) - 1) << (s.kinds + s.max_tokens)
    )
    store_bits(out, row, at, standing, 0 * ONE)
    at += s.kinds + s.max_tokens + s.max_lives
    store_bits(out, row, at, g.discards, 0 * ONE)
    return at + s.box_size


@compiled
def observe_last(g, s, viewer, out, row, at):
    """Write the last action with its seats and its result; also returns that section's start.

    The section is longer than a word if five players have six suits.
    """
    last, size = g.last, last_size(s)
    card_at = size - s.kinds - 2
    if g.last_seat != NOBODY:
        actor = g.last_seat - viewer
        last |= ONE << (actor + s.players * (actor < 0))
        target = g.last_target - viewer
        shift = s.players + KIND_BITS + target + s.players * (target < 0)
        last |= only_if(g.last_target != NOBODY, ONE << shift)
    last |= g.last_card << card_at
    store_bits(out, row, at, last, 0 * ONE)
    if size > STORED:
        store_bits(out, row, at + STORED, g.last_card >> (STORED - card_at), 0 * ONE)
    return at + size, last


@inline
def last_size(s):
    """The number of bits of the last action."""
    return 2 * s.players + KIND_BITS + s.suits + s.ranks + 2 * s.places + s.kinds + 2


@compiled
def observe_knowledge(g, s, viewer, out, row, at, last):
    """Write the hints about every card of every seat.

    `tail` is the last 64 bits of the row if it ended here; it starts with the previous section, the
    last action, of which nothing is left where that is longer.
    """
    width, size = s.kinds + s.suits + s.ranks, out.shape[1]
    tail = last << max(0, STORED - last_size(s))
    kept = (ONE << (STORED - width)) - 1
    for step in range(s.players):
        seat = viewer + step
        seat -= s.players * (seat >= s.players)
        for place in range(s.places):
            known = g.knowledge[seat, place]
            tail = (tail >> width) & kept | known << (STORED - width)
            if at + STORED <= size:
                store_bits(out, row, at, known, 0 * ONE)
            at += width
    store_bits(out, row, size - STORED, tail, 0 * ONE)
