"""The functions that Python calls; they work on the games `start <= i < stop`."""
# mypy: ignore-errors

from catan_env.core.batch import STAY, begin_anew
from catan_env.core.constants import DRAW, NOBODY, OVER
from catan_env.core.doors import next_table_action, play
from catan_env.core.jit import door, part
from catan_env.core.rng import word_at
from policies.search.native.choice import best_of_ranked, rank
from policies.search.native.standing import weigh_vertices


@door
def choose_actions(
    states, weights, tries, worth, moves, scores, out_actions, out_values, start, stop
):
    """Write the best action of each game and its value: (n,) int64 and (n,) float64.

    STAY where no seat decides. `tries` are 3 games, `worth` (54,) float64, `moves` (320,) int64
    and `scores` (320,) float64 to work in, one set a thread; they show the last game's ranking.
    """
    for i in range(start, stop):
        if states[i].phase == OVER:
            out_actions[i] = STAY
            out_values[i] = 0.0
        else:
            weigh_vertices(states[i], weights, worth)
            n = rank(states, i, tries, weights, worth, moves, scores)
            best = best_of_ranked(scores, n)
            out_actions[i] = moves[best]
            out_values[i] = scores[best]


@part
def play_on(states, i, action):
    """Play a legal action in game `i`, and what the table decides after it."""
    play(states, i, action, DRAW)
    action = next_table_action(states, i)
    while action >= 0:
        play(states, i, action, DRAW)
        action = next_table_action(states, i)


@part
def play_best(states, i, weights, tries, worth, moves, scores):
    """Play in game `i` the best action of the seat that decides."""
    weigh_vertices(states[i], weights, worth)
    n = rank(states, i, tries, weights, worth, moves, scores)
    play_on(states, i, moves[best_of_ranked(scores, n)])


@door
def play_matches(
    states, template, seeds, weights, max_turns, tries, worth, moves, scores, wins, start, stop
):
    """Play a game with each seed of `seeds`, (n,) uint64, in place 0; seat s by `weights[s]`.

    Added to `wins`, (5,) int64: wins by seat, and games cut off.
    """
    for k in range(start, stop):
        begin_anew(states, 0, template, word_at(seeds[k], 0))
        while states[0].phase != OVER and states[0].turn <= max_turns:
            seat = int(states[0].seat)
            play_best(states, 0, weights[seat], tries, worth, moves, scores)
        winner = int(states[0].winner)
        wins[4 if winner == NOBODY else winner] += 1


@door
def play_out(
    states,
    template,
    max_turns,
    winners,
    turns,
    decisions,
    weights,
    tries,
    worth,
    moves,
    scores,
    start,
    stop,
):
    """Play whole games in place 0, all seats by `weights`.

    The games' seeds and what is written of them are as in `catan_env.core.batch.play_out`.
    """
    for k in range(start, stop):
        begin_anew(states, 0, template, word_at(template[0].seed, k))
        n = 0
        while states[0].phase != OVER and states[0].turn <= max_turns:
            play_best(states, 0, weights, tries, worth, moves, scores)
            n += 1
        winners[k] = states[0].winner
        turns[k] = states[0].turn
        decisions[k] = n
