"""Nightly tests run on request or by name, and every other test always."""

import re
import subprocess
import sys
from pathlib import Path

from tests.notation.random_games import OFTEN, TABLES

ROOT = Path(__file__).resolve().parents[1]
FILE = "tests/notation/test_schema.py"
TEST = f"{FILE}::test_written_records_follow_the_schema"


COLLECT = """
import sys, pytest
for line in sys.argv[1:]:
    assert pytest.main(["-q", "-n", "0", "--collect-only", *line.split()]) == 0
"""


def collected(*lines: str) -> list[int]:
    """By line of arguments: the number of tests that pytest would run."""
    command = [sys.executable, "-c", COLLECT, *lines]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [int(n) for n in re.findall(r"^tests/\S+: (\d+)$", done.stdout, re.MULTILINE)]


def test_nightly_tests_run_only_on_request_or_by_name() -> None:
    every, often, named = collected(f"--nightly {FILE}", FILE, TEST)
    assert every - often == len(TABLES) - len(OFTEN) > 0
    assert named == len(TABLES)
