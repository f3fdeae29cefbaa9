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
config, *folders = sys.argv[1:]
for folder, options in zip(folders, ([], ["--threads", "2"])):
    child = os.fork()
    if child:
        print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.dup2(os.open(folder + ".err", os.O_WRONLY | os.O_CREAT), 2)
    assert torch.get_num_threads() == 1
    torch.ones(1_000_000).exp()
    from catan_env.training.self_play import main
    main([config, folder, *options])
    assert "torch._dynamo" not in sys.modules, "PyTorch's compiler takes two seconds and 190 MB"
    sys.exit()
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


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """The folders of two children, and how they ended; the second was to use two threads."""
    here = tmp_path_factory.mktemp("forked")
    (here / "small.toml").write_text(CONFIG)
    folders = [here / "one", here / "two"]
    command = [sys.executable, "-c", PARENT, str(here / "small.toml"), *map(str, folders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    statuses = [int(line[6:]) for line in done.stdout.splitlines() if line.startswith("ended ")]
    return list(zip(folders, statuses, strict=True))


def test_a_forked_child_learns_with_one_thread(forked):
    folder, status = forked[0]
    assert status == 0, folder.with_suffix(".err").read_text()
    assert (folder / "final.npz").exists()


def test_a_forked_child_refuses_more_threads_in_one_line(forked):
    folder, status = forked[1]
    assert status != 0
    assert folder.with_suffix(".err").read_text().splitlines()[-1] == (
        "python -m catan_env.training.self_play: --threads is 2; a forked process can compute with "
        "1: OpenMP's threads are not forked (start it with multiprocessing's 'spawn')"
    )
