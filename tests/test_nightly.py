"""Nightly tests run on request or by name, and every other test always."""

import re
import subprocess
import sys
from pathlib import Path

from tests.notation.random_games import OFTEN, TABLES

ROOT = Path(__file__).resolve().parents[1]
FILE = "tests/notation/test_schema.py"
TEST = f"{FILE}::test_written_records_follow_the_schema"


def collected(*arguments: str) -> int:
    """The number of tests that pytest would run."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--collect-only", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sum(int(n) for n in re.findall(r"^tests/\S+: (\d+)$", done.stdout, re.MULTILINE))


def test_nightly_tests_run_only_on_request_or_by_name() -> None:
    every, often = collected("--nightly", FILE), collected(FILE)
    assert every - often == len(TABLES) - len(OFTEN) > 0
    assert collected(TEST) == len(TABLES)
