"""Many games in lockstep: the functions that Python calls.

Every function works on the games `start <= i < stop` and releases the GIL, so that threads can
each take a chunk. Nothing is allocated. With `autoreset` a finished game restarts in the same call,
with a seed mixed from its last one. `sheet` is the rule sheet shared by all games.
"""

import numpy as np

from catan_env.guests.hanabi.native.encode import observe
from catan_env.guests.hanabi.native.memory import SEATS
from catan_env.guests.hanabi.native.turn import deal, is_allowed, play, score, shuffle
from catan_env.kernel.bits import count_bits, nth_bit
from catan_env.kernel.jit import door, inline
from catan_env.kernel.lockstep import ENDED, GOES_ON, REFUSED, STAY
from catan_env.kernel.rng import PICK_STREAM, below_at, i64, word_at

RESULT = np.dtype(
    [
        ("rewards", np.float32, (SEATS,)),  # the change of the score, the same for every seat
        ("moves", np.int16),  # of the game that ended last
        ("score", np.int8),  # of the game that ended last
        ("spare", np.int8, (9,)),
    ]
)


@inline
def begin_anew(games, i, blank, sheet, seed):
    """Start a new game with `seed` in place `i`."""
    games[i] = blank[0]
    games[i].seed = seed
    shuffle(games[i], sheet[0])
    deal(games[i], sheet[0])


@inline
def pay(result, players, reward):
    """Give every seat `reward`."""
    for seat in range(players):
        result.rewards[seat] = reward


@door
def reset_games(games, blank, sheet, seeds, done, results, start, stop):
    """Start a new game in each place, with the given seeds: (n,) uint64."""
    for i in range(start, stop):
        begin_anew(games, i, blank, sheet, seeds[i])
        done[i] = GOES_ON
        pay(results[i], sheet[0].players, 0)


@door
def deal_games(games, sheet, start, stop):
    """Deal in blank games whose decks are already written."""
    for i in range(start, stop):
        deal(games[i], sheet[0])


@door
def reset_finished(games, blank, sheet, done, start, stop):
    """Restart the games that the last step ended."""
    for i in range(start, stop):
        if done[i] == ENDED:
            begin_anew(games, i, blank, sheet, word_at(games[i].seed, 1))


@inline
def advance(games, i, blank, sheet, action, autoreset, result):
    """Play a legal action in game `i` and handle the game's end; returns the value for `done`."""
    g, s = games[i], sheet[0]
    before = g.points
    play(g, s, action)
    pay(result, s.players, score(g, s) - before)
    if g.over == 0:
        return GOES_ON
    result.score, result.moves = score(g, s), g.moves
    if autoreset:
        begin_anew(games, i, blank, sheet, word_at(g.seed, 1))
    return ENDED


@inline
def expand(g, s, action_masks, i):
    """Write the mask as bytes."""
    for action in range(s.actions):
        action_masks[i, action] = g.mask >> action & 1


@door
def step_games(
    games, blank, sheet, actions, autoreset, done, results, observations, action_masks, start, stop
):
    """Play one action in each game: `actions` (n,) are flat indices, or STAY.

    `done`, (n,) int8, becomes GOES_ON, ENDED, or REFUSED for an illegal action, which leaves the
    game unchanged. With `autoreset` a finished game restarts in the same call; otherwise it stays.
    `observations` and `action_masks` of the acting seat are written while the game is still in the
    processor's cache; they may have no rows.
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
    """Write the observation of each game's acting seat."""
    for i in range(start, stop):
        observe(games[i], sheet[0], games[i].seat, observations, i)


@door
def observe_seats(games, sheet, seats, observations, start, stop):
    """Write the observation of seat `seats[i]` of game `i`."""
    for i in range(start, stop):
        observe(games[i], sheet[0], seats[i], observations, i)


@door
def expand_masks(games, sheet, action_masks, start, stop):
    """Write the masks as bytes."""
    for i in range(start, stop):
        expand(games[i], sheet[0], action_masks, i)


@inline
def pick(mask, random):
    """A uniformly random legal action; `random` is a 64-bit word."""
    return nth_bit(mask, below_at(random, 0, count_bits(mask)))


@door
def sample_legal(games, seed, count, actions, start, stop):
    """Write a uniformly random legal action for each game, a function of (seed, count, i) alone.

    It is STAY if the game is over.
    """
    for i in range(start, stop):
        mask = games[i].mask
        actions[i] = STAY
        if mask != 0:
            actions[i] = pick(mask, word_at(seed, (i64(count) << 24) + i))


@door
def play_others(games, blank, sheet, seats, autoreset, done, results, start, stop):
    """Play all seats but `seats[i]` at random until that seat is to act.

    Each pick is a function of the game's seed and of the actions played in it. Ends of games and
    rewards are added to those of this step.
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
def pick_others(games, seats, picks, actions, start, stop):
    """Write a random action wherever a seat other than `seats[i]` is to move, otherwise STAY.

    It is a function of the game's seed and of `picks[i]`, (n,): with the number of actions played,
    it is the pick of `play_others`.
    """
    for i in range(start, stop):
        g = games[i]
        actions[i] = STAY
        if g.seat != seats[i] and g.over == 0:
            actions[i] = pick(g.mask, word_at(g.seed, PICK_STREAM + i64(picks[i])))


@door
def play_out(games, blank, sheet, seed, scores, moves, start, stop):
    """Play whole games at random in place 0; the seed of game k is mixed from `seed`.

    For game k it writes `scores`, (n,) int8, and the number of `moves`, (n,) int32.
    """
    s = sheet[0]
    for k in range(start, stop):
        begin_anew(games, 0, blank, sheet, word_at(seed, k))
        g = games[0]
        while g.over == 0:
            play(g, s, pick(g.mask, word_at(g.seed, PICK_STREAM + i64(g.moves))))
        scores[k] = score(g, s)
        moves[k] = g.moves
