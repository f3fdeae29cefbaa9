"""Which catanatron, which policy and which machine a game was played with."""

import hashlib
import os
import platform
from pathlib import Path
from typing import Any
from zlib import crc32

from benchmarks.strength.player import policy_of
from benchmarks.strength.rows import OURS, Row
from catan_env import Game, Rules
from catan_env.machine import processor_name
from catan_env.policy import Policy, decide, load_policy

DECISIONS = 60


def digest_of(package: Path) -> str:
    """SHA-256 of the Python files below a folder, with their names, in their order."""
    whole = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        content = file.read_bytes()
        whole.update(f"{file.relative_to(package).as_posix()} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def fingerprint(policy: Policy, seats: int) -> str:
    """A checksum of the policy's first decisions in a fixed game against `greedy`.

    Two versions of a policy with the same fingerprint decide the same, whatever their texts are.
    """
    rules = Rules.duel() if seats == 2 else Rules.base()
    game, greedy = Game(seats, 35, rules), load_policy("greedy", 1)
    answers: list[int] = []
    while not game.is_over and len(answers) < DECISIONS:
        view = game.view(game.seat)
        if view.viewer == 0:
            answers.append(decide(policy, view))
        game.play(answers[-1] if view.viewer == 0 else decide(greedy, view))
    return f"{crc32(repr(answers).encode()):08x}"


def fingerprints(row: Row) -> dict[str, str]:
    """The fingerprints of the row's player and, in our own engine, of its rivals, by their keys."""
    marks = {"fingerprint": fingerprint(policy_of(row, 0), row.seats)}
    if row.rules is not None:
        for name in sorted({*row.line_up} - {OURS}):
            marks[f"fingerprint of {name}"] = fingerprint(load_policy(name, 0), row.seats)
    return marks


def machine() -> dict[str, Any]:
    """The processor, its cores, and Python's version."""
    return {
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
