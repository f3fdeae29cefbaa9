"""The examples for other libraries run unchanged, if the library is installed."""

import runpy
import sys
import warnings
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
    """The parameters of a test; those of other libraries than torch are nightly."""
    script = name.split()[0]
    marks = () if library == "torch" else pytest.mark.nightly
    return pytest.param(library, name, said, id=script, marks=marks)


@pytest.mark.torch
@pytest.mark.parametrize(("library", "name", "said"), [example(*given) for given in EXAMPLES])
def test_the_example_for(
    library: str,
    name: str,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in filter(None, (library, NEEDED.get(library))):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    script, *options = name.split()
    monkeypatch.setattr(sys, "argv", [script, *options])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runpy.run_path(str(ROOT / "examples" / f"{script}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    for words in said:
        assert words in printed
    assert "all legal: False" not in printed
