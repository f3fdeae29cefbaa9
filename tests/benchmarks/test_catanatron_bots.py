"""catanatron's bots in our engine: every answer is legal, and the weighted one is stronger."""

import pytest

pytest.importorskip("catanatron.apply_action", reason="these bots play in catanatron 3.3")

from benchmarks.catanatron_bots import Weighted
from catan_env import Game
from catan_env.arena.match import Match
from catan_env.policy import decide

BOTS = "benchmarks.catanatron_bots"


def test_the_bot_s_choice_is_an_action_of_ours():
    game = Game(2, seed=3, rules="duel")
    policy = Weighted(seed=1)
    for _ in range(200):
        game.play(decide(policy, game.view(game.seat)))


def test_the_weighted_bot_beats_the_uniform_one():
    match = Match((f"{BOTS}:Weighted", f"{BOTS}:Uniform"), seed=1, rules="duel", max_turns=3000)
    assert sum(outcome.winner == 0 for outcome in match.results(4)) >= 3
