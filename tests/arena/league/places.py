"""Leagues for tests of standings and pages, and an agent's command line."""

import sys
from pathlib import Path

from catan_env.cli import main

ROOT = Path(__file__).resolve().parents[3]
HOSTILE = f"{sys.executable} -I -S {ROOT / 'tests' / 'arena' / 'hostile.py'}"
DUEL = ("--seats", "2", "--rules", "duel", "--seed", "5", "--max-turns", "60")


def league(
    folder: Path, *entrants: str, table: tuple[str, ...] = DUEL, at: str | None = None
) -> str:
    """A league of policies, in a folder or `at` a URL; "name=policy" gives one another name."""
    place = at or str(folder / "league")
    assert main(["league", "init", place, *table]) == 0
    for entrant in entrants:
        name, _, policy = entrant.rpartition("=")
        assert main(["league", "add", place, policy, "--name", name or policy]) == 0
    return place
