"""A child that is forked from a process in which torch has computed with several threads."""

import os
import sys
from multiprocessing import get_context

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.training.self_play import main  # noqa: E402

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
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


def parent(config, folders, ended):
    """Compute with two threads, then fork a child for each folder; the second is to use two."""
    torch.set_num_threads(2)
    torch.ones(1_000_000).exp()  # starts OpenMP's threads, which no child has
    fork = get_context("fork")
    for folder, options in zip(folders, ([], ["--threads", "2"]), strict=True):
        process = fork.Process(target=child, args=([config, str(folder), *options], folder))
        process.start()
        process.join(60)
        ended.put(process.exitcode)
        process.kill()


def child(command, folder):
    """A run in a forked process; what it prints is written to a file."""
    os.dup2(os.open(folder.with_suffix(".err"), os.O_WRONLY | os.O_CREAT), 2)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    assert torch.get_num_threads() == 1
    torch.ones(1_000_000).exp()
    sys.modules.pop("torch._dynamo", None)
    main(command)
    assert "torch._dynamo" not in sys.modules, "PyTorch's compiler takes two seconds and 190 MB"


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """The folders of two children, and how they ended."""
    here = tmp_path_factory.mktemp("forked")
    (here / "small.toml").write_text(CONFIG)
    folders, fork = [here / "one", here / "two"], get_context("fork")
    ended = fork.SimpleQueue()
    process = fork.Process(target=parent, args=(str(here / "small.toml"), folders, ended))
    process.start()
    process.join(900)
    assert process.exitcode == 0
    return [(folder, ended.get()) for folder in folders]


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
