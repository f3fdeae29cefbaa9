"""Compile all that the tests use before they start, as `make test` does.

    python -m tests.compiled

Compiling takes hundreds of megabytes that Numba does not return. Here each engine has a process of
its own, which ends; the workers of the suite only load the machine code, and stay small. The tests'
own files are read meanwhile, unless they are as they were: their bytecode is stored once, and each
worker loads it.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import source_hash
from pathlib import Path

import pytest

from catan_env.kernel.jit import JIT
from catan_env.machine import usable_processors

READ = [sys.executable, "-m", "pytest", "-qq", "-n", "0", "--collect-only"]
CATAN = """
from catan_env.policies.judge.compiled import ensure_all
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.set_up.set_up import ensure_set_up
ensure_all()
ensure_reranker()
ensure_set_up()
"""
"""The rules and all policies in one process, which compiles what they share once."""
LOOPS = """
from catan_env.core.compiled import CORE
from catan_env.kernel.compiled import ensure_compiled
from tests.core.keep import NAME

def run():
    import pytest
    files = ["tests/core/test_longest_road.py", "tests/properties/test_every_step.py"]
    status = pytest.main(["-q", "-n", "0", "--no-header", "--games", "20", *files])
    if status:
        raise SystemExit(status)

ensure_compiled(NAME, run, CORE)
"""
"""The tests that have compiled loops, over a few games, unless this machine has run them."""
HANABI = "from catan_env.guests.hanabi.native.warm import ready; ready()"
NETWORK = "from catan_env.policies.network.native.compiled import ensure_forward; ensure_forward()"
BLUEPRINT = "from catan_env.guests.hanabi.blueprint.warm import ready; ready()"
RENAISSANCE = (
    "from catan_env.guests.renaissance.native.compiled import ensure_ready; ensure_ready()"
)

ENGINES = (CATAN, BLUEPRINT, RENAISSANCE, HANABI, NETWORK)


def run(code: str) -> None:
    """Run code in a process of its own, with its output."""
    subprocess.run([sys.executable, "-c", code], check=True)


def is_read(file: Path) -> bool:
    """True if pytest has stored the bytecode of a test file as it is now."""
    name = f"{file.stem}.{sys.implementation.cache_tag}-pytest-{pytest.__version__}.pyc"
    stored = file.parent / "__pycache__" / name
    return stored.exists() and stored.read_bytes()[8:16] == source_hash(file.read_bytes())


def read_tests() -> None:
    """Import every test unless all are stored, and end with what pytest says if it cannot."""
    if all(map(is_read, Path(__file__).parent.rglob("test_*.py"))):
        return
    done = subprocess.run(READ, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.stdout)


def compile_all() -> None:
    """Compile every engine and the tests' own loops, each unless this machine has done so."""
    with ThreadPoolExecutor(len(usable_processors())) as pool:
        running = [pool.submit(run, code) for code in ENGINES]
        running += [pool.submit(read_tests), pool.submit(run, LOOPS)]
        for each in running:
            each.result()


if __name__ == "__main__" and JIT:
    compile_all()
