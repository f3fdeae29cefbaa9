"""The wheel with machine code: everything runs without Numba, with a read-only home directory.

`make test-wheel` builds the wheel and names it in CATAN_ENV_WHEEL.
"""

import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.bare import ROOT, bare_environment, given_wheel
from tests.pages import TRAINING, blocks, less

WHEEL = given_wheel()
pytestmark = pytest.mark.skipif(
    WHEEL is None or WHEEL.name.endswith("py3-none-any.whl"),
    reason="make test-wheel builds the wheel with machine code",
)
EXTRAS = "train", "league", "renaissance", "render"
LIMIT = 1_000_000
"""Bytes that machine code may add to the wheel."""

ENVIRONMENTS = """
import gymnasium, sys
import catan_env
from pettingzoo.test import api_test

api_test(catan_env.env(), num_cycles=200)
one = gymnasium.make("catan_env:Catan-v0", opponents=["greedy", "best", "random"])
one.reset(seed=1)
for _ in range(50):
    one.step(int(one.unwrapped.action_masks().argmax()))
many = gymnasium.make_vec("catan_env:Catan-v0", num_envs=4, opponents=["random"] * 3)
many.reset(seed=1)
for _ in range(50):
    many.step(many.action_space.sample())
assert not {"numba", "llvmlite"} & set(sys.modules)
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel and what its extras need."""
    assert WHEEL is not None
    return bare_environment(tmp_path_factory.mktemp("alone"), WHEEL, EXTRAS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the repository's examples and settings, as its pages expect."""
    for name in ("examples", "training"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(programs: Path, folder: Path, program: str, *arguments: str, **also: str) -> str:
    """The output of a program that has to end with status 0, and compile nothing."""
    dropped = "PYTHONPATH", "XDG_CACHE_HOME"
    environment = {
        name: text
        for name, text in os.environ.items()
        if name not in dropped and not name.startswith("CATAN_ENV_")
    }
    home = folder / "home"
    home.mkdir(mode=0o500, exist_ok=True)
    environment |= {"HOME": str(home), "OMP_NUM_THREADS": "1", **also}
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    command = [str(programs / program), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "compiling" not in done.stderr
    assert not any(path for path in home.rglob("*") if "catan_env" in path.name)
    return done.stdout


def test_numba_is_an_extra_of_this_wheel() -> None:
    assert WHEEL is not None
    with zipfile.ZipFile(WHEEL) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        needed = re.findall(r"^Requires-Dist: (.*)$", archive.read(name).decode(), re.MULTILINE)
        size = archive.getinfo("catan_env/kernel/_native.abi3.so").compress_size
    assert [line for line in needed if line.startswith("numba") and "extra" not in line] == []
    assert "numba>=0.60; extra == 'jit'" in needed
    assert re.search(r"-cp311-abi3-manylinux_2_\d+_\w+\.whl$", WHEEL.name)
    assert size < LIMIT


def test_the_engine_is_machine_code(programs: Path, folder: Path) -> None:
    facts = dict(
        line.partition(": ")[::2]
        for line in run(programs, folder, "catan-env", "--version", "--verbose").splitlines()
    )
    assert facts["engine"].startswith("native")
    assert (facts["numba"], facts["llvmlite"]) == ("not installed", "not installed")


def test_the_readme_runs(programs: Path, folder: Path) -> None:
    run(programs, folder, "python", "-m", "doctest", str(ROOT / "README.md"))
    code = "\n".join(
        block.text for block in blocks(ROOT / "README.md") if block.language == "python"
    )
    (folder / "readme.py").write_text(less(code))
    assert "learn(1)" in less(code)
    run(programs, folder, "python", "readme.py")


def test_environments_and_vectors_run(programs: Path, folder: Path) -> None:
    run(programs, folder, "python", "-W", "ignore", "-c", ENVIRONMENTS)


def test_a_network_is_trained_and_plays(programs: Path, folder: Path) -> None:
    config = "training/configs/self_play_duel.toml"
    module = "catan_env.training.self_play"
    run(programs, folder, "python", "-m", module, config, "runs/duel", *TRAINING)
    out = run(programs, folder, "catan-env", "play", "runs/duel/final.npz", "search",
              "--rules", "duel", "--games", "2")  # fmt: skip
    assert "2 games" in out


def test_a_league_is_played(programs: Path, folder: Path) -> None:
    run(programs, folder, "catan-env", "league", "init", "mine", "--seats", "2", "--rules", "duel")
    for name in ("greedy", "best"):
        run(programs, folder, "catan-env", "league", "add", "mine", name)
    run(programs, folder, "catan-env", "league", "run", "mine", "--games", "4", "--workers", "1")
    assert "greedy" in run(programs, folder, "catan-env", "league", "standings", "mine")


def test_guests_play(programs: Path, folder: Path) -> None:
    run(programs, folder, "catan-env", "hanabi", "play", "--policy", "best", "--games", "5")
    run(programs, folder, "catan-env", "renaissance", "play", "--policy", "greedy", "--policy",
        "random", "--games", "2")  # fmt: skip
