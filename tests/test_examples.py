"""The examples run unchanged; those that train, with less work."""

import ast
import json
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from catan_env import cli
from tests.pages import less

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["play_a_game", "aec_random", "text_agent"])
def test_an_example_prints_the_end_of_its_game(name, capsys):
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    assert "win" in capsys.readouterr().out


EXTRAS = {
    "cleanrl_ppo": "train",
    "rllib_ppo": "rllib",
    "tianshou_ppo": "tianshou",
    "torchrl_ppo": "torchrl",
    "torchrl_rollout": "torchrl",
    "train_maskable_ppo": "train",
}
WITHOUT_LIBRARIES = """
import runpy, sys
for blocked in ("torch", "ray", "tianshou", "torchrl", "sb3_contrib"):
    sys.modules[blocked] = None
for path in sys.argv[1:]:
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as ended:
        print(ended.code)
"""


def test_an_example_without_its_extra_ends_with_one_line():
    """One process, in which none of the libraries can be imported, runs one after the other."""
    paths = [ROOT / "examples" / f"{name}.py" for name in EXTRAS]
    command = [sys.executable, "-c", WITHOUT_LIBRARIES, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout.split()) == (0, ["2"] * len(EXTRAS)), done.stderr
    for (name, extra), line in zip(EXTRAS.items(), done.stderr.splitlines(), strict=True):
        assert line.startswith(f"{name}.py needs ")
        assert f"pip install '.[{extra}]' in a checkout" in line


def test_tree_search_looks_ahead_in_copies(monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT / "examples")
    import_module("tree_search").main(3)
    assert capsys.readouterr().out.count("seat ") == 3


def run_notebook(path: Path) -> list[object]:
    """The last outputs of a notebook's code cells, run in order in one namespace."""
    names: dict[str, object] = {}
    values = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            assert isinstance(last, ast.Expr), "a cell ends with what it shows"
            exec(compile(ast.Module(statements, []), path.name, "exec"), names)
            values.append(eval(compile(ast.Expression(last.value), path.name, "eval"), names))
    return values


def test_the_notebook_goes_from_a_game_to_a_network_to_a_replay():
    game, liked, ending, replay = run_notebook(ROOT / "examples" / "play_and_replay.ipynb")
    assert game._repr_svg_().startswith("<svg")
    probs = [prob for action, prob in liked if action in game.legal_actions]
    assert probs == sorted(probs, reverse=True) and 0 < sum(probs) <= 1
    assert len(probs) == 3
    assert "has won in turn" in ending
    shown = replay._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&quot;odds&quot;" in shown


def test_a_custom_policy_plays(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    names = ["examples.own_policy:Builder", "random"]
    assert cli.main(["play", *names, "--games", "2"]) == 0
    assert "1 examples.own_policy:Builder" in capsys.readouterr().out


@pytest.mark.torch
def test_the_training_of_one_seat_saves_a_model(monkeypatch, tmp_path):
    pytest.importorskip("torch")
    learner = pytest.importorskip("sb3_contrib").MaskablePPO
    monkeypatch.chdir(tmp_path)
    example = tmp_path / "train_maskable_ppo.py"
    example.write_text(less((ROOT / "examples" / example.name).read_text(encoding="utf-8")))
    runpy.run_path(str(example))
    assert learner.load(tmp_path / "catan_maskable_ppo.zip").num_timesteps == 8 * 16


@pytest.mark.torch
def test_the_demo_trains_exports_and_plays_a_tournament(monkeypatch, capsys, tmp_path):
    for library in ("torch", "tensorboard"):
        pytest.importorskip(library)
    monkeypatch.syspath_prepend(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    demo = import_module("demo")
    config = tmp_path / "minute.toml"
    config.write_text(
        demo.CONFIG.read_text()
        .replace("num_envs = 512", "num_envs = 32")
        .replace("num_steps = 32", "num_steps = 8")
    )
    small = {"GAMES": 4, "SECONDS": 0, "EVALUATED": 2, "EVALUATED_SLOWLY": 1, "MATCHES": 1}
    for name, value in small.items():
        monkeypatch.setattr(demo, name, value)
    monkeypatch.setattr(demo, "CONFIG", config)
    # Kernels for bfloat16 take 30 MB; docs/start/first_training.md trains as users do.
    monkeypatch.setattr("catan_env.training.agent.has_bfloat16", lambda device: False)
    demo.main()
    out = capsys.readouterr().out
    assert "2 builder       4   100.0 %" in out
    assert out.count("games against three random,") == 2
    assert "4 games, 0 without a winner" in out
    assert "</html>" in Path("demo/game.html").read_text()
