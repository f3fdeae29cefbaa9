"""Prints how games in lockstep go, a line for each batch, for another engine to compare.

`python -m tests.native.lockstep 4 1000` plays a thousand games of four seats in batches of 25, the
rule sets in turn, with observations and masks, until as many games have ended.
"""

import hashlib
import sys

from catan_env.batch import Batch
from catan_env.kernel.jit import MODE
from tests.native.ends import RULES

WIDTH = 25
"""Games of a batch."""
MAX_TURNS = 80
"""The length of most of these games; `tests.native.ends` plays longer ones to their ends."""


def digests(seats: int, games: int) -> list[str]:
    """For each batch its rules, its steps, and a hash of all that a learner reads."""
    names = [name for name, most in RULES.items() if seats <= most]
    return [played(seats, names[k % len(names)], k) for k in range(games // WIDTH)]


def played(seats: int, rules: str, seed: int) -> str:
    """Random legal actions until WIDTH games have ended."""
    batch = Batch(WIDTH, seats=seats, rules=rules, seed=seed, max_turns=MAX_TURNS)
    digest, ended, steps = hashlib.sha256(), 0, 0
    while ended < WIDTH:
        batch.step(batch.sample_legal())
        for shown in (batch.observations, batch.action_masks, batch.results, batch.done):
            digest.update(shown.tobytes())
        ended, steps = ended + int(batch.done.sum()), steps + 1
    digest.update(batch.states.tobytes())
    return f"{rules} {steps} {digest.hexdigest()}"


if __name__ == "__main__":
    print(MODE)
    print(*digests(*map(int, sys.argv[1:])), sep="\n")
