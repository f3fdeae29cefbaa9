"""A teacher beside self-play: what it would choose, and that the learner comes to choose so."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.policies import greedy  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.learner import Learner  # noqa: E402
from catan_env.training.rollout import Decided, Games  # noqa: E402
from catan_env.training.self_play import Run  # noqa: E402
from catan_env.training.settings import Args  # noqa: E402
from catan_env.training.teacher import CHOICES, Teacher  # noqa: E402


def midgame(num_games=48, steps=120):
    batch = catan(num_games, seats=2, rules="duel", seed=4)
    for _ in range(steps):
        batch.step(batch.sample_legal())
    return batch


def test_the_teacher_says_what_it_would_play():
    batch = midgame()
    rows = np.flatnonzero(batch.action_masks.sum(axis=1) > 1)
    before = batch.masks.copy()
    actions, shares = Teacher(greedy.rank, 0.2).choices(batch, rows)
    assert actions.shape == shares.shape == (len(rows), CHOICES)
    assert (batch.masks == before).all()
    np.testing.assert_array_equal(actions[:, 0], greedy.choose(batch)[rows])
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert (np.diff(shares, axis=1) <= 1e-6).all()
    legal = np.take_along_axis(batch.action_masks[rows], actions, axis=1) == 1
    assert legal[shares > 0].all()


def test_a_teacher_is_listened_to_for_as_long_as_the_configuration_says():
    args = Args(
        teacher_weight=2.0, taught=1000, decisions=10_000, warm_up=100, widths={"hidden": 8}
    )
    learner = Learner(args, midgame(), "cpu")
    shares = [learner._weights(decisions)[3].item() for decisions in (50, 100, 500, 1000, 5000)]
    np.testing.assert_allclose(shares, [0, 1.8, 1, 0, 0], atol=1e-6)


def test_the_learner_comes_to_choose_what_the_teacher_would():
    args = Args(
        teacher="catan_env.policies.greedy:rank", taught=10**9, rollout=2000, minibatch=250,
        learning_rate=3e-3, epochs=4, decisions=10**6, widths={"hidden": 64, "local": 16},
    )  # fmt: skip
    batch = midgame(num_games=64, steps=0)
    learner = Learner(args, batch, "cpu")
    games = Games(args, batch, learner.network.num_facts)
    unlike = [learn(learner, games)["policy/unlike_teacher"] for _ in range(6)]
    assert unlike[-1] < unlike[0] - 0.15


def learn(learner, games):
    rollout = games.collect(learner.decide)
    return learner.learn(rollout.experience(gamma=0.997, gae_lambda=0.95), 0)


def test_in_the_games_that_it_leads_the_teachers_choices_are_played():
    args = Args(teacher="catan_env.policies.greedy:rank", rollout=200, widths={"hidden": 8})
    batch = midgame(num_games=8, steps=40)
    games = Games(args, batch, 1)
    games.led = 3
    played = []
    step = batch.step
    batch.step = lambda actions: (played.append(actions.copy()), step(actions))
    legal = {}

    def decide(observations, masks):
        wanted = greedy.choose(batch)
        legal[len(played)] = np.flatnonzero(batch.action_masks.sum(axis=1) > 1), wanted
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        n = len(last)
        odds, values = np.zeros((2, n), np.float32)
        return Decided(last, odds, values, np.zeros((n, 0)), np.zeros((n, 1), np.int8))

    rollout = games.collect(decide)
    for k, (rows, wanted) in legal.items():
        led = rows[rows < 3]
        assert (played[k][led] == wanted[led]).all()
    assert (rollout.own[: rollout.n] == (rollout.games[: rollout.n] >= 3)).all()


def test_the_teacher_leads_fewer_games_the_longer_it_has_taught(tmp_path):
    args = Args(
        teacher="catan_env.policies.greedy:rank", teacher_plays=1.0, taught=1000, num_games=16,
        rollout=64, decisions=500, widths={"hidden": 8, "local": 4}, options={"seats": 2},
    )  # fmt: skip
    run = Run(args, tmp_path, "cpu", 1)
    games, led = run.tables.games, []
    for run.decisions in (0, 500, 1000):
        games.let_teacher_lead(run.decisions)
        led.append(games.led)
        rollout = games.collect(run.learner.decide)
    assert led == [16, 8, 0] and games.teacher is None
    newest = slice(rollout.starts[1], rollout.n)
    assert not rollout.shares[newest].any(), "what it said before is said of nothing now"
