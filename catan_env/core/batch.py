"""Many games in lockstep: N blocks of memory stepped by one call into buffers the caller owns.

Every function works on the games `start <= i < stop` and releases the interpreter lock, so that
threads may each take a chunk. Nothing is allocated, and a game that ends begins anew in the same
call, its next seed mixed from its last.
"""

from catan_env.core.actions import BIT_OF, NUM_ACTIONS, WORD_OF, WORD_START, WORDS
from catan_env.core.bits import count_bits, holds, nth_bit
from catan_env.core.constants import DRAW, NOBODY, OVER, SEATS
from catan_env.core.doors import expand
from catan_env.core.jit import door, rule
from catan_env.core.observation import observe_board, observe_play
from catan_env.core.rng import below_at, i64, word_at
from catan_env.core.rules import apply, let_table_decide, start_game, write_mask


@rule
def next_seed(seed):
    """The seed of the game that follows the one with `seed` in its place."""
    return word_at(seed, 1)


@rule
def begin_anew(states, i, template, seed):
    """Put a fresh game with `seed` in place `i`, up to the first decision of a seat."""
    states[i] = template[0]
    states[i].seed = seed
    start_game(states[i])


@door
def reset_games(states, template, seeds, start, stop):
    """Begin a fresh game in each place, with the seeds given: (n,) uint64."""
    for i in range(start, stop):
        begin_anew(states, i, template, seeds[i])
        write_mask(states[i])


@rule
def may_play(g, action):
    """Whether the mask holds `action`, which may be any number."""
    return 0 <= action < NUM_ACTIONS and holds(g.mask[WORD_OF[action]], BIT_OF[action])


@rule
def pay_rewards(g, rewards, i):
    """+1 to the winner, -1 shared among the others; zeros when nobody has won: (4,) float32."""
    for seat in range(SEATS):
        rewards[i, seat] = 0
    if g.winner != NOBODY:
        for seat in range(g.seats):
            rewards[i, seat] = -1.0 / (g.seats - 1)
        rewards[i, g.winner] = 1


@door
def step_games(states, template, actions, max_turns, rewards, done, start, stop):
    """Play one action in each game, and begin anew where it ended.

    `actions` (n,) are flat indices. Written: `rewards` (n, 4) float32 by seat, where the game
    ended; `done` (n,) int8: 0 goes on, 1 won, 2 cut off at `max_turns`, 3 refused (the action is
    not in the mask; the game stays as it was).
    """
    for i in range(start, stop):
        g = states[i]
        if not may_play(g, actions[i]):
            done[i] = 3
            continue
        apply(g, actions[i], DRAW)
        let_table_decide(g)
        done[i] = 0
        if g.phase == OVER or g.turn > max_turns:
            pay_rewards(g, rewards, i)
            done[i] = 1 if g.phase == OVER else 2
            begin_anew(states, i, template, next_seed(g.seed))
        write_mask(g)


@door
def observe_games(states, done, observations, start, stop):
    """Write what the seat to decide knows of each game: (n, OBSERVATION_SIZE) int8.

    The board is written only where `done[i]` says that a new game lies there.
    """
    for i in range(start, stop):
        g = states[i]
        if done[i] == 1 or done[i] == 2:
            observe_board(g, observations, i)
        observe_play(g, g.seat, observations, i)


@door
def expand_masks(states, action_masks, start, stop):
    """Write the masks as bytes: (n, 848) int8."""
    for i in range(start, stop):
        expand(states[i], action_masks, i)


@rule
def pick(g, random):
    """A legal action of the packed mask, uniform: `random` is a 64-bit word."""
    total = 0
    for k in range(WORDS):
        total += count_bits(g.mask[k])
    n = below_at(random, 0, total)
    for k in range(WORDS):
        here = count_bits(g.mask[k])
        if n < here:
            return WORD_START[k] + nth_bit(g.mask[k], n)
        n -= here
    return -1


@door
def sample_legal(states, seed, count, actions, start, stop):
    """Write a legal action for each game, uniform; a function of (seed, count, i) alone."""
    for i in range(start, stop):
        actions[i] = pick(states[i], word_at(seed, (i64(count) << 24) + i))
