"""Two half batches: the policy decides in one while the other steps."""

import copy
import os
from concurrent.futures import Future
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from catan_env.batch.batch import Batch
from catan_env.batch.start import game_seeds
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.rules_shown import SIZES
from catan_env.game.observation import checked_version
from catan_env.kernel.arrays import buffer, checked_numbers
from catan_env.kernel.numbers import whole
from catan_env.kernel.threads import Workers

Array = np.ndarray[Any, Any]

PAIRS: "WeakSet[DoubleBatch]" = WeakSet()


class DoubleBatch:
    """Two half batches: a policy decides in one while the other steps in a thread.

    The options are those of a Batch of all games: the first half gets the first half of the seeds,
    and of the rows of `observations` and `action_masks` if these are given as arrays.

    Copies, pickles and forked children are taken between two steps.

    >>> pair = DoubleBatch(4, seats=2, seed=3)
    >>> for _ in range(6):
    ...     half = pair.ready()
    ...     pair.submit(half.sample_legal())
    """

    def __init__(
        self, num_games: int, *, seed: int | ArrayLike | None = None, **options: Any
    ) -> None:
        if whole("num_games", num_games, 2) % 2:
            raise ValueError(f"num_games is {num_games}; two halves need an even number")
        seeds = game_seeds(seed, num_games)
        shown = SIZES[checked_version(options.get("observation_version", 1))]
        buffers = {
            name: buffer(name, options.pop(name, True), (num_games, width))
            for name, width in (("observations", shown), ("action_masks", NUM_ACTIONS))
        }

        def half(rows: slice) -> Batch:
            arrays: dict[str, Any] = {
                name: buffer is not None and buffer[rows] for name, buffer in buffers.items()
            }
            return Batch(num_games // 2, seed=seeds[rows], **arrays, **options)

        self.halves = half(slice(None, num_games // 2)), half(slice(num_games // 2, None))
        self._turn = 0
        self._open()

    def _open(self) -> None:
        self._worker = Workers(1)
        self._steps: list[Future[None] | None] = [None, None]
        PAIRS.add(self)

    def __getstate__(self) -> dict[str, Any]:
        self._settle()
        return {"halves": self.halves, "_turn": self._turn}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open()

    def __copy__(self) -> "DoubleBatch":
        return copy.deepcopy(self)

    def _settle(self) -> None:
        """Wait until neither half is stepping."""
        for step in self._steps:
            if step is not None:
                step.result()

    def ready(self) -> Batch:
        """The half to act in next, as soon as its step is done."""
        step = self._steps[self._turn]
        if step is not None:
            step.result()
        return self.halves[self._turn]

    def submit(self, actions: ArrayLike) -> None:
        """Start stepping the half that `ready` returned; `actions` must not change until then."""
        half = self.halves[self._turn]
        checked = checked_numbers("actions", actions, half.num_games)
        self._steps[self._turn] = self._worker.submit(half.step, checked)
        self._turn = 1 - self._turn


def _settle_all() -> None:
    for pair in list(PAIRS):
        pair._settle()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_settle_all)
