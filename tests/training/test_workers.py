"""Processes that a command plays in end with it, however it ends."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

COMMANDS = {
    "rerank": "value_function.rerank {} --no-trade --rounds 1 --decisions 400000 --workers 2",
    "evaluate": "evaluate greedy greedy greedy greedy --games 400000 --workers 2",
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_run_leaves_no_worker_behind(tmp_path, name):
    """A worker that continues would write the files that a resumed run writes, and keep busy."""
    words = COMMANDS[name].format(tmp_path).split()
    command = [sys.executable, "-m", f"catan_env.training.{words[0]}", *words[1:]]
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while len(workers := workers_of(run.pid)) < 2:
        assert run.poll() is None
        time.sleep(0.1)
    run.kill()
    run.wait()
    late = time.monotonic() + 60
    while any("numpy" in memory_of(worker) for worker in workers):
        assert time.monotonic() < late
        time.sleep(0.1)


def workers_of(process):
    """The numbers of the process's children that have imported what they need to play."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [each for each in children if "numpy" in memory_of(each)]


def memory_of(process):
    """The files that a process has in its memory, none if it has ended."""
    try:
        return Path(f"/proc/{process}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
