"""Search gives targets, the network learns from them, and plays with NumPy alone."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")

from catan_env.policies.network import Network
from catan_env.training.expert import softmax
from catan_env.training.expert_iteration import Args, Run, main
from catan_env.training.games import catan
from catan_env.training.outcome import explained, foretold

TABLE = {"seats": 2, "rules": "duel", "max_turns": 60}
SMALL = """
num_games = 8
candidates = 2
worlds = 1
rounds = 2
decisions = 100
unseen = 6
minibatch = 32
[options]
seats = 2
rules = "duel"
max_turns = 60
[widths]
hidden = 16
local = 4
"""


def test_each_round_writes_weights_that_play_and_what_was_measured(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    main([str(tmp_path / "small.toml"), str(tmp_path / "run")])
    batch = catan(4, seed=1, **TABLE)
    actions = Network(tmp_path / "run" / "round_2.npz").act_batch(
        batch.observations, batch.action_masks
    )
    assert batch.action_masks[np.arange(4), actions].all()
    curve = json.loads((tmp_path / "run" / "round_2.json").read_text())["curve"]
    assert [point["round"] for point in curve] == [1, 2]
    assert curve[1]["decisions"] >= 200


def test_the_policy_is_left_alone_while_only_the_value_learns(tmp_path):
    args = Args(
        num_games=4, candidates=2, worlds=1, decisions=40, unseen=4, warm_up=1, options=TABLE,
        widths={"hidden": 16, "local": 4}, minibatch=32,
    )  # fmt: skip
    run = Run(args, tmp_path)
    before = run.learner.network.arrays()["action"].copy()
    run.round()
    np.testing.assert_array_equal(run.learner.network.arrays()["action"], before)
    run.round()
    assert (run.learner.network.arrays()["action"] != before).any()


class Coin:
    """Draws any legal action, and thinks the first seat will win."""

    def __init__(self):
        self.draw = np.random.default_rng(1)

    def decide(self, observations, masks):
        actions = np.where(masks == 1, self.draw.random(masks.shape), -1).argmax(axis=1)
        return actions, None, np.full(len(masks), 0.5, np.float32), None


def test_what_was_foretold_is_compared_with_who_won():
    batch = catan(6, seats=3, rules="base", trade=False, seed=2, autoreset=False)
    told = foretold(Coin(), batch)
    assert (np.diff(told.games) >= 0).all()
    for game in np.unique(told.games):
        mine = told.games == game
        assert set(np.round(told.results[mine], 3)) <= {1.0, -0.5}
        assert told.progress[mine].min() == 0 and told.progress[mine].max() == 1
    assert explained(told.values, told.results) < 0
    assert explained(told.results, told.results) == 1


def test_games_that_the_turn_limit_cut_off_tell_nothing():
    batch = catan(3, seats=2, rules="duel", seed=2, max_turns=6, autoreset=False)
    assert not len(foretold(Coin(), batch).games)


def test_actions_without_a_share_get_none():
    assert softmax(np.array([[1.0, -np.inf, 1.0]])).tolist() == [[0.5, 0.0, 0.5]]
