"""Metrics: the documented ones are logged, once per step, even after a run was killed."""

import time

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402

from catan_env.training import metrics  # noqa: E402
from catan_env.training.metrics import METRICS, Counts, Losses  # noqa: E402
from catan_env.training.self_play import Args, Run  # noqa: E402

SMALL = {
    "num_envs": 8, "batch_size": 64, "minibatch_size": 32, "total_timesteps": 1024,
    "env_options": {"seats": 2, "rules": "duel", "max_turns": 400},
    "network_options": {"hidden": 8, "local": 4},
}  # fmt: skip
ALL = {
    "teacher": "catan_env.policies.greedy:rank", "opponents": ["random"], "opponent_fraction": 0.7,
    "control_variate": "catan_env.training.control_variate:Dice",
}  # fmt: skip
OPTIONAL = {"losses/teacher_loss", "losses/control_variate_loss", "opponents/elo",
            "control_variate/explained_variance", "opponents/win_rate_NAME"}  # fmt: skip


def logged(folder):
    events = EventAccumulator(str(folder))
    events.Reload()
    return {name: [one.step for one in events.Scalars(name)] for name in events.Tags()["scalars"]}


def names_logged(options, folder):
    run = Run(Args(**SMALL, **options), folder, "cpu", 1)
    found = set()
    for _ in range(200):  # until a game with an opponent is won or lost
        run.rollout()
        found = {one.replace("win_rate_random", "win_rate_NAME") for one in logged(folder)}
        if not options or "opponents/win_rate_NAME" in found:
            break
    run.actors.close()
    return found


def test_a_run_logs_the_metrics_of_the_table(tmp_path):
    assert names_logged({}, tmp_path / "plain") == METRICS.keys() - OPTIONAL
    assert names_logged(ALL, tmp_path / "all") == METRICS.keys()


def test_what_a_killed_run_logged_after_its_checkpoint_is_logged_again_and_shown_once(tmp_path):
    run = Run(Args(**SMALL), tmp_path, "cpu", 1)
    run.rollout()
    run.checkpoint()
    run.rollout()  # and here it is killed
    # TensorBoard reads files in the order of their names, which begin with the second.
    time.sleep(1)
    resumed = Run(Args(**SMALL), tmp_path, "cpu", 1)
    resumed.rollout()
    resumed.rollout()
    assert logged(tmp_path)["charts/SPS"] == [64, 128, 192]


def test_clipping_and_divergence_are_those_of_the_probabilities():
    ratio = torch.tensor([1.0, 1.1, 1.5, 0.5])
    found = metrics.of_gradient_step(Losses(*torch.zeros(5, 1)), ratio.log(), 0.2)
    assert found["losses/clipfrac"] == 0.5
    expected = np.mean([0, 0.1 - np.log(1.1), 0.5 - np.log(1.5), -0.5 - np.log(0.5)])
    assert float(found["losses/approx_kl"]) == pytest.approx(expected)


def test_explained_variance_is_1_without_errors_and_0_without_a_clue():
    targets = np.array([1.0, -1.0, 0.5])
    assert metrics.explained(np.zeros(3), targets) == pytest.approx(1)
    assert metrics.explained(targets, targets) == pytest.approx(0, abs=1e-6)


def test_counts_of_several_processes_are_added():
    both = Counts(10, 5, 4, 1, {"greedy": [True]}) + Counts(
        30, 5, 20, 0, {"greedy": [False], "me": [True]}
    )
    found = metrics.of_games(both, 1010.0)
    assert found == {
        "games/ended": 1.0, "games/forced_fraction": 0.25, "games/decisions_per_game": 24.0,
        "opponents/win_rate_greedy": 0.5, "opponents/win_rate_me": 1.0, "opponents/elo": 1010.0,
    }  # fmt: skip
