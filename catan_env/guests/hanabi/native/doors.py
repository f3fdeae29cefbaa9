"""Many games in lockstep: what Python calls.

Every function works on the games `start <= i < stop` and releases the interpreter lock, so that
threads may each take a part. Nothing is allocated, and a game that ends begins anew in the same
call, its next seed mixed from its last. `sheet` is the one sheet of all games.
"""

import numpy as np

from catan_env.guests.hanabi.native.encode import observe
from catan_env.guests.hanabi.native.memory import SEATS
from catan_env.guests.hanabi.native.turn import deal, is_allowed, play, score, shuffle
from catan_env.kernel.bits import count_bits, nth_bit
from catan_env.kernel.jit import door, rule
from catan_env.kernel.rng import PICK_STREAM, below_at, i64, word_at

STAY = -1  # an action that leaves its game as it is
GOES_ON, OVER, REFUSED = 0, 1, 3  # as catan_env.batch has them

RESULT = np.dtype(
    [
        ("rewards", np.float32, (SEATS,)),  # the change of the score, to every seat alike
        ("moves", np.int16),  # of the game that ended last
        ("score", np.int8),  # of the game that ended last
        ("spare", np.int8, (9,)),
    ]
)


@rule
def begin_anew(games, i, blank, sheet, seed):
    """Put a fresh game with `seed` in place `i`."""
    games[i] = blank[0]
    games[i].seed = seed
    shuffle(games[i], sheet[0])
    deal(games[i], sheet[0])


@rule
def pay(result, players, reward):
    """Every seat receives `reward`."""
    for seat in range(players):
        result.rewards[seat] = reward


@door
def reset_games(games, blank, sheet, seeds, done, results, start, stop):
    """Begin a fresh game in each place, with the seeds given: (n,) uint64."""
    for i in range(start, stop):
        begin_anew(games, i, blank, sheet, seeds[i])
        done[i] = GOES_ON
        pay(results[i], sheet[0].players, 0)


@door
def deal_games(games, sheet, start, stop):
    """Deal in blank games whose decks are written already."""
    for i in range(start, stop):
        deal(games[i], sheet[0])


@door
def reset_finished(games, blank, sheet, done, start, stop):
    """Begin anew where the last step ended a game and left it lying."""
    for i in range(start, stop):
        if done[i] == OVER:
            begin_anew(games, i, blank, sheet, word_at(games[i].seed, 1))


@rule
def advance(games, i, blank, sheet, action, autoreset, result):
    """Play an allowed action in game `i` and see to its end; returns what `done` says."""
    g, s = games[i], sheet[0]
    before = g.points
    play(g, s, action)
    pay(result, s.players, score(g, s) - before)
    if g.over == 0:
        return GOES_ON
    result.score, result.moves = score(g, s), g.moves
    if autoreset:
        begin_anew(games, i, blank, sheet, word_at(g.seed, 1))
    return OVER


@rule
def expand(g, s, action_masks, i):
    """Write the mask as bytes."""
    for action in range(s.actions):
        action_masks[i, action] = g.mask >> action & 1


@door
def step_games(
    games, blank, sheet, actions, autoreset, done, results, observations, action_masks, start, stop
):
    """Play one action in each game: `actions` (n,) are numbers, or STAY.

    `done`, (n,) int8, says what ended: GOES_ON, OVER, or REFUSED: the rules do not allow the
    action, and the game stays as it was. With `autoreset` a game that ended begins anew at once;
    without, it is left lying. `observations` and `action_masks` of the seat to move are written
    while the game is still in the processor's cache; they may have no rows.
    """
    shows, masks = observations.shape[0] > 0, action_masks.shape[0] > 0
    s = sheet[0]
    for i in range(start, stop):
        action = actions[i]
        if is_allowed(games[i], s, action):
            done[i] = advance(games, i, blank, sheet, action, autoreset, results[i])
        else:
            done[i] = GOES_ON if action == STAY else REFUSED
            pay(results[i], s.players, 0)
        if shows:
            observe(games[i], s, games[i].seat, observations, i)
        if masks:
            expand(games[i], s, action_masks, i)


@door
def observe_games(games, sheet, observations, start, stop):
    """Write what the seat to move knows of each game."""
    for i in range(start, stop):
        observe(games[i], sheet[0], games[i].seat, observations, i)


@door
def observe_seats(games, sheet, seats, observations, start, stop):
    """Write what seat `seats[i]` knows of game `i`."""
    for i in range(start, stop):
        observe(games[i], sheet[0], seats[i], observations, i)


@door
def expand_masks(games, sheet, action_masks, start, stop):
    """Write the masks as bytes."""
    for i in range(start, stop):
        expand(games[i], sheet[0], action_masks, i)


@rule
def pick(mask, random):
    """A legal action, uniform: `random` is a 64-bit word."""
    return nth_bit(mask, below_at(random, 0, count_bits(mask)))


@door
def sample_legal(games, seed, count, actions, start, stop):
    """Write a legal action for each game, uniform: a function of (seed, count, i) alone.

    STAY where a game is over.
    """
    for i in range(start, stop):
        mask = games[i].mask
        actions[i] = STAY
        if mask != 0:
            actions[i] = pick(mask, word_at(seed, (i64(count) << 24) + i))


@door
def play_others(games, blank, sheet, seats, autoreset, done, results, start, stop):
    """Let every seat but `seats[i]` play at random until that seat is to move.

    Each pick is a function of the game's seed and of the actions played in it. What ends, and the
    rewards, are added to those of this step.
    """
    s = sheet[0]
    for i in range(start, stop):
        g = games[i]
        while g.seat != seats[i] and g.over == 0:
            received = results[i].rewards[0]
            action = pick(g.mask, word_at(g.seed, PICK_STREAM + i64(g.moves)))
            how = advance(games, i, blank, sheet, action, autoreset, results[i])
            done[i] = max(how, done[i])
            pay(results[i], s.players, received + results[i].rewards[0])


@door
def play_out(games, blank, sheet, seed, scores, moves, start, stop):
    """Play whole games at random in place 0; the seed of game k is mixed from `seed`.

    Written of game k: `scores`, (n,) int8, and how many `moves` it had, (n,) int32.
    """
    s = sheet[0]
    for k in range(start, stop):
        begin_anew(games, 0, blank, sheet, word_at(seed, k))
        g = games[0]
        while g.over == 0:
            play(g, s, pick(g.mask, word_at(g.seed, PICK_STREAM + i64(g.moves))))
        scores[k] = score(g, s)
        moves[k] = g.moves
