"""A checkout works without symbolic links, and each of its modules has one name."""

import os
import subprocess
import sys
import tarfile
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
    command = ["git", "-c", "core.symlinks=false", "clone", "-q", "--shared"]
    subprocess.run([*command, str(ROOT), str(place)], check=True)
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


def sources() -> list[Path]:
    """Every file and folder of the tree, without what is built or cached in it."""
    made = {"build", "dist", "runs", "demo", "__pycache__", "node_modules"}
    hidden = {".git", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
    found, folders = [], [ROOT]
    for folder in folders:
        for path in folder.iterdir():
            if path.name in made | hidden or path.name.startswith(".venv"):
                continue
            found.append(path)
            if path.is_dir() and not path.is_symlink():
                folders.append(path)
    return found


def test_the_tree_has_no_links() -> None:
    found = sources()
    assert ROOT / "catan_env" / "__init__.py" in found
    assert [path for path in found if path.is_symlink()] == []


def test_an_editable_install_copies_no_part_of_the_package(tmp_path: Path) -> None:
    build = f"import hatchling.build as b; print(b.build_editable({str(tmp_path)!r}))"
    done = run(ROOT, build)
    names = zipfile.ZipFile(tmp_path / done.stdout.split()[-1]).namelist()
    assert [name for name in names if name.split("/")[0] in ("catan_env", "policies")] == []


def test_the_source_archive_is_the_tree_and_passes_its_tests_without_git(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    done = run(ROOT, f"import hatchling.build as b; print(b.build_sdist({str(tmp_path)!r}))")
    with tarfile.open(tmp_path / done.stdout.split()[-1]) as archive:
        # `extractall(filter=...)` is not in every release of Python 3.11.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    (tree,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert {path.relative_to(ROOT) for path in sources() if path.suffix == ".py"} <= {
        path.relative_to(tree) for path in tree.rglob("*")
    }
    files = ["tests/test_version.py", "tests/test_containers.py", "tests/game/test_action.py"]
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *files],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    assert tested.returncode == 0, tested.stdout
