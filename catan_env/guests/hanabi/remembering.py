"""A batch whose observations have a memory, and `best` as a teacher in its games."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.guests.hanabi.batch import ENDED, REFUSED, STAY, Batch
from catan_env.guests.hanabi.blueprint import doors
from catan_env.guests.hanabi.blueprint import warm as blueprint
from catan_env.guests.hanabi.blueprint.memory import PICTURE
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.native.memory import GAME, PLACES
from catan_env.guests.hanabi.remembered import input_size, memory_bits
from catan_env.kernel.arrays import checked_numbers, checked_out, seeds_of
from catan_env.kernel.memory import doorway, new_blocks

Array = np.ndarray[Any, Any]


class RememberingBatch(Batch):
    """A `Batch` whose observations have the memory of `remembered`.

    `observation_size` does not count the memory.

    >>> games = RememberingBatch(2, players=2, seed=1)
    >>> games.observations.shape
    (2, 993)
    """

    def _width(self) -> int:
        return input_size(self.rules, self.players)

    def _open(self) -> None:
        super()._open()
        blueprint.ready()
        if not hasattr(self, "pictures"):
            self.pictures = new_blocks(self.num_games, PICTURE)
            self._facts = np.zeros((self.num_games, self.observation_size), np.int8)

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """See `Batch`."""
        seeds = None if seed is None else seeds_of(seed, self.num_games)
        self._forget(slice(None))
        super().reset(seeds)

    def begin(self, i: int, seed: int) -> None:
        """See `Batch`."""
        super().begin(i, seed)
        self._forget(slice(i, i + 1))

    def deal(self, decks: list[list[Card]]) -> None:
        """See `Batch`."""
        super().deal(decks)
        self._forget(slice(None))
        self.refresh()

    def reset_finished(self) -> None:
        """See `Batch`."""
        self._forget(self.done == ENDED)
        super().reset_finished()

    def play_others(self, seats: ArrayLike) -> None:
        """Not supported: the memory follows only the actions passed to `step` and `play`."""
        raise TypeError("a RememberingBatch plays only the actions passed to `step` and `play`")

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the current positions."""
        if self.observations is not None:
            self.observe(self.seat, self.observations)
        if self.action_masks is not None:
            self.action_masks[:] = self.masks[:, None] >> np.arange(self.num_actions) & 1

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """The observations of seats `seats[i]` with their memory: (n, input_size) int8."""
        known, shape = self._seats(seats), (self.num_games, self._width())
        out = np.zeros(shape, np.int8) if out is None else checked_out("out", out, shape, np.int8)
        super().observe(known, self._facts)
        self._remember(known, out)
        return out

    def observation(self, i: int, seat: int) -> Array:
        """The observation of `seat` in game i with its memory: (input_size,) int8."""
        facts = super().observation(i, seat)
        memory = memory_bits(self.pictures[i : i + 1], np.array([seat]), self.rules, self.players)
        return np.concatenate([facts, memory[0]])

    def _step(self, actions: ArrayLike, shown: Array | None, masks: Array | None) -> None:
        given, before = checked_numbers("actions", actions, self.num_games), self.states.copy()
        super()._step(given, None if shown is None else self._facts, masks)
        rows = np.flatnonzero((self.done != REFUSED) & (given != STAY))
        self._follow(before[rows], rows, given[rows])
        if self.autoreset:
            self._forget(self.done == ENDED)
        if shown is not None:
            self._remember(self.seat, shown)

    def _follow(self, before: Array, rows: Array, actions: Array) -> None:
        """Apply actions to the pictures of the games `rows`."""
        games, pictures = new_blocks(len(rows), GAME), new_blocks(len(rows), PICTURE)
        games[:], pictures[:] = before, self.pictures[rows]
        doors.play_actions(doorway(games), doorway(pictures), self._sheet, actions, 0, len(rows))
        pictures["possible"] *= np.arange(PLACES + 1) < self.states["count"][rows][:, :, None]
        self.pictures[rows] = pictures

    def _forget(self, rows: Any) -> None:
        """Clear the pictures of games that begin."""
        count = len(self.pictures[rows])
        fresh = new_blocks(count, PICTURE)
        doors.clear_pictures(doorway(fresh), self._sheet, 0, count)
        self.pictures[rows] = fresh

    def _remember(self, seats: Array, shown: Array) -> None:
        """Write the facts, which are those of seats `seats[i]`, and their memory."""
        size = self.observation_size
        shown[:, :size] = self._facts
        shown[:, size:] = memory_bits(self.pictures, seats, self.rules, self.players)

    def advice(self) -> Array:
        """The action of `best` in every game, (n,) int64; STAY where the mask is empty."""
        actions = np.full(self.num_games, STAY, np.int64)
        doors.choose(self._games, doorway(self.pictures), self._sheet, actions, 0, self.num_games)
        actions[self.masks == 0] = STAY
        return actions


def best(batch: RememberingBatch, k: int) -> tuple[Array, Array]:
    """The actions of the policy `best`, as a teacher for `training.self_play`.

    Actions and their worth, (n, k) each: one action of worth 0 if a game's mask is not empty,
    STAY elsewhere.
    """
    actions = np.full((batch.num_games, k), STAY)
    actions[:, 0] = batch.advice()
    return actions, np.zeros(actions.shape)
