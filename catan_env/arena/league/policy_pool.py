"""The policies of a league's entrants, batched, and guarded against their failures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.adapters.contest import NO_ANSWER
from catan_env.adapters.policies import BatchedPolicy, ByView, RunPolicy, result_of
from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.meeting import MatchSettings
from catan_env.batch import Batch
from catan_env.failure import PolicyError
from catan_env.policy import load_batched

Array = np.ndarray[Any, Any]

MOST_SEED = 1 << 62
"""A league's seed may be longer than a policy's."""


class Guarded:
    """A policy that answers NO_ANSWER if it fails; `failures` has the reasons, by game."""

    def __init__(self, policy: BatchedPolicy) -> None:
        self.policy, self.reads_arrays = policy, policy.reads_arrays
        self.failures: dict[int, str] = {}
        self.is_shared = not isinstance(policy, ByView)
        """True if one call decides in all games, so that a failure affects all of them."""

    def choose(self, batch: Batch, rows: Array) -> Array:
        """The policy's actions, or NO_ANSWER."""
        actions = np.full(len(rows), NO_ANSWER)
        parts = [slice(None)] if self.is_shared else [slice(k, k + 1) for k in range(len(rows))]
        for part in parts:
            try:
                actions[part] = result_of(self.policy, self.policy.choose, batch, rows[part])
            except Exception as error:  # other entrants continue, whatever an entrant's code raises
                self.failures |= dict.fromkeys(rows[part].tolist(), _reason(error))
        return actions


class GuardedRuns(Guarded):
    """A guarded policy that is compiled and plays runs."""

    def __init__(self, policy: RunPolicy) -> None:
        super().__init__(policy)
        self.play_runs = policy.play_runs


class Broken:
    """Replaces a policy that could not be loaded."""

    reads_arrays, is_shared = False, False

    def __init__(self, reason: str) -> None:
        self._reason = reason
        self.failures: dict[int, str] = {}

    def choose(self, batch: Batch, rows: Array) -> Array:
        """NO_ANSWER."""
        self.failures |= dict.fromkeys(rows.tolist(), self._reason)
        return np.full(len(rows), NO_ANSWER)


def guarded(name: str, seed: int) -> Guarded | Broken:
    """The policy of that name; one that always fails if it cannot be loaded."""
    try:
        policy = load_batched(name, seed)
    except Exception as error:  # as above
        return Broken(_reason(error))
    return GuardedRuns(policy) if isinstance(policy, RunPolicy) else Guarded(policy)


def policy_pool(
    settings: MatchSettings, entrants: Sequence[Entrant], entrant_files: EntrantFiles
) -> tuple[list[Guarded | Broken], Array]:
    """The policies, and the number of the one that plays for each place of the line-up.

    Entrants share a policy if it is the same and decides in all games by one call.
    """
    pool: list[Guarded | Broken] = []
    known: dict[str, int] = {}
    numbers = []
    for place, entrant in enumerate(entrants):
        name = entrant_files.policy_of(entrant)
        number = known.get(name, len(pool))
        if number == len(pool):
            pool.append(guarded(name, settings.seed % MOST_SEED + place))
            if pool[number].is_shared:
                known[name] = number
        numbers.append(number)
    return pool, np.array(numbers, np.int64)


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, PolicyError) else f"{type(error).__name__}: {error}"
