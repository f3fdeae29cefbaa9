"""Batched policies of Catan by name, and wrappers for native, random and non-trading ones.

A player's name is that of a policy (`catan_env.policy`) or the weights file of a network, `.npz`;
"silent:NAME" never trades with other seats, which shows what trading is worth.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.adapters.masks import only
from catan_env.adapters.policies import result_of
from catan_env.batch import Batch
from catan_env.core.actions import ACCEPT_ACTION, OFFER_START, OFFER_WORD, SIMPLE_WORD
from catan_env.game.observation import NUM_ACTIONS
from catan_env.kernel.rng import GOLDEN, M1, M2, S27, S30, S31
from catan_env.policy import BatchedPolicy, load_batched

Array = np.ndarray[Any, Any]
SILENT = "silent:"
TRADES = np.r_[ACCEPT_ACTION, OFFER_START:NUM_ACTIONS]
"""Trades with other seats."""


class Native:
    """Functions over the states of a batch, such as those of `catan_env.policies.greedy`.

    One chooses in every game, the other is `RunPolicy.play_runs`.
    """

    reads_arrays = False

    def __init__(self, function: Callable[[Batch], Array], play_runs: Callable[..., None]) -> None:
        self.function, self.play_runs = function, play_runs
        self.function(Batch(1))  # compiles it before any time is measured

    def choose(self, batch: Batch, rows: Array) -> Array:
        """The function's actions; games with an empty mask cost no time."""
        with only(batch, rows):
            return self.function(batch)[rows]


class Drawn:
    """A uniformly random legal action, drawn from the game's seed and the number of the draw."""

    reads_arrays = True

    def __init__(self, seed: int = 0) -> None:
        self._place = np.uint64((seed << 32 ^ seed >> 32) % 2**64)
        self._count = np.zeros(0, np.uint64)

    def choose(self, batch: Batch, rows: Array) -> Array:
        """One draw per game."""
        if len(self._count) != batch.num_games:
            self._count = np.zeros(batch.num_games, np.uint64)
        self._count[rows] += np.uint64(1)
        assert batch.action_masks is not None
        masks = batch.action_masks[rows]
        words = first_words(batch.seeds[rows] + first_words(self._count[rows] + self._place))
        legal = masks.cumsum(axis=1, dtype=np.int16)
        wanted = (words % legal[:, -1].astype(np.uint64)).astype(np.int16) + 1
        result: Array = (legal >= wanted[:, None]).argmax(axis=1)
        return result


class Silent:
    """Plays like `player`, but makes no offers to other seats and accepts none."""

    def __init__(self, player: BatchedPolicy) -> None:
        self.player, self.reads_arrays = player, player.reads_arrays

    def choose(self, batch: Batch, rows: Array) -> Array:
        """The player's choice if nothing else were legal."""
        assert batch.action_masks is not None
        masks, packed = batch.action_masks[rows], batch.masks[rows]
        batch.action_masks[rows[:, None], TRADES] = 0
        batch.masks[rows, OFFER_WORD:] = 0
        batch.masks[rows, SIMPLE_WORD] &= ~(1 << ACCEPT_ACTION)
        try:
            return result_of(self.player, self.player.choose, batch, rows)
        finally:
            batch.action_masks[rows], batch.masks[rows] = masks, packed


def first_words(seeds: Array) -> Array:
    """The first random word of each seed, (k,) uint64: `word_at(seed, 1)`, with NumPy."""
    with np.errstate(over="ignore"):
        z = seeds + np.uint64(GOLDEN)
        z = (z ^ (z >> np.uint64(S30))) * np.uint64(M1)
        z = (z ^ (z >> np.uint64(S27))) * np.uint64(M2)
        result: Array = z ^ (z >> np.uint64(S31))
    return result


def player(name: str, seed: int = 0) -> BatchedPolicy:
    """The batched policy of that name; ValueError if there is none."""
    if name.startswith(SILENT):
        return Silent(player(name.removeprefix(SILENT), seed))
    return load_batched(name, seed)
