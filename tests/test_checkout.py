"""A checkout works without symbolic links, and each of its modules has one name."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLAY = """
import sys
import catan_env.training
import catan_env.policies.random
from catan_env import Game
from catan_env.policy import load_policy

game, policy = Game(seed=3), load_policy("random", seed=1)
for _ in range(20):
    game.play(policy.act(game.view(game.seat)))
files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
ours = [file for file in files if file.startswith(sys.argv[1])]
print(len(game.events), len(ours) == len(set(ours)))
print(catan_env.policies.__file__)
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """The last commit, checked out as on a system without links."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a checkout")
    place = tmp_path_factory.mktemp("clone") / "checkout"
    command = ["git", "-c", "core.symlinks=false", "clone", "-q", "--depth=1", ROOT.as_uri()]
    subprocess.run([*command, str(place)], check=True)
    return place


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a folder, with its contents importable."""
    command = [sys.executable, "-c", code, str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_checkout_without_links_plays(clone: Path) -> None:
    done = run(clone, PLAY)
    file = clone / "policies" / "__init__.py"
    assert done.stdout.splitlines() == ["20 True", str(file)], done.stderr


@pytest.mark.parametrize("name", ["policies", "training"])
def test_a_package_has_one_name_only(name: str) -> None:
    done = run(ROOT, f"import {name}.configuration")
    said = f"ImportError: import this package as catan_env.{name}, its only name"
    assert done.stderr.splitlines()[-1] == said


def test_the_tree_has_no_links() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert [line for line in listed.stdout.splitlines() if line.startswith("120000")] == []


def test_an_editable_install_copies_no_part_of_the_package(tmp_path: Path) -> None:
    build = f"import hatchling.build as b; print(b.build_editable({str(tmp_path)!r}))"
    done = run(ROOT, build)
    names = zipfile.ZipFile(tmp_path / done.stdout.split()[-1]).namelist()
    assert [name for name in names if name.split("/")[0] in ("catan_env", "policies")] == []
