"""Each test is run by one kind of worker, with torch or without."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import torch_workers

ROOT = Path(__file__).resolve().parents[1]
WITHOUT, WITH, ALL = (
    SimpleNamespace(workerinput=given) for given in ({"torch": False}, {"torch": True}, {})
)


@pytest.mark.parametrize(
    ("file", "without", "with_torch"),
    [
        ("training/test_resume.py", False, True),
        ("training/conftest.py", False, True),
        ("envs/test_sb3.py", False, True),
        ("envs/test_copies.py", True, True),
        ("envs/test_aec.py", True, False),
    ],
)
def test_a_worker_imports_files_with_tests_of_its_share(
    file: str, without: bool, with_torch: bool
) -> None:
    path = ROOT / "tests" / file
    for worker, wanted in ((WITHOUT, without), (WITH, with_torch), (ALL, True)):
        is_ignored: Any = torch_workers.pytest_ignore_collect(path, worker)  # type: ignore[arg-type]
        assert bool(is_ignored) is not wanted


def passed(*arguments: str) -> int:
    """The number of tests that pass in three files, which are found in the whole suite."""
    files = ["-k", "test_copies or test_optimizers or test_version"]
    command = [sys.executable, "-m", "pytest", "--dist", "worksteal", *arguments, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return int(re.findall(r"(\d+) passed", done.stdout)[-1])


@pytest.mark.nightly
def test_the_workers_run_every_test_once() -> None:
    assert passed("-n", "3", "-p", "tests.torch_workers") == passed("-n", "0")
