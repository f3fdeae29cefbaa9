"""Many games in lockstep: N blocks of memory stepped by one call into buffers the caller owns.

Every function works on the games `start <= i < stop` and releases the interpreter lock, so that
threads may each take a chunk. Nothing is allocated, and a game that ends begins anew in the same
call, its next seed mixed from its last.
"""

import numpy as np

from catan_env.core.actions import BIT_OF, NUM_ACTIONS, WORD_OF, WORD_START, WORDS
from catan_env.core.constants import DRAW, NOBODY, OVER, SEATS
from catan_env.core.mask import expand, write_mask
from catan_env.core.observation import observe_board, observe_play
from catan_env.core.rules import apply, let_table_decide, start_game
from catan_env.kernel.bits import LANES, count_all, count_bits, holds, nth_bit, nth_of_all
from catan_env.kernel.jit import door, rule
from catan_env.kernel.rng import PICK_STREAM, below_at, i64, word_at

assert WORDS == LANES
STAY = -1  # an action that leaves its game as it is
GOES_ON, WON, CUT_OFF, REFUSED = 0, 1, 2, 3

RESULT = np.dtype(
    [
        ("rewards", np.float32, (SEATS,)),  # +1 to the winner, -1 shared by the rest; else 0
        ("turns", np.int32),  # of the game that ended last
        ("winner", np.int8),  # of the game that ended last, or NOBODY
        ("fresh", np.int8),  # 1 while the observation of a game begun anew is not yet written
        ("spare", np.int8, (2,)),
    ]
)


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
    write_mask(states[i])


@door
def reset_games(states, template, seeds, done, results, start, stop):
    """Begin a fresh game in each place, with the seeds given: (n,) uint64."""
    for i in range(start, stop):
        begin_anew(states, i, template, seeds[i])
        done[i] = GOES_ON
        clear_rewards(results[i])
        results[i].fresh = 1


@door
def reset_finished(states, template, done, results, start, stop):
    """Begin anew where the last step ended a game and left it lying."""
    for i in range(start, stop):
        if done[i] == WON or done[i] == CUT_OFF:
            begin_anew(states, i, template, next_seed(states[i].seed))
            results[i].fresh = 1


@rule
def may_play(g, action):
    """Whether the mask holds `action`, which may be any number."""
    return 0 <= action < NUM_ACTIONS and holds(g.mask[WORD_OF[action]], BIT_OF[action])


@rule
def clear_rewards(result):
    """Nobody has won or lost."""
    for seat in range(SEATS):
        result.rewards[seat] = 0


@rule
def conclude(g, result):
    """Write how a game ended; returns WON or CUT_OFF."""
    result.winner = g.winner
    result.turns = g.turn
    if g.winner != NOBODY:
        for seat in range(g.seats):
            result.rewards[seat] = -1.0 / (g.seats - 1)
        result.rewards[g.winner] = 1
    return WON if g.phase == OVER else CUT_OFF


@rule
def advance(states, i, template, action, max_turns, autoreset, result):
    """Play a legal action in game `i` and see to its end; returns what `done` says."""
    g = states[i]
    apply(g, action, DRAW)
    let_table_decide(g)
    if g.phase == OVER or g.turn > max_turns:
        how = conclude(g, result)
        if autoreset:
            begin_anew(states, i, template, next_seed(g.seed))
            result.fresh = 1
        else:
            write_mask(g)
        return how
    write_mask(g)
    return GOES_ON


@door
def step_games(
    states,
    template,
    actions,
    max_turns,
    autoreset,
    done,
    results,
    observations,
    action_masks,
    start,
    stop,
):
    """Play one action in each game: `actions` (n,) are flat indices, or STAY.

    `done`, (n,) int8, says what ended: GOES_ON, WON, CUT_OFF at the limit of turns, or REFUSED: the
    mask does not hold the action, and the game stays as it was. `results`, (n,) RESULT, say
    more of it. With `autoreset` a game that ended begins anew at once; without, it is left lying.
    `observations` and `action_masks` are written as by the functions below, while the game is
    still in the processor's cache; they may have no rows.
    """
    shows, masks = observations.shape[0] > 0, action_masks.shape[0] > 0
    for i in range(start, stop):
        result = results[i]
        if done[i] != GOES_ON:
            clear_rewards(result)
            done[i] = GOES_ON
        action = actions[i]
        if may_play(states[i], action):
            done[i] = advance(states, i, template, action, max_turns, autoreset, result)
        elif action != STAY:
            done[i] = REFUSED
        if shows:
            show(states[i], result, observations, i)
        if masks:
            expand(states[i], action_masks, i)


