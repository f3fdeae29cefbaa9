"""Our player in a row: its policy, and the time that it takes."""

import time
from dataclasses import dataclass
from typing import Any

from benchmarks.strength.rows import Row
from catan_env.policy import Policy, load_policy


@dataclass
class Stopwatch:
    """A policy whose time is taken, by the clock and by the processor."""

    policy: Policy
    seconds: float = 0.0
    processor_seconds: float = 0.0
    decisions: int = 0

    def act(self, view: Any) -> int:
        """The policy's answer."""
        began, began_processor = time.perf_counter(), time.process_time()
        answer: int = self.policy.act(view)
        self.seconds += time.perf_counter() - began
        self.processor_seconds += time.process_time() - began_processor
        self.decisions += 1
        return answer


def policy_of(row: Row, seed: int) -> Policy:
    """A new policy of the row; its number of playouts makes it a function of views and seed."""
    policy: Any = load_policy(row.policy, seed)
    if row.playouts is not None:
        policy.playouts = row.playouts
    return policy
