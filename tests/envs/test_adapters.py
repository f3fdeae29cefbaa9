"""The examples for other libraries run unchanged, if the library is installed."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = {"ray": "tree"}  # a dependency of RLlib that Ray does not install
EXAMPLES = [
    ("torch", "cleanrl_ppo --total-steps 2048", ["duels against random"]),
    ("torchrl", "torchrl_ppo --decisions 2048", ["duels against random"]),
    ("torchrl", "torchrl_rollout", ["player_0", "player_2", "all legal: True"]),
    ("tianshou", "tianshou_ppo --decisions 2048", ["duels against random"]),
    ("ray", "rllib_ppo --iterations 4", ["duels against random"]),
]


def example(library: str, name: str, said: list[str]) -> Any:
    """The parameters of a test; two examples show every time that the adapters work."""
    script = name.split()[0]
    often = script in ("cleanrl_ppo", "torchrl_rollout")
    return pytest.param(library, name, said, id=script, marks=() if often else pytest.mark.nightly)


@pytest.mark.parametrize(("library", "name", "said"), [example(*given) for given in EXAMPLES])
def test_the_example_for(library: str, name: str, said: list[str]) -> None:
    for module in filter(None, (library, NEEDED.get(library))):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    script, *options = name.split()
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{script}.py", *options],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for words in said:
        assert words in done.stdout
    assert "all legal: False" not in done.stdout
