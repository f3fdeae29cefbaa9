"""Policies that decide in a league's games side by side."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from catan_env.arena.league.entrant import Entrant, Workshop
from catan_env.arena.league.history import History
from catan_env.arena.league.meeting import Table
from catan_env.batch import Batch
from catan_env.core.batch import STAY
from catan_env.policy import decide, load_policy

Array = np.ndarray[Any, Any]

MOST_SEED = 1 << 62
"""A league's seed may be longer than what a policy takes."""


class Hand:
    """A policy that decides for one entrant or, where it decides in many games at once, for all
    whose policy is the same."""

    def __init__(self, policy: str, seed: int) -> None:
        self.failure = ""
        self._name, self._seed = policy, seed
        self._policy: Any = None
        self._player: Any = None
        self._by_game: dict[int, Any] = {}
        try:
            self._policy = load_policy(policy, seed)
            if hasattr(self._policy, "batched"):
                self._player = self._policy.batched()
        except Exception as error:  # whatever a stranger's code raises, the others play on
            self.failure = f"{type(error).__name__}: {error}"

    @property
    def is_shared(self) -> bool:
        """Whether one call decides in many games; else each game has a policy of its own."""
        return self._player is not None or hasattr(self._policy, "act_batch")

    @property
    def reads_arrays(self) -> bool:
        """Whether it reads the batch's observations and action masks."""
        return self.is_shared and getattr(self._player, "reads_arrays", True)

    @property
    def plays_runs(self) -> bool:
        """Whether it plays on by itself as long as it is to decide."""
        return getattr(self._player, "play_runs", None) is not None

    def play_runs(self, batch: Batch, mine: Array, history: History) -> None:
        """Play on in each game while a seat decides that `mine`, (n, seats) bool, says."""
        self._player.play_runs(batch, mine, history.words, history.played, history.asked)

    def choose(self, batch: Batch, rows: Array) -> tuple[Array, dict[int, str]]:
        """Actions for the games `rows`, and why there is none, by game."""
        if self.failure:
            return np.full(len(rows), STAY), dict.fromkeys(map(int, rows), self.failure)
        if self.is_shared:
            return self._choose(self._for_all, batch, rows)
        actions, failures = np.full(len(rows), STAY), {}
        for k in range(len(rows)):
            one = rows[k : k + 1]
            actions[k : k + 1], failed = self._choose(self._for_one, batch, one)
            failures.update(failed)
        return actions, failures

    def _choose(
        self, ask: Callable[[Batch, Array], Any], batch: Batch, rows: Array
    ) -> tuple[Array, dict[int, str]]:
        try:
            return ask(batch, rows), {}
        except Exception as error:  # as above
            reason = f"{type(error).__name__}: {error}"
            return np.full(len(rows), STAY), dict.fromkeys(map(int, rows), reason)

    def _for_all(self, batch: Batch, rows: Array) -> Any:
        if self._player is not None:
            return self._player.choose(batch, rows)
        assert batch.observations is not None and batch.action_masks is not None
        return self._policy.act_batch(batch.observations[rows], batch.action_masks[rows])

    def _for_one(self, batch: Batch, rows: Array) -> int:
        game = int(rows[0])
        if game not in self._by_game:
            seed = int(batch.seeds[game] >> np.uint64(2)) + self._seed
            self._by_game[game] = load_policy(self._name, seed)
        return decide(self._by_game[game], batch.view(game, int(batch.seat[game])))


def hands_of(
    table: Table, entrants: Sequence[Entrant], workshop: Workshop
) -> tuple[list[Hand], Array]:
    """The policies, and which of them plays for each place of the line-up.

    Entrants whose policy is the same and keeps nothing of a game share one.
    """
    hands: list[Hand] = []
    known: dict[str, int] = {}
    number = []
    for place, entrant in enumerate(entrants):
        policy = workshop.policy_of(entrant)
        if policy not in known:
            hands.append(Hand(policy, table.seed % MOST_SEED + place))
            known[policy] = len(hands) - 1
        k = known[policy]
        if not hands[k].is_shared:
            del known[policy]
        number.append(k)
    return hands, np.array(number, np.int64)
