"""Self-play learns, meets its pool, and goes on after it was killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

from policies.network import Network  # noqa: E402
from training.model import fresh_model  # noqa: E402
from training.pool import LEARNER, Pool, RandomBatch  # noqa: E402
from training.ppo import Args, Run, main, read_args  # noqa: E402

SMALL = {
    "seats": 2, "rules": "duel", "max_turns": 6, "fixed": ["random"], "rollouts": 1,
    "num_envs": 4, "n_steps": 16, "batch_size": 32, "n_epochs": 1, "past_self_every": 2,
    "hidden": [8], "value": [8],
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]


def written(folder, **changed):
    lines = [f"{name} = {json.dumps(value)}" for name, value in {**SMALL, **changed}.items()]
    (folder / "small.toml").write_text("\n".join(lines))
    return str(folder / "small.toml")


def test_a_run_learns_by_itself_and_against_its_pool(tmp_path):
    main([written(tmp_path, steps=6 * 64), str(tmp_path / "run")])
    state = json.loads((tmp_path / "run" / "state.json").read_text())
    assert (state["phase"], state["steps"]) == (6, 6 * 64)
    selves = [name for name in state["pool"]["ratings"] if name.endswith(".npz")]
    assert [Path(name).stem for name in selves] == ["past_2", "past_4", "past_6"]
    assert list((tmp_path / "run").glob("ppo_*/events*"))
    assert Network(tmp_path / "run" / "final.npz").outputs(np.zeros((1, 913))).shape == (1, 848)


def test_a_run_goes_on_after_it_was_killed(tmp_path):
    config, folder = written(tmp_path, steps=10**9), tmp_path / "run"
    command = [sys.executable, "-m", "training.ppo", config, str(folder)]
    run = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        while not (folder / "state.json").exists():
            assert run.poll() is None
            time.sleep(0.2)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    steps = json.loads((folder / "state.json").read_text())["steps"]
    again = Run(Args(**SMALL, steps=steps + 100), folder)
    assert (again.steps, again.model.num_timesteps) == (steps, steps)
    again.learn()
    assert again.steps == steps + 128


def test_a_clone_is_begun_from_and_its_policy_left_alone_at_first(tmp_path):
    clone = fresh_model(hidden=[8], value=[8], seed=5)
    clone.save(tmp_path / "clone.zip")
    args = Args(**SMALL, clone=str(tmp_path / "clone.zip"), value_first=1, steps=64)
    model = Run(args, tmp_path / "run").learn()
    before, after = clone.policy.state_dict(), model.policy.state_dict()
    assert torch.equal(before["action_net.weight"], after["action_net.weight"])
    assert not torch.equal(before["value_net.weight"], after["value_net.weight"])


def test_a_pool_prefers_those_near_and_forgets_the_oldest():
    pool = Pool({LEARNER: 1500.0, "near": 1480.0, "far": 500.0}, most=2)
    picked = pool.pick(np.random.default_rng(1), 1000)
    assert 0 < picked.count("far") < 50 < picked.count("near")
    for k in range(3):
        pool.add(Path(f"past_{k}.npz"))
    assert [n for n in pool.ratings if n.endswith(".npz")] == ["past_1.npz", "past_2.npz"]
    for _ in range(100):
        pool.tell("near", won=False)
    assert pool.ratings["near"] > pool.ratings[LEARNER]


def test_random_answers_only_what_is_legal():
    masks = np.eye(5, 848, dtype=np.int8)
    assert RandomBatch().act_batch(None, masks).tolist() == [0, 1, 2, 3, 4]


def test_the_configurations_can_be_read(tmp_path):
    for name in ("ppo_duel", "ppo_four"):
        assert read_args(ROOT / "training" / "configs" / f"{name}.toml").clone
    (tmp_path / "odd.toml").write_text("stepps = 5\n")
    with pytest.raises(ValueError, match="says stepps; allowed are seed"):
        read_args(tmp_path / "odd.toml")
