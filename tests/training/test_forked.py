"""A child that is forked from a process in which torch has computed with several threads."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

ROOT = Path(__file__).resolve().parents[2]
PARENT = """
import os, sys
import torch
from catan_env.batch import Batch

Batch(4)
torch.set_num_threads(2)
torch.ones(1_000_000).exp()  # starts OpenMP's threads, which no child has
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
assert torch.get_num_threads() == 1
torch.ones(1_000_000).exp()
from catan_env.training.self_play import main
main(sys.argv[1:])
assert "torch._dynamo" not in sys.modules, "PyTorch's compiler takes two seconds and 190 MB"
"""
CONFIG = """
num_envs = 16
total_timesteps = 256
batch_size = 256
minibatch_size = 128
[env_options]
seats = 2
rules = "duel"
[network_options]
hidden = 512
local = 4
"""


def forked(folder, *options):
    config = folder / "small.toml"
    config.write_text(CONFIG)
    command = [sys.executable, "-c", PARENT, str(config), str(folder / "run"), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)


def test_a_forked_child_learns_with_one_thread(tmp_path):
    done = forked(tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "final.npz").exists()


def test_a_forked_child_refuses_more_threads_in_one_line(tmp_path):
    done = forked(tmp_path, "--threads", "2")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "python -m catan_env.training.self_play: --threads is 2; a forked process can compute with "
        "1: OpenMP's threads are not forked (start it with multiprocessing's 'spawn')"
    )
