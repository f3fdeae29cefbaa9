"""Commands that play games compute with one thread, or with the number that the user sets."""

import os
import subprocess
import sys
from importlib import import_module

import pytest

from catan_env.arena.one_thread import NAMES
from catan_env.cli import main

WITNESS = """
import os, runpy, sys

class Witness:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print("found", *(os.environ.get(name) for name in {names}), flush=True)
            os._exit(0)

sys.meta_path.insert(0, Witness())
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


def found_by_numpy(command: str, said: dict[str, str]) -> list[str]:
    """The environment's values, by NAMES, when `python -m COMMAND` loads NumPy."""
    free = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", WITNESS.format(names=NAMES), *command.split()],
        env={**free, **said}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("found "))
    return line.split()[1:]


@pytest.mark.parametrize(
    "command",
    [
        "catan_env play --help",
        "catan_env table --help",
        "catan_env replay --help",
        "catan_env league --help",
        "catan_env hanabi play --policy random",
        "catan_env renaissance play --policy random --games 1",
        "catan_env.training.evaluate --help",
    ],
)
def test_a_command_that_plays_computes_with_one_thread(command):
    assert found_by_numpy(command, {}) == ["1"] * len(NAMES)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"OMP_NUM_THREADS": "3"}, ["3", "3", "3", "3"]),
        ({"OPENBLAS_NUM_THREADS": "2"}, ["1", "2", "1", "1"]),
        ({"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "2"}, ["3", "2", "3", "3"]),
    ],
)
def test_a_user_who_says_how_many_threads_gets_as_many(said, found):
    assert found_by_numpy("catan_env play --help", said) == found


@pytest.mark.parametrize("name", ["match", "serve"])
def test_agents_are_started_in_the_environment_that_the_user_has(name, monkeypatch):
    for variable in NAMES:
        monkeypatch.delenv(variable, raising=False)
    found: list[str] = []
    command = import_module(f"catan_env.cli.{name}")
    monkeypatch.setattr(command, "run", lambda chosen: found.extend(os.environ) or 0)
    assert main([name, "--agent", "somebody"]) == 0
    assert "PATH" in found and not {*NAMES} & {*found}
