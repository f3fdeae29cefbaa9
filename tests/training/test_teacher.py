"""A teacher beside self-play: what it would choose, and that the agent comes to choose so."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.policies import greedy  # noqa: E402
from catan_env.training.agent import Agent, Choices  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.imitation.teachers import CHOICES, Teacher  # noqa: E402
from catan_env.training.ppo_update import PPO  # noqa: E402
from catan_env.training.rollouts import Collector  # noqa: E402
from catan_env.training.self_play import Args, Run  # noqa: E402


def midgame(num_envs=48, steps=120):
    batch = catan(num_envs, seats=2, rules="duel", seed=4)
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
        teacher_coef=2.0,
        teacher_steps=1000,
        total_timesteps=10_000,
        value_warmup_steps=100,
        network_options={"hidden": 8},
    )
    agent = Agent(args, midgame(), "cpu")
    ppo = PPO(agent, args)
    found = [ppo._coefficients(steps)[3].item() for steps in (50, 100, 500, 1000, 5000)]
    np.testing.assert_allclose(found, [0, 1.8, 1, 0, 0], atol=1e-6)


def test_the_learner_comes_to_choose_what_the_teacher_would():
    args = Args(
        teacher="catan_env.policies.greedy:rank", teacher_steps=10**9, batch_size=1000,
        minibatch_size=125, learning_rate=3e-3, update_epochs=4, total_timesteps=10**6,
        network_options={"hidden": 32, "local": 8},
    )  # fmt: skip
    batch = midgame(num_envs=32, steps=0)
    agent = Agent(args, batch, "cpu")
    games, ppo = Collector(args, batch, agent.network.num_features), PPO(agent, args)
    losses = [ppo.update(games.collect(agent.act), 0)["losses/teacher_loss"] for _ in range(3)]
    assert losses[-1] < losses[0] - 0.15


def test_in_the_games_that_it_leads_the_teachers_choices_are_played():
    args = Args(
        teacher="catan_env.policies.greedy:rank", batch_size=200, network_options={"hidden": 8}
    )
    batch = midgame(num_envs=8, steps=40)
    games = Collector(args, batch, 1)
    games.num_led = 3
    played = []
    step = batch.step
    batch.step = lambda actions: (played.append(actions.copy()), step(actions))
    legal = {}

    def decide(observations, masks):
        wanted = greedy.choose(batch)
        legal[len(played)] = np.flatnonzero(batch.action_masks.sum(axis=1) > 1), wanted
        shown = batch.action_masks[legal[len(played)][0]]
        last = shown.shape[1] - 1 - shown[:, ::-1].argmax(axis=1)
        n = len(last)
        log_probs, values = np.zeros((2, n), np.float32)
        return Choices(last, log_probs, values, np.zeros((n, 0)), np.zeros((n, 1), np.int8))

    games.collect(decide)
    rollout, n = games.buffer.rows, games.buffer.n
    for k, (rows, wanted) in legal.items():
        led = rows[rows < 3]
        assert (played[k][led] == wanted[led]).all()
    assert (rollout.is_own[:n] == (rollout.games[:n] >= 3)).all()


def test_the_teacher_leads_fewer_games_the_longer_it_has_taught(tmp_path):
    args = Args(
        teacher="catan_env.policies.greedy:rank", teacher_fraction=1.0, teacher_steps=1000,
        num_envs=16, batch_size=64, total_timesteps=500,
        network_options={"hidden": 8, "local": 4}, env_options={"seats": 2},
    )  # fmt: skip
    run = Run(args, tmp_path, "cpu", 1)
    games, led = run.actors.collector, []
    for timesteps in (0, 500, 1000):
        games.anneal_teacher(timesteps)
        led.append(games.num_led)
        games.collect(run.agent.act)
    assert led == [16, 8, 0] and games.teacher is None
    newest = slice(games.buffer.starts[1], games.buffer.n)
    assert not games.buffer.rows.teacher_probs[newest].any(), "no row has another decision's"
