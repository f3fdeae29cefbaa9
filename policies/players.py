"""Every policy in its batched form: it decides in many games at once, whatever it is made of.

A player is named like a policy (`catan_env.policy`), or by the weights file of a network, `.npz`;
"silent:NAME" is one that never trades with other seats, so that trading can be measured. A policy
that has a batched form of its own gives it by `batched()`; a network has `act_batch`. What a player
does in a game depends on that game alone, not on those beside it.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from catan_env.batch import Batch
from catan_env.core.actions import ACCEPT_ACTION, OFFER_START, OFFER_WORD, SIMPLE_WORD
from catan_env.game.observation import NUM_ACTIONS
from catan_env.policy import decide, load_policy

Array = np.ndarray[Any, Any]
SILENT = "silent:"
TRADES = np.r_[ACCEPT_ACTION, OFFER_START:NUM_ACTIONS]
"""Trades with other seats."""


class Player(Protocol):
    """Decides where it is asked."""

    reads_arrays: bool
    """Whether it reads the batch's observations and action masks."""

    def choose(self, batch: Batch, rows: Array) -> Array:
        """Actions for the games `rows`, (k,) int64, in all of which it is to decide: (k,)."""


class Networked:
    """Anything with `act_batch(observations, masks)`: one pass for all games."""

    reads_arrays = True

    def __init__(self, policy: Any) -> None:
        self.policy = policy

    def choose(self, batch: Batch, rows: Array) -> Array:
        """What the policy answers."""
        assert batch.observations is not None and batch.action_masks is not None
        actions: Array = self.policy.act_batch(batch.observations[rows], batch.action_masks[rows])
        return actions


class Native:
    """Functions over the states of a batch, such as those of `catan_env.policies.greedy`.

    One chooses in every game; `play_runs`, where there is one, plays on as long as it is to decide.
    """

    reads_arrays = False

    def __init__(
        self, function: Callable[[Batch], Array], play_runs: Callable[..., None] | None = None
    ) -> None:
        self.function, self.play_runs = function, play_runs
        self.function(Batch(1))  # compiles it before anybody's time is taken

    def choose(self, batch: Batch, rows: Array) -> Array:
        """The function's actions; games whose mask is empty cost it no time."""
        others = np.ones(batch.num_games, bool)
        others[rows] = False
        hidden = np.flatnonzero(others)
        kept = batch.masks[hidden]
        batch.masks[hidden] = 0
        actions: Array = self.function(batch)[rows]
        batch.masks[hidden] = kept
        return actions


class Drawn:
    """Any legal action, each as likely, drawn from the game's seed and the number of the draw."""

    reads_arrays = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._count = np.zeros(0, np.uint64)

    def choose(self, batch: Batch, rows: Array) -> Array:
        """One draw in each game."""
        if len(self._count) != batch.num_games:
            self._count = np.zeros(batch.num_games, np.uint64)
        self._count[rows] += np.uint64(1)
        assert batch.action_masks is not None
        masks = batch.action_masks[rows]
        words = mixed(batch.seeds[rows] + mixed(self._count[rows] + np.uint64(self.seed << 32)))
        legal = masks.cumsum(axis=1, dtype=np.int16)
        wanted = (words % legal[:, -1].astype(np.uint64)).astype(np.int16) + 1
        result: Array = (legal >= wanted[:, None]).argmax(axis=1)
        return result


class Single:
    """A policy that looks at one view at a time: one of its own for each game."""

    reads_arrays = False

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name, self.seed = name, seed
        load_policy(name)
        self._policies: dict[int, Any] = {}

    def choose(self, batch: Batch, rows: Array) -> Array:
        """What each answers to its view; what is illegal is refused."""
        return np.array([self._act(batch, int(i)) for i in rows], np.int64)

    def _act(self, batch: Batch, i: int) -> int:
        if i not in self._policies:
            self._policies[i] = load_policy(self.name, int(batch.seeds[i] >> 2) + self.seed)
        return decide(self._policies[i], batch.view(i, int(batch.seat[i])))


class Silent:
    """A player that makes no offers to other seats and accepts none; else as `player`."""

    def __init__(self, player: Player) -> None:
        self.player, self.reads_arrays = player, player.reads_arrays

    def choose(self, batch: Batch, rows: Array) -> Array:
        """What the player would do if nothing else were legal."""
        assert batch.action_masks is not None
        masks, packed = batch.action_masks[rows], batch.masks[rows]
        batch.action_masks[rows[:, None], TRADES] = 0
        batch.masks[rows, OFFER_WORD:] = 0
        batch.masks[rows, SIMPLE_WORD] &= ~(1 << ACCEPT_ACTION)
        actions = self.player.choose(batch, rows)
        batch.action_masks[rows], batch.masks[rows] = masks, packed
        return actions


def mixed(words: Array) -> Array:
    """Words that look like chance, of (k,) uint64: the finishing step of splitmix64."""
    with np.errstate(over="ignore"):
        z = words + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        result: Array = z ^ (z >> np.uint64(31))
    return result


def player(name: str, seed: int = 0) -> Player:
    """The player of that name; ValueError where there is none."""
    if name.startswith(SILENT):
        return Silent(player(name.removeprefix(SILENT), seed))
    policy: Any = load_policy(name, seed)
    if hasattr(policy, "batched"):
        batched: Player = policy.batched()
        return batched
    return Networked(policy) if hasattr(policy, "act_batch") else Single(name, seed)