@rule
def show(g, result, observations, i):
    """Write what the seat to decide knows; the board only when a new game lies there."""
    if result.fresh:
        observe_board(g, observations, i)
        result.fresh = 0
    observe_play(g, g.seat, observations, i)


@door
def observe_games(states, results, observations, start, stop):
    """Write what the seat to decide knows of each game: (n, OBSERVATION_SIZE) int8.

    A board is written only when a new game lies there.
    """
    for i in range(start, stop):
        show(states[i], results[i], observations, i)


@door
def observe_seats(states, seats, observations, start, stop):
    """Write what seat `seats[i]` knows of game `i`, board and all: (n, OBSERVATION_SIZE) int8."""
    for i in range(start, stop):
        observe_board(states[i], observations, i)
        observe_play(states[i], seats[i], observations, i)


@door
def expand_masks(states, action_masks, start, stop):
    """Write the masks as bytes: (n, 848) int8."""
    for i in range(start, stop):
        expand(states[i], action_masks, i)


@rule
def pick(g, random):
    """A legal action, uniform: `random` is a 64-bit word."""
    total = 0
    for k in range(WORDS):
        total += count_bits(g.mask[k])
    n = below_at(random, 0, total)
    for k in range(WORDS):
        here = count_bits(g.mask[k])
        if n < here:
            return WORD_START[k] + nth_bit(g.mask[k], n)
        n -= here
    return STAY


@rule
def pick_at_rest(g, random):
    """As `pick`, but all words at once: twice as fast where the mask was not written just now.

    What a processor has just stored in parts it loads as a whole only after a wait.
    """
    total = count_all(g.mask)
    if total == 0:
        return STAY
    word, nth = nth_of_all(g.mask, below_at(random, 0, total))
    return WORD_START[word] + nth_bit(g.mask[word], nth)


@door
def sample_legal(states, seed, count, actions, start, stop):
    """Write a legal action for each game, uniform: a function of (seed, count, i) alone.

    STAY where a game is over.
    """
    for i in range(start, stop):
        actions[i] = pick_at_rest(states[i], word_at(seed, (i64(count) << 24) + i))


@door
def play_others(states, template, seats, picks, max_turns, autoreset, done, results, start, stop):
    """Let every seat but `seats[i]` play at random until that seat is to decide.

    Each pick is a function of the game's seed and of `picks[i]`, (n,) int64, which counts them.
    What ends is said as by `step_games`, whose answers of this step are kept.
    """
    for i in range(start, stop):
        g = states[i]
        while g.seat != seats[i] and g.phase != OVER and (autoreset or done[i] != CUT_OFF):
            random = word_at(g.seed, PICK_STREAM + i64(picks[i]))
            picks[i] += 1
            how = advance(states, i, template, pick(g, random), max_turns, autoreset, results[i])
            done[i] = max(how, done[i])


@door
def play_out(states, template, max_turns, winners, turns, decisions, start, stop):
    """Play whole games at random in place 0; the seed of game k is mixed from the template's.

    Each pick is a function of the game's seed and of how many there were, as in `play_others`.
    Written of game k: `winners`, (n,) int8, NOBODY where it was cut off after `max_turns` turns,
    and how many `turns` and `decisions` it had, (n,) int32.
    """
    for k in range(start, stop):
        begin_anew(states, 0, template, word_at(template[0].seed, k))
        g = states[0]
        n = 0
        while g.phase != OVER and g.turn <= max_turns:
            apply(g, pick(g, word_at(g.seed, PICK_STREAM + n)), DRAW)
            let_table_decide(g)
            write_mask(g)
            n += 1
        winners[k] = g.winner
        turns[k] = g.turn
        decisions[k] = n
