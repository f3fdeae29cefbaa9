"""Prints how whole random games end, one per line, for a process with another engine to compare.

`python -m tests.native.ends 4 1000` plays a thousand games of four seats, the rule sets in turn.
"""

import hashlib
import sys

import numpy as np

from catan_env.batch.start import template_of
from catan_env.core import batch
from catan_env.core.state import doorway, new_states
from catan_env.game.rules import Rules
from catan_env.kernel.jit import MODE

RULES = (
    "base", "tournament", "german_0.1", "german_0.2", "jsettlers", "colonist",
    "duel", "colonist_1v1",
)  # fmt: skip
FOR_TWO = 2
"""The number of rule sets that only two seats play, the last ones."""
MAX_TURNS = 400


def ends(seats: int, games: int) -> list[str]:
    """For each game its rules, its decisions, and a hash of its memory at the end."""
    names = RULES if seats == 2 else RULES[:-FOR_TWO]
    templates = [template_of(seats, Rules.named(name), "spiral", 0) for name in names]
    game, winners, counts = new_states(1), np.zeros(games, np.int8), np.zeros((2, games), np.int32)
    lines = []
    for k in range(games):
        template = templates[k % len(names)]
        template["seed"] = seats
        batch.play_out(
            doorway(game), doorway(template), MAX_TURNS, winners, *counts, k, k + 1
        )  # fmt: skip
        digest = hashlib.sha256(game.tobytes()).hexdigest()
        lines.append(f"{names[k % len(names)]} {counts[1, k]} {winners[k]} {digest}")
    return lines


if __name__ == "__main__":
    print(MODE)
    print(*ends(*map(int, sys.argv[1:])), sep="\n")
