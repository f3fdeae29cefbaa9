"""Many games in lockstep: N blocks of memory stepped by one call into buffers the caller owns."""

from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.choices import apply, take_only_choices
from catan_env.guests.renaissance.native.observation import observe
from catan_env.guests.renaissance.native.setup import begin
from catan_env.guests.renaissance.native.state import OVER, SEATS
from catan_env.kernel.jit import compiled, door
from catan_env.kernel.lockstep import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY
from catan_env.kernel.rng import PICK_STREAM, below_at, i64, word_at

BEGIN = -2  # an action that restarts its game


@compiled
def next_seed(seed):
    """The seed of the game that follows one with `seed` in the same place."""
    return word_at(seed, 1)


@compiled
def begin_anew(states, i, template, seed):
    """Start a new game with `seed` in place `i`."""
    states[i] = template[0]
    states[i].seed = seed
    begin(states[i])
    take_only_choices(states[i])


@compiled
def conclude(g, rewards, winners, rounds, i):
    """Write the result of game `i`; returns ENDED or CUT_OFF."""
    winners[i] = g.winner
    rounds[i] = g.round
    if g.phase != OVER:
        return CUT_OFF
    for seat in range(g.seats):
        if g.winner == seat:
            rewards[i, seat] = 1.0
        else:
            rewards[i, seat] = -1.0 / max(g.seats - 1, 1)
    return ENDED


@door
def step_games(
    states,
    template,
    actions,
    seeds,
    max_rounds,
    autoreset,
    done,
    rewards,
    winners,
    rounds,
    out,
    masks,
    start,
    stop,
):
    """Play one action in each game: `actions` (n,) are flat indices, STAY, or BEGIN with `seeds`.

    `done`, (n,) int8, becomes GOES_ON, ENDED, CUT_OFF after `max_rounds`, or REFUSED for an illegal
    action. With `autoreset` a finished game restarts in the same call. `out` and `masks` are
    written for the acting seat; they may have no rows.
    """
    for i in range(start, stop):
        if done[i] != GOES_ON:
            done[i] = GOES_ON
            for seat in range(SEATS):
                rewards[i, seat] = 0
        action = actions[i]
        if action == BEGIN:
            begin_anew(states, i, template, seeds[i])
        elif 0 <= action < NUM_ACTIONS and states[i].mask[action] == 1:
            apply(states[i], action)
            if states[i].phase == OVER or states[i].round > max_rounds:
                done[i] = conclude(states[i], rewards, winners, rounds, i)
                if autoreset:
                    begin_anew(states, i, template, next_seed(states[i].seed))
        elif action != STAY:
            done[i] = REFUSED
        show(states, i, out, masks)


@compiled
def show(states, i, out, masks):
    """Write the observation and mask of the acting seat."""
    g = states[i]
    if out.shape[0] > 0:
        observe(g, max(g.seat, 0), out, i)
    if masks.shape[0] > 0:
        for action in range(NUM_ACTIONS):
            masks[i, action] = g.mask[action]


@door
def observe_seats(states, seats, out, start, stop):
    """Write the observation of seat `seats[i]` of game `i`: (n, OBSERVATION_SIZE) uint8."""
    for i in range(start, stop):
        observe(states[i], seats[i], out, i)


@compiled
def pick(g, random):
    """A uniformly random legal action; `random` is a 64-bit word."""
    total = 0
    for action in range(NUM_ACTIONS):
        total += g.mask[action]
    n = below_at(random, 0, total)
    for action in range(NUM_ACTIONS):
        if g.mask[action]:
            if n == 0:
                return action
            n -= 1
    return STAY


@door
def sample_legal(states, seed, count, actions, start, stop):
    """Write a uniformly random legal action for each game, a function of (seed, count, i) alone."""
    for i in range(start, stop):
        actions[i] = pick(states[i], word_at(seed, (i64(count) << 24) + i))


@door
def pick_others(states, seats, picks, actions, start, stop):
    """Write a random action wherever a seat other than `seats[i]` is to decide, otherwise STAY.

    It is a function of the game's seed and of `picks[i]`, (n,) int64, the number of actions played.
    """
    for i in range(start, stop):
        g = states[i]
        actions[i] = STAY
        if g.seat != seats[i] and g.phase != OVER:
            actions[i] = pick(g, word_at(g.seed, PICK_STREAM + i64(picks[i])))
