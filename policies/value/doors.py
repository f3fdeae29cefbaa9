"""The functions that Python calls; they work on the games `start <= i < stop`."""
# mypy: ignore-errors

from catan_env.core.batch import begin_anew
from catan_env.core.constants import DRAW, OVER
from catan_env.core.doors import next_table_action, play
from catan_env.kernel.jit import compiled, door
from catan_env.kernel.lockstep import STAY
from catan_env.kernel.rng import word_at
from catan_env.policies.value.choice import TAKEN, best_of_ranked, rank
from catan_env.policies.value.evaluation import score_vertices


@door
def rank_actions(
    states, weights, tries, vertex_scores, moves, scores, out_moves, out_scores, start, stop
):
    """Write the best actions of each game and their values, the best first: (n, k) each.

    int64 and float64; STAY and 0 if there are fewer, or no seat acts. Scratch memory, one set per
    thread: `tries` are 3 games, `vertex_scores` (54,) float64, `moves` (320,) int64 and `scores`
    (320,) float64.
    """
    for i in range(start, stop):
        n = 0
        if states[i].phase != OVER:
            score_vertices(states[i], weights, vertex_scores)
            n = rank(states, i, tries, weights, vertex_scores, moves, scores)
        for k in range(out_moves.shape[1]):
            if k < n:
                best = best_of_ranked(scores, n)
                out_moves[i, k] = moves[best]
                out_scores[i, k] = scores[best]
                scores[best] = TAKEN
            else:
                out_moves[i, k] = STAY
                out_scores[i, k] = 0.0


@compiled
def play_on(states, i, action):
    """Play a legal action in game `i`, and the actions decided by a fixed rule after it."""
    play(states, i, action, DRAW)
    action = next_table_action(states, i)
    while action >= 0:
        play(states, i, action, DRAW)
        action = next_table_action(states, i)


@compiled
def play_best(states, i, weights, tries, vertex_scores, moves, scores):
    """Play the acting seat's best action in game `i`."""
    score_vertices(states[i], weights, vertex_scores)
    n = rank(states, i, tries, weights, vertex_scores, moves, scores)
    play_on(states, i, moves[best_of_ranked(scores, n)])


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
    vertex_scores,
    moves,
    scores,
    start,
    stop,
):
    """Play whole games in place 0, seat s by `weights[s]`.

    The seeds and outputs are as in `catan_env.core.batch.play_out`.
    """
    for k in range(start, stop):
        begin_anew(states, 0, template, word_at(template[0].seed, k))
        n = 0
        while states[0].phase != OVER and states[0].turn <= max_turns:
            seat = int(states[0].seat)
            play_best(states, 0, weights[seat], tries, vertex_scores, moves, scores)
            n += 1
        winners[k] = states[0].winner
        turns[k] = states[0].turn
        decisions[k] = n


@door
def play_runs(
    states,
    mine,
    max_turns,
    history,
    played,
    decided,
    weights,
    tries,
    vertex_scores,
    moves,
    scores,
    start,
    stop,
):
    """Play in each game while the acting seat is in `mine`, (n, seats) bool.

    A game stops when it is over, exceeds `max_turns` turns, or its row of `history`, (n, m) uint16,
    is full: actions are written there after its `played` ones, (n,) int64. `decided`, (n, seats)
    int64, counts them by seat.
    """
    for i in range(start, stop):
        while states[i].phase != OVER and states[i].turn <= max_turns:
            seat = int(states[i].seat)
            if not mine[i, seat] or played[i] == history.shape[1]:
                break
            score_vertices(states[i], weights, vertex_scores)
            n = rank(states, i, tries, weights, vertex_scores, moves, scores)
            best = moves[best_of_ranked(scores, n)]
            history[i, played[i]] = best
            played[i] += 1
            decided[i, seat] += 1
            play_on(states, i, best)
