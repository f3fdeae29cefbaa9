"""The batch that `catan_env.training.self_play` plays: any game, every seat learning."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.checks import checked_actions, checked_count, checked_seed
from catan_env.adapters.games import GOES_ON, REFUSED, Array
from catan_env.adapters.options import Options, checked_options
from catan_env.adapters.policies import BatchedPolicy, batched_choice


class LearningBatch:
    """N games in lockstep that restart in the step that ends them.

    - `observations` (n, size) and `action_masks` (n, actions) int8, of the acting seats
    - `seat` (n,) int8; `rewards` (n, seats) float32 of the last step, by seat; `done` (n,) int8 of
      `games.GOES_ON` and the other three
    - `seeds` (n,) uint64, of the current games
    """

    def __init__(self, options: Options, num_games: int, seed: int = 0, threads: int = 1) -> None:
        self.options, self.seats = checked_options(options), options.num_seats
        self.num_games = num_games = checked_count("num_games", num_games)
        self.games = options.new_games(num_games, threads)
        self._open()
        if self.observations.ndim != 2:
            raise ValueError(
                f"an observation has the shape {self.observations.shape[1:]}; training takes flat "
                "ones, (size,): flatten it in observe and vector_space, reshape it in a network"
            )
        self.num_actions = self.action_masks.shape[1]
        self.observation_size = self.observations.shape[1]
        self.done = np.zeros(num_games, np.int8)
        self.seeds = np.zeros(num_games, np.uint64)
        self._chance = np.random.default_rng(checked_seed(seed))
        self._paid = np.zeros_like(options.totals_in(self.games, self.done))
        self.rewards = np.zeros(self._paid.shape, np.float32)
        self._begin(np.arange(num_games))

    def _open(self) -> None:
        """Refer to the arrays of the games again, of which a pickle contains copies."""
        observations, action_masks = self.games.observations, self.games.action_masks
        assert observations is not None and action_masks is not None
        self.observations, self.action_masks = observations, action_masks
        self.seat = self.games.seat

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open()

    def step(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game, and write all arrays."""
        self.games.play(checked_actions(actions, self.num_games, self.num_actions))
        self.done[:] = self.games.done
        over = (self.done != GOES_ON) & (self.done != REFUSED)
        self._pay(self.done != REFUSED if self.options.is_paid_on_the_way else over)
        self._begin(np.flatnonzero(over))

    def sample_legal(self) -> Array:
        """A uniformly drawn legal action for each game: (n,) int64."""
        drawn = self._chance.random(self.action_masks.shape)
        actions: Array = np.where(self.action_masks != 0, drawn, -1.0).argmax(axis=1)
        return actions

    def view(self, i: int, seat: int) -> Any:
        """A copy of a seat's view in game i, as a policy's `act` takes it."""
        return self.games.view(i, seat)

    def player(self, choice: Any, seed: int = 0) -> BatchedPolicy:
        """A policy of this game, as `Options.as_policy` finds it, in the games of this batch."""
        return batched_choice(choice, seed, self.options.as_policy, self.options.decide)

    def _pay(self, is_paid: Array) -> None:
        """Write the rewards of the games that are paid in this step, (n,) bool; 0 in the others."""
        self.rewards[:] = 0.0
        if is_paid.any():
            totals = self.options.totals_in(self.games, self.done)
            np.copyto(self.rewards, totals - self._paid, where=is_paid[:, None])
            np.copyto(self._paid, totals, where=is_paid[:, None])

    def _begin(self, rows: Array) -> None:
        for i in rows.tolist():
            self.seeds[i] = seed = int(self._chance.integers(1 << 63))
            self.games.begin(i, seed)
        self._paid[rows] = 0.0
        self.games.refresh()
