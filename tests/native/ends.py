"""Prints how whole random games end, one per line, for a process with another engine to compare.

`python -m tests.native.ends 4 1000` plays a thousand games of four seats, the rule sets in turn.
"""

import hashlib
import sys
from typing import Any

import numpy as np

from catan_env.batch.start import template_of
from catan_env.core import batch
from catan_env.core.state import doorway, new_states
from catan_env.game.rules import Rules
from catan_env.kernel.jit import MODE

RULES = {
    "base": 4, "tournament": 4, "german_0.1": 4, "german_0.2": 4, "jsettlers": 4, "colonist": 4,
    "small": 3, "duel": 2, "colonist_1v1": 2,
}  # fmt: skip
"""The rule sets, each with the number of seats that it has at most."""
MAX_TURNS = 400


def boxes(seats: int) -> dict[str, Any]:
    """A game before its start by each of the rule sets for that many seats."""
    names = [name for name, most in RULES.items() if seats <= most]
    found = {name: template_of(seats, Rules.named(name), "spiral", 0) for name in names}
    for box in found.values():
        box["seed"] = seats
    return found


def ends(seats: int, games: int) -> list[str]:
    """For each game its rules, its decisions, and a hash of its memory at the end."""
    filled = list(boxes(seats).items())
    game, winners, counts = new_states(1), np.zeros(games, np.int8), np.zeros((2, games), np.int32)
    lines = []
    for k in range(games):
        name, template = filled[k % len(filled)]
        batch.play_out(
            doorway(game), doorway(template), MAX_TURNS, winners, *counts, k, k + 1
        )  # fmt: skip
        digest = hashlib.sha256(game.tobytes()).hexdigest()
        lines.append(f"{name} {counts[1, k]} {winners[k]} {digest}")
    return lines


if __name__ == "__main__":
    print(MODE)
    print(*ends(*map(int, sys.argv[1:])), sep="\n")
