"""Commands without the second that an interpreter takes to import the package and load its engine.

Each runs in a process of its own, forked from one that has imported what most commands need and
does nothing else: this file as a program. It reads a command per line and prints its status.
"""

import atexit
import contextlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMPORTED = "cli.league cli.match cli.play cli.replay training.evaluate".split()
WITH_TORCH = "training.self_play"


@cache
def prepared() -> "subprocess.Popen[str]":
    """The process that forks, one for each worker of the suite; it ends with the worker.

    It has torch if its worker has: otherwise few commands need it, and it takes 2 s and 200 MB.
    """
    forks = subprocess.Popen(
        [sys.executable, "-m", __name__, *([WITH_TORCH] if "torch" in sys.modules else [])],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},  # threads do not fork
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(forks.communicate)
    return forks


def run(
    words: Sequence[str], folder: Path, environment: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a program in a folder; `python -m` is forked, with the same output and exit status."""
    if list(words[:2]) != [sys.executable, "-m"] or not hasattr(os, "fork"):
        return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    forks = prepared()
    assert forks.stdin is not None and forks.stdout is not None
    with tempfile.TemporaryDirectory() as kept:
        print(json.dumps([words[2:], str(folder), environment, kept]), file=forks.stdin, flush=True)
        status = int(forks.stdout.readline())
        out, err = ((Path(kept) / name).read_text(encoding="utf-8") for name in ("1", "2"))
    return subprocess.CompletedProcess(words, status, out, err)


def serve() -> None:
    """Fork for each line of the standard input, and print how the process ended."""
    load()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            become(*json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def load() -> None:
    """Import and load what most commands need, as far as its libraries are installed."""
    from catan_env.kernel.jit import JIT
    from catan_env.policies.judge.compiled import ensure_all

    for name in [*IMPORTED, *sys.argv[1:]]:
        with contextlib.suppress(ImportError):
            import_module(f"catan_env.{name}")
    if JIT:
        ensure_all()


def become(words: list[str], folder: str, environment: dict[str, str], kept: str) -> None:
    """Do in this process what `python -m` does with these words, and end it."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number in (1, 2):
        os.dup2(os.open(Path(kept) / str(number), os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder, *environment.get("PYTHONPATH", "").split(os.pathsep)]
    sys.argv = words
    status = status_of(words[0])
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def status_of(module: str) -> int:
    """The exit status of a module that runs as a program; its errors are printed."""
    sys.modules.pop(module, None)  # it has not been imported when it is the program
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve()
