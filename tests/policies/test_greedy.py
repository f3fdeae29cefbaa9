"""The value function: the batch plays like the policy, and reads nothing hidden."""

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.batch import NOBODY, Batch, game_seeds, play_out
from catan_env.kernel.lockstep import STAY
from catan_env.policies.builder import pips_at
from catan_env.policies.greedy import choose, play_runs, whole_games
from catan_env.policy import load_policy
from tests.engines import said_by_both
from tests.policies.presets import PRESETS


def test_the_batch_plays_like_the_policy_on_a_view():
    games, policy = Batch(4, seats=3, seed=2), load_policy("greedy")
    for _ in range(120):
        actions = choose(games)
        for i in range(games.num_games):
            assert actions[i] == policy.act(games.view(i, int(games.seat[i])))
        games.step(actions)
        assert (games.done != 3).all()


def test_a_batch_plays_games_to_their_end():
    games = Batch(32, seats=2, rules="duel", seed=1, observations=False, max_turns=400)
    won = np.zeros(32, bool)
    for _ in range(600):
        games.step(choose(games))
        won |= games.done == 1
    assert won.all()


def step_by_step(seed, max_turns, **table):
    """Winner, turns and decisions of a game that the policy plays for every seat."""
    game, policy, decisions = Game(seed=seed, **table), load_policy("greedy"), 0
    while not game.is_over and game.turn <= max_turns:
        game.play(policy.act(game.view(game.seat)))
        decisions += 1
    return NOBODY if game.winner is None else game.winner, game.turn, decisions


@pytest.mark.parametrize(
    ("seats", "rules", "max_turns"),
    [(2, "duel", 400), (3, "base", 400), (4, "tournament", 400), (4, "base", 50)],
)
def test_games_played_out_are_those_of_the_policy_step_by_step(seats, rules, max_turns):
    table = {"seats": seats, "rules": rules, "max_turns": max_turns}
    seeds = [int(seed) for seed in game_seeds(4, 3)]
    played = play_out(3, seed=4, policy=whole_games(seats), **table)
    assert list(zip(*played, strict=True)) == [step_by_step(seed, **table) for seed in seeds]


def test_a_run_is_the_policys_choices_until_another_seat_decides():
    whole, stepped = (Batch(3, seats=3, seed=5, max_turns=9, autoreset=False) for _ in "ab")
    mine, actions = np.zeros((3, 3), bool), np.zeros((3, 400), np.uint16)
    mine[:, :2], lengths, decisions = True, np.zeros(3, np.int64), np.zeros((3, 3), np.int64)
    for _ in range(40):
        before = lengths.copy()
        play_runs(whole, mine, actions, lengths, decisions)
        assert (~mine[range(3), whole.seat] | (whole.states["turn"] > 9)).all()
        for game in range(3):
            for action in actions[game, before[game] : lengths[game]]:
                answers = choose(stepped)
                assert action == answers[game] and mine[game, stepped.seat[game]]
                stepped.play(np.where(np.arange(3) == game, answers, STAY))
        answers = np.where(whole.states["turn"] <= 9, choose(whole), STAY)
        whole.play(answers)
        stepped.play(answers)
        assert (whole.states == stepped.states).all()
    assert (decisions.sum(axis=1) == lengths).all() and (lengths > 20).all()


def test_threads_change_nothing_in_whole_games():
    one, *others = (
        play_out(60, seats=3, seed=6, threads=threads, policy=whole_games(3))
        for threads in (1, 2, 3)
    )
    assert one.cut_off == 0 and min(one.wins[:3]) > 0
    for other in others:
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def placed_pips(name, rules, seats):
    """The pips of all settlements after the set-up, over several games."""
    policy, total = load_policy(name), 0
    for seed in range(6):
        game = Game(seats, seed, rules)
        pips = pips_at(game.board)
        while game.turn == 0:
            game.play(policy.act(game.view(game.seat)))
        total += sum(sum(pips[v]) for seat in range(seats) for v in game.settlements(seat))
    return total


@pytest.mark.parametrize(
    "rules", [*PRESETS, pytest.param(Rules("house", bank_trade=False), id="no bank trade")]
)
def test_first_settlements_produce_much_under_all_rules(rules):
    """Production has a value where the bank does not trade, too."""
    placed = {name: placed_pips(name, rules, 2) for name in ("greedy", "builder")}
    assert placed["greedy"] >= 0.8 * placed["builder"]


PLAYED = """
from catan_env.batch import play_out
from catan_env.policies.greedy import whole_games
for policy in ("random", whole_games(2)):
    print(*play_out(3, seats=2, seed=4, max_turns=12, threads=2, policy=policy))
"""


def test_the_interpreted_engine_plays_out_the_same_games():
    assert len(said_by_both(PLAYED)) == 1
