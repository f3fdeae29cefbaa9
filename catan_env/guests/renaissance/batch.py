"""Many games stepped together, natively, in arrays."""

import secrets
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.policies import BatchedPolicy, batched_choice, decide
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.native import batch
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.batch import BEGIN
from catan_env.guests.renaissance.native.cards import DECKS
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import GAME, NOBODY, SEATS, fill_box, new_states
from catan_env.guests.renaissance.policies import as_policy
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.arrays import (
    buffer,
    checked_numbers,
    checked_out,
    checked_seats,
    next_seeds,
    seeds_of,
)
from catan_env.kernel.block_batch import BlockBatch
from catan_env.kernel.lockstep import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY
from catan_env.kernel.memory import copy_of, doorway
from catan_env.kernel.numbers import flag, whole, whole_seed
from catan_env.kernel.threads import Pool

MAX_ROUNDS = 200
NO_ROWS = np.zeros((0, OBSERVATION_SIZE), np.uint8)
NO_MASKS = np.zeros((0, NUM_ACTIONS), np.int8)


class Batch(BlockBatch):
    """N games in lockstep over arrays; `step` plays one action in each.

    The arrays are written in place by `reset` and `step` and stay the same objects:

    - `observations` (n, 886) uint8 and `action_masks` (n, 96) int8, of the seat to decide; None
      when not wanted, the `masks` of the games are always present
    - `seat` (n,) int8: the seat to decide
    - `rewards` (n, 4) float32 by seat: 1 to the winner, -1/(seats - 1) to the others if a game
      ended in this step, 1 or -1 in the solo game; else 0
    - `done` (n,) int8: GOES_ON 0, ENDED 1, CUT_OFF 2 (more than `max_rounds`), REFUSED 3
    - `winner` (n,) int8 and `rounds` (n,) int32 of the last game that ended

    A game that has ended restarts in the same call, with a seed mixed from its last; without
    `autoreset` it stays as it is until `begin`, or `reset_finished` right after the step. One that
    was cut off plays on until then. Without a `seed` a random one is used.

    >>> games = Batch(8, seats=3, seed=1)
    >>> for _ in range(100):
    ...     games.step(games.sample_legal())
    >>> games.observations.shape, bool((games.done < 3).all())
    ((8, 886), True)
    """

    BLOCK = GAME
    BLOCKS = ("states", "_begins_as")
    DERIVED = frozenset({"_template", "_games", "masks", "seat"})

    def __init__(
        self,
        num_games: int,
        *,
        seats: int = 2,
        cards: str = "printed",
        seed: int | ArrayLike | None = None,
        max_rounds: int = MAX_ROUNDS,
        observations: bool | Array = True,
        action_masks: bool | Array = True,
        threads: int = 1,
        autoreset: bool = True,
    ) -> None:
        num_games, threads = whole("num_games", num_games, 1), whole("threads", threads, 1)
        seats = whole("seats", seats, 1, SEATS)
        if cards not in DECKS:
            raise ValueError(f"cards are {cards!r}; allowed are {', '.join(DECKS)}")
        ensure_ready()
        self.num_games, self.seats, self.cards = num_games, seats, cards
        self.max_rounds = whole("max_rounds", max_rounds, 0)
        self.autoreset = flag("autoreset", autoreset)
        self.num_actions, self.observation_size = NUM_ACTIONS, OBSERVATION_SIZE
        template = new_states(1)
        fill_box(template, cards)
        template["seats"] = seats
        self.states, self._begins_as = new_states(num_games), template
        self._pool = Pool(num_games, threads)
        shape = (num_games, self._width())
        self.observations = buffer("observations", observations, shape, np.uint8)
        self.action_masks = buffer("action_masks", action_masks, (num_games, NUM_ACTIONS))
        self.done, self.winner = np.zeros(num_games, np.int8), np.zeros(num_games, np.int8)
        self.rewards = np.zeros((num_games, SEATS), np.float32)
        self.rounds = np.zeros(num_games, np.int32)
        self.actions = np.zeros(num_games, np.int64)
        self._begins = np.full(num_games, BEGIN)
        self._open()
        self.reset(secrets.randbits(63) if seed is None else seed)

    def _width(self) -> int:
        """The numbers of a row of `observations`."""
        return OBSERVATION_SIZE

    def _open(self) -> None:
        """Name the fields of the arrays, and bind the native functions to them."""
        self._template, self._games = doorway(self._begins_as), doorway(self.states)
        self.masks, self.seat = self.states["mask"], self.states["seat"]

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """Restart all games: one seed for all, mixed with each game's number, or (n,) seeds.

        Without a seed, the next game begins in each place, as after the end of the one there.
        """
        if seed is None:
            self.seeds = next_seeds(self.states["seed"])
        else:
            self.seeds = seeds_of(seed, self.num_games)
        self._sampled = 0
        self.done[:] = CUT_OFF  # so that rewards are cleared
        self._step(self._begins, self.observations, self.action_masks)

    def begin(self, i: int, seed: int) -> None:
        """Restart game i with a separate seed; the next `refresh` shows it."""
        i = self._row(i)
        self.seeds[i] = whole_seed(seed)
        arguments = self._arguments(self._begins, None, None)
        batch.step_games(self._games, *arguments, i, i + 1)

    def step(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one per game, and write all arrays."""
        self._step(self._checked(actions), self.observations, self.action_masks)

    def play(self, actions: ArrayLike) -> None:
        """Like `step`, but leave `observations` and `action_masks` unchanged."""
        self._step(self._checked(actions), None, None)

    def reset_finished(self) -> None:
        """Restart the games that the last step ended, and write all arrays but their results."""
        over = (self.done == ENDED) | (self.done == CUT_OFF)
        actions, seeds = np.where(over, BEGIN, STAY), self.states["seed"].copy()
        seeds[over] = next_seeds(seeds[over])
        results = self.done.copy(), self.rewards.copy(), self.winner, self.rounds
        limit = self.max_rounds, self.autoreset
        arguments = self._template, actions, seeds, *limit, *results, NO_ROWS, NO_MASKS
        self._pool.run(batch.step_games, self._games, *arguments)
        self.refresh()

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the current positions."""
        if self.observations is not None:
            seats = np.maximum(self.seat, 0)
            self._pool.run(batch.observe_seats, self._games, seats, self.observations)
        if self.action_masks is not None:
            self.action_masks[:] = self.masks

    def _checked(self, actions: ArrayLike) -> Array:
        given = checked_numbers("actions", actions, self.num_games)
        if given.min() < STAY:
            raise ValueError(f"action {given.min()}; allowed are {STAY}..{NUM_ACTIONS - 1}")
        return given

    def sample_legal(self, out: Array | None = None) -> Array:
        """A legal action per game, uniform: (n,) int64, in `self.actions` or `out`."""
        if out is None:
            out = self.actions
        else:
            checked_out("out", out, (self.num_games,), np.int64)
        self._sampled += 1
        seed = int(self.seeds[0] >> np.uint64(1))
        self._pool.run(batch.sample_legal, self._games, seed, self._sampled, out)
        return out

    def pick_others(self, seats: ArrayLike, picks: ArrayLike) -> Array:
        """A random action where a seat other than `seats[i]` decides, else STAY: (n,) int64.

        It depends on the game's seed and on `picks[i]`, the number of actions played in the game.
        """
        known = checked_seats(seats, self.num_games, NOBODY, self.seats - 1)
        counts = checked_numbers("picks", picks, self.num_games)
        actions: Array = np.empty(self.num_games, np.int64)
        self._pool.run(batch.pick_others, self._games, known, counts, actions)
        return actions

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """The observations of seats `seats[i]`, (n,): (n, observation_size) uint8."""
        known = checked_seats(seats, self.num_games, 0, self.seats - 1)
        shape = (self.num_games, self._width())
        out = np.zeros(shape, np.uint8) if out is None else checked_out("out", out, shape, np.uint8)
        self._pool.run(batch.observe_seats, self._games, known, out)
        return out

    def observation(self, i: int, seat: int) -> Array:
        """The observation of `seat` in game i: (observation_size,) uint8, a fresh array."""
        i, seat = self._row(i), self._seat(seat)
        out = np.zeros((1, OBSERVATION_SIZE), np.uint8)
        game = doorway(self.states[i : i + 1])
        batch.observe_seats(game, np.array([seat], np.int8), out, 0, 1)
        return out[0]

    def view(self, i: int, seat: int) -> SeatView:
        """The view of `seat` in game i, for a policy's `act`."""
        i = self._row(i)
        return SeatView.of(copy_of(self.states[i : i + 1]), self._seat(seat))

    def player(self, choice: Any, seed: int = 0) -> BatchedPolicy:
        """A policy of this game by its name, class or object, in the games of this batch."""
        return batched_choice(choice, seed, as_policy, partial(decide, error=IllegalActionError))

    def _step(self, actions: Array, shown: Array | None, masks: Array | None) -> None:
        arguments = self._arguments(actions, shown, masks)
        self._pool.run(batch.step_games, self._games, *arguments)

    def _arguments(
        self, actions: Array, shown: Array | None, masks: Array | None
    ) -> tuple[Any, ...]:
        """The arguments of `native.batch.step_games` between the games and their range."""
        ended = self.done, self.rewards, self.winner, self.rounds
        limit = self.max_rounds, self.autoreset
        rows = NO_ROWS if shown is None else shown, NO_MASKS if masks is None else masks
        return self._template, actions, self.seeds, *limit, *ended, *rows


__all__ = ["CUT_OFF", "ENDED", "GOES_ON", "MAX_ROUNDS", "REFUSED", "STAY", "Batch"]
