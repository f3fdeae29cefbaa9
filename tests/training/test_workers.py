"""Processes that a command plays in end with it, however it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

COMMANDS = {
    "rerank": "value_function.rerank {} --no-trade --rounds 1 --decisions 400000 --workers 2",
    "evaluate": "evaluate greedy greedy greedy greedy --games 400000 --workers 2",
    "self_play": "self_play training/configs/self_play_duel.toml {} --workers 2",
}
ENDS = {
    "rerank": "value_function.rerank: {}; the same command resumes the run",
    "evaluate": "evaluate: {}",
    "self_play": "self_play: {}; the same command resumes the run",
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_run_leaves_no_worker_behind(tmp_path, name):
    """A worker that continues would write the files that a resumed run writes, and keep busy."""
    run, workers = started(name, tmp_path)
    run.kill()
    run.wait()
    wait_for_the_end_of(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_ends_a_run_and_its_workers_with_one_line(tmp_path, name):
    """A terminal sends SIGINT to all of them."""
    run, workers = started(name, tmp_path)
    os.killpg(run.pid, signal.SIGINT)
    try:
        _, shown = run.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        raise
    assert run.returncode == 130
    assert [line for line in shown.splitlines() if "Traceback" in line] == []
    assert shown.splitlines()[-1] == f"catan_env.training.{ENDS[name].format('interrupted')}"
    wait_for_the_end_of(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_worker_ends_a_run_with_one_line(tmp_path, name):
    """Linux kills one when memory runs out."""
    run, workers = started(name, tmp_path)
    os.kill(int(workers[-1]), signal.SIGKILL)
    _, shown = run.communicate(timeout=60)
    assert run.returncode == 1
    assert [line for line in shown.splitlines() if "Traceback" in line] == []
    line = ENDS[name].format("a process that plays was killed (out of memory?)")
    assert shown.splitlines()[-1] == f"catan_env.training.{line}"
    wait_for_the_end_of(workers)


def test_a_run_ends_in_silence_when_its_workers_end_first(tmp_path):
    """They are busy, and the next task fills the pipe to them."""
    (tmp_path / "run.py").write_text("""\
import time
from multiprocessing.process import BaseProcess
from catan_env.training.processes import Processes

def end(process):
    process.kill()
    process.join()

def rest(data):
    time.sleep(min(len(data), 600))

BaseProcess.terminate = end
if __name__ == "__main__":
    with Processes(1) as processes:
        results = processes.map(rest, [b"", *[bytes(2**22)] * 5])
        next(results)
        results.close()
        raise SystemExit(3)
""")
    done = subprocess.run(
        [sys.executable, tmp_path / "run.py"], stderr=subprocess.PIPE, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (3, "")


def test_a_missing_library_ends_a_program_with_one_line(tmp_path):
    lacking = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')"
    (tmp_path / "torch.py").write_text(lacking)
    command = [sys.executable, "-m", "catan_env.training.self_play", "a.toml", "runs/a"]
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (
        2,
        "catan_env.training.self_play needs torch: pip install '.[train]' in a checkout of "
        "catan_env\n",
    )


def started(name, folder):
    """A running command in a process group of its own, and its workers."""
    words = COMMANDS[name].format(folder).split()
    command = [sys.executable, "-m", f"catan_env.training.{words[0]}", *words[1:]]
    run = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which `&` ignores
    )  # fmt: skip
    while len(workers := workers_of(run.pid)) < 2:
        assert run.poll() is None
        time.sleep(0.1)
    return run, workers


def wait_for_the_end_of(workers):
    late = time.monotonic() + 60
    while any("numpy" in memory_of(worker) for worker in workers):
        assert time.monotonic() < late
        time.sleep(0.1)


def workers_of(process):
    """The numbers of the process's descendants that have imported what they need to play."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:
        return []
    found = [each for each in children if "numpy" in memory_of(each)]
    return found + [each for child in children for each in workers_of(child)]


def memory_of(process):
    """The files that a process has in its memory, none if it has ended."""
    try:
        return Path(f"/proc/{process}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
