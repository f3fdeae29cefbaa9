"""PPO's update in several processes, whose rollouts differ in length."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

ROOT = Path(__file__).resolve().parents[2]
UPDATE = """
import numpy as np
import torch
import torch.distributed as dist
from datetime import timedelta
from catan_env.training.agent import Agent
from catan_env.training.games import catan
from catan_env.training.ppo_update import PPO
from catan_env.training.rollouts import Decisions
from catan_env.training.self_play import Args

torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=timedelta(seconds=60))
args = Args(minibatch_size=32, network_options={"hidden": 8, "local": 4})
batch = catan(1, seats=2, rules="duel")
agent = Agent(args, batch, "cpu")
rows = (100, 60)[dist.get_rank()]
widths = {"features": agent.network.num_features, "choices": 1, "chance": 0}
decisions = Decisions.empty(rows, mask_bytes=-(-batch.action_masks.shape[1] // 8), **widths)
decisions.masks[:] = 255
decisions.is_own[:] = True
decisions.advantages[:] = np.linspace(-1, 1, rows)
PPO(agent, args).update(decisions, 0)
weights = torch.cat([one.detach().ravel() for one in agent.network.parameters()])
both = [torch.empty_like(weights) for _ in range(2)]
dist.all_gather(both, weights)
assert torch.equal(*both), "the processes have different weights"
dist.barrier()
"""


def test_processes_with_rollouts_of_different_length_take_the_same_number_of_steps(tmp_path):
    script = tmp_path / "update.py"
    script.write_text(UPDATE)
    command = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"),
        str(script),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
