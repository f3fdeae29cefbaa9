"""The value function: the batch plays as the policy does, and reads nothing hidden."""

import numpy as np

from catan_env.batch import Batch
from catan_env.policy import load_policy
from policies.value import choose


def test_the_batch_plays_what_the_policy_plays_of_a_view():
    games, policy = Batch(4, seats=3, seed=2), load_policy("value")
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
