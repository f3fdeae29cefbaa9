"""A guest's folder can be deleted: everything else works, except the guest's command."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "catan_env"
GUESTS = ["hanabi", "renaissance"]


def run_without(guest: str, place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python on a copy of the package in which a guest's folder is missing."""
    left_out = shutil.ignore_patterns("__pycache__", "*.npz")

    def ignored(folder: str, names: list[str]) -> set[str]:
        gone = {guest} if Path(folder) == PACKAGE / "guests" else set()
        return gone | left_out(folder, names)

    shutil.copytree(PACKAGE, place / "catan_env", ignore=ignored, dirs_exist_ok=True)
    for folder in ("policies", "training"):  # beside the package in a checkout
        beside = PACKAGE.parent / folder
        if beside.is_dir():
            shutil.copytree(beside, place / folder, ignore=left_out, dirs_exist_ok=True)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )


ENTRIES = """
import gymnasium, catan_env
print(catan_env.__file__)
print(*sorted(name for name in gymnasium.registry if name in ("Catan-v0", "Hanabi-v0")))
print(gymnasium.make("catan_env:Catan-v0").unwrapped.spec.id, catan_env.Game(seed=1).seat)
"""


@pytest.mark.parametrize(
    "guest", ["hanabi", pytest.param("renaissance", marks=pytest.mark.nightly)]
)
def test_gymnasiums_registry_names_only_available_guests(guest: str, tmp_path: Path) -> None:
    done = run_without(guest, tmp_path, "-c", ENTRIES)
    left = "Catan-v0" if guest == "hanabi" else "Catan-v0 Hanabi-v0"
    said = [str(tmp_path / "catan_env" / "__init__.py"), left, "Catan-v0 0"]
    assert done.stdout.splitlines() == said, done.stderr


@pytest.mark.parametrize("guest", GUESTS)
def test_the_command_without_its_guest_ends_with_one_line(guest: str, tmp_path: Path) -> None:
    helped = run_without(guest, tmp_path, "-m", "catan_env", "--help")
    assert helped.returncode == 0 and "    match " in helped.stdout
    done = run_without(
        guest,
        tmp_path,
        "-m",
        "catan_env",
        guest,
        "play",
        "--policy",
        "random",
        "--policy",
        "random",
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"catan_env.guests.{guest}" in done.stderr
