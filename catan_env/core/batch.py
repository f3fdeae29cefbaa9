"""Many games in lockstep: N blocks of memory stepped by one call into buffers the caller owns.

Every function works on the games `start <= i < stop` and releases the GIL, so that threads can
each take a chunk. Nothing is allocated, and a finished game restarts in the same call, with a seed
mixed from its last one.
"""

import numpy as np

from catan_env.core.actions import BIT_OF, NUM_ACTIONS, WORD_OF, WORD_START, WORDS
from catan_env.core.constants import DRAW, NOBODY, OVER, SEATS
from catan_env.core.mask import expand, write_mask
from catan_env.core.observation import observe_board, observe_play
from catan_env.core.rules import apply, let_table_decide, start_game
from catan_env.core.rules_shown import observe_rules
from catan_env.kernel.bits import LANES, count_all, count_bits, holds, nth_bit, nth_of_all
from catan_env.kernel.jit import door, inline
from catan_env.kernel.lockstep import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY
from catan_env.kernel.rng import PICK_STREAM, below_at, i64, word_at

assert WORDS == LANES

RESULT = np.dtype(
    [
        ("rewards", np.float32, (SEATS,)),  # +1 to the winner, -1 shared by the rest; otherwise 0
        ("turns", np.int32),  # of the game that ended last
        ("winner", np.int8),  # of the game that ended last, or NOBODY
        ("fresh", np.int8),  # 1 until the observation of a restarted game is written
        ("spare", np.int8, (2,)),
    ]
)


@inline
def next_seed(seed):
    """The seed of the game that follows one with `seed` in the same place."""
    return word_at(seed, 1)


@inline
def begin_anew(states, i, template, seed):
    """Start a new game with `seed` in place `i` and play it up to the first decision of a seat."""
    states[i] = template[0]
    states[i].seed = seed
    start_game(states[i])
    write_mask(states[i])


@door
def reset_games(states, template, seeds, done, results, start, stop):
    """Start a new game in each place, with the given seeds: (n,) uint64."""
    for i in range(start, stop):
        begin_anew(states, i, template, seeds[i])
        done[i] = GOES_ON
        clear_rewards(results[i])
        results[i].fresh = 1


@door
def reset_finished(states, template, done, results, start, stop):
    """Restart the games that the last step ended."""
    for i in range(start, stop):
        if done[i] == ENDED or done[i] == CUT_OFF:
            begin_anew(states, i, template, next_seed(states[i].seed))
            results[i].fresh = 1


@inline
def may_play(g, action):
    """True if the mask contains `action`, which may be any number."""
    return 0 <= action < NUM_ACTIONS and holds(g.mask[WORD_OF[action]], BIT_OF[action])


@inline
def clear_rewards(result):
    """Set all rewards to 0."""
    for seat in range(SEATS):
        result.rewards[seat] = 0


@inline
def conclude(g, result):
    """Write the result of a game; returns ENDED or CUT_OFF."""
    result.winner = g.winner
    result.turns = g.turn
    if g.winner != NOBODY:
        for seat in range(g.seats):
            result.rewards[seat] = -1.0 / (g.seats - 1)
        result.rewards[g.winner] = 1
    return ENDED if g.phase == OVER else CUT_OFF


@inline
def advance(states, i, template, action, max_turns, autoreset, result):
    """Play a legal action in game `i` and handle the game's end; returns the value for `done`."""
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

    `done`, (n,) int8, becomes GOES_ON, ENDED, CUT_OFF at the turn limit, or REFUSED for an illegal
    action, which leaves the game unchanged. `results`, (n,) RESULT, has the details. With
    `autoreset` a finished game restarts in the same call; otherwise it stays as it is.
    `observations` and `action_masks` are written as by the functions below, while the game is still
    in the processor's cache; they may have no rows.
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


@inline
def show(g, result, observations, i):
    """Write the observation of the acting seat; the board only if a new game has started."""
    if result.fresh:
        observe_board(g, observations, i)
        result.fresh = 0
    observe_play(g, g.seat, observations, i)


@door
def observe_games(states, results, observations, start, stop):
    """Write the observation of each game's acting seat: (n, OBSERVATION_SIZE) int8.

    The board is only written if a new game has started.
    """
    for i in range(start, stop):
        show(states[i], results[i], observations, i)


@door
def observe_seats(states, seats, observations, start, stop):
    """Write the whole observation of seat `seats[i]` of game `i`: (n, OBSERVATION_SIZE) int8."""
    for i in range(start, stop):
        observe_board(states[i], observations, i)
        observe_play(states[i], seats[i], observations, i)


@door
def observe_tables(states, shown, start, stop):
    """Write what version 2 of the observation adds: (n, 20) int8."""
    for i in range(start, stop):
        observe_rules(states[i], shown, i)


@door
def expand_masks(states, action_masks, start, stop):
    """Write the masks as bytes: (n, 848) int8."""
    for i in range(start, stop):
        expand(states[i], action_masks, i)


@inline
def pick(g, random):
    """A uniformly random legal action; `random` is a 64-bit word."""
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


@inline
def pick_at_rest(g, random):
    """Like `pick`, but on all words together: twice as fast unless the mask was just written.

    A processor has to wait before it can load as a whole what it has just stored in parts.
    """
    total = count_all(g.mask)
    if total == 0:
        return STAY
    word, nth = nth_of_all(g.mask, below_at(random, 0, total))
    return WORD_START[word] + nth_bit(g.mask[word], nth)


@door
def sample_legal(states, seed, count, actions, start, stop):
    """Write a uniformly random legal action for each game, a function of (seed, count, i) alone.

    It is STAY if the game is over.
    """
    for i in range(start, stop):
        actions[i] = pick_at_rest(states[i], word_at(seed, (i64(count) << 24) + i))


@door
def play_others(states, template, seats, picks, max_turns, autoreset, done, results, start, stop):
    """Play all seats but `seats[i]` at random until that seat is to act.

    Each pick is a function of the game's seed and of `picks[i]`, (n,) int64, which counts them.
    `done` and `results` are written as by `step_games`, on top of what this step wrote.
    """
    for i in range(start, stop):
        g = states[i]
        while g.seat != seats[i] and g.phase != OVER and (autoreset or done[i] != CUT_OFF):
            random = word_at(g.seed, PICK_STREAM + i64(picks[i]))
            picks[i] += 1
            how = advance(states, i, template, pick(g, random), max_turns, autoreset, results[i])
            done[i] = max(how, done[i])


@door
def pick_others(states, seats, picks, actions, start, stop):
    """Write a random action wherever a seat other than `seats[i]` is to decide, otherwise STAY.

    `actions` (n,) int64; the picks are those of `play_others`, which plays them.
    """
    for i in range(start, stop):
        g = states[i]
        actions[i] = STAY
        if g.seat != seats[i] and g.phase != OVER:
            actions[i] = pick(g, word_at(g.seed, PICK_STREAM + i64(picks[i])))
            picks[i] += 1


@door
def play_out(states, template, max_turns, winners, turns, decisions, start, stop):
    """Play whole games at random in place 0; the seed of game k is mixed from the template's.

    Each pick is a function of the game's seed and of the number of picks before it, as in
    `play_others`. For game k it writes `winners`, (n,) int8, NOBODY if it was cut off after
    `max_turns` turns, and the numbers of `turns` and `decisions`, (n,) int32.
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
