"""Many games stepped natively in arrays: the basis of vector environments and studies."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.batch.start import game_seeds, template_of, turn_limit
from catan_env.core import batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.batch import RESULT
from catan_env.core.compiled import ensure_batch
from catan_env.core.constants import NOBODY, OVER
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.rules_shown import ADDED_SIZE, SIZES
from catan_env.core.state import GAME, doorway, new_states
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.observation import checked_version, observation_of
from catan_env.game.rules import Rules
from catan_env.game.start import checked_seed, rules_of
from catan_env.game.view import SeatView
from catan_env.kernel.arrays import (
    buffer,
    checked_numbers,
    checked_out,
    checked_seats,
    next_seeds,
)
from catan_env.kernel.block_batch import BlockBatch
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.memory import copy_of
from catan_env.kernel.numbers import flag, whole
from catan_env.kernel.threads import Pool

NO_ROWS = np.zeros((0, 1), np.int8)

Array = np.ndarray[Any, Any]


class Batch(BlockBatch):
    """N games in lockstep over arrays; `step` plays one action in each.

    `reset` and `step` write these arrays in place; the array objects stay the same:

    - `action_masks` (n, 848) int8 and `observations` (n, OBSERVATION_SIZE) int8, of the acting
      seat; None if not wanted. The packed `masks` (n, 16) int64 always exist. With
      `observation_version=2`, observations also hold the table's rules (docs/observation.md).
    - `seat` (n,) int8: the acting seat
    - `rewards` (n, 4) float32 by seat: +1 to the winner, -1/(seats - 1) to the others, if a
      game ended in this step; otherwise 0
    - `done` (n,) int8: GOES_ON 0, ENDED 1, CUT_OFF 2 (more than `max_turns` turns), REFUSED 3 (an
      illegal action; the game is unchanged)
    - `winner` (n,) int8 and `turns` (n,) int32 of the game that ended last, `turns` of one that
      was cut off being one more than `max_turns`

    A finished game restarts in the same call. With `autoreset=False` it stays as it is, and
    `reset_finished` right after the step restarts it; until then one that was cut off plays on.
    Game i uses the seed `seeds[i]`, and the next game in its place a seed mixed from it: the same
    seeds and actions give the same games with any number of threads. Copies and pickles have their
    own arrays and the same future.

    >>> games = Batch(8, seats=3, seed=1)
    >>> for _ in range(100):
    ...     games.step(games.sample_legal())
    >>> games.observations.shape, bool((games.done == 0).all())
    ((8, 913), True)
    """

    BLOCK = GAME
    BLOCKS = ("states", "_begins_as")
    DERIVED = frozenset(
        {"_template", "_games", "_results", "masks", "seat", "rewards", "winner", "turns"}
    )

    def __init__(
        self,
        num_games: int,
        *,
        seats: int = 4,
        rules: Rules | str | None = None,
        board: Board | str = "spiral",
        first_seat: int = 0,
        seed: int | ArrayLike | None = None,
        max_turns: int | None = None,
        observations: bool | Array = True,
        action_masks: bool | Array = True,
        autoreset: bool = True,
        threads: int = 1,
        observation_version: int = 1,
    ) -> None:
        num_games, threads = whole("num_games", num_games, 1), whole("threads", threads, 1)
        ensure_batch()
        self.num_games, self.seats, self.rules = num_games, seats, rules_of(rules)
        template = template_of(seats, self.rules, board, first_seat)
        self.max_turns = turn_limit(max_turns)
        self.autoreset = flag("autoreset", autoreset)
        self._pool = Pool(num_games, threads)
        self.states = new_states(num_games)
        self._begins_as = template
        self._picks = np.zeros(num_games, np.int64)
        self.actions = np.zeros(num_games, np.int64)
        self.done = np.zeros(num_games, np.int8)
        self.results = np.zeros(num_games, RESULT)
        self.observation_version = checked_version(observation_version)
        shape = (num_games, SIZES[self.observation_version])
        self.observations = buffer("observations", observations, shape)
        self._shown = self.observations
        if self.observation_version > 1 and self.observations is not None:
            self._shown = np.zeros((num_games, OBSERVATION_SIZE), np.int8)
        self.action_masks = buffer("action_masks", action_masks, (num_games, NUM_ACTIONS))
        self._open()
        self.reset(game_seeds(seed, num_games))

    def _open(self) -> None:
        """Name parts of the arrays, and convert them for the doors."""
        self._template, self._games = doorway(self._begins_as), doorway(self.states)
        self._results = self.results if MACHINE_CODE else self.results.view(np.recarray)
        self.masks, self.seat = self.states["mask"], self.states["seat"]
        self.rewards, self.winner = self.results["rewards"], self.results["winner"]
        self.turns = self.results["turns"]

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_shown" not in state:  # from an older pickle
            state = {**state, "observation_version": 1, "_shown": state["observations"]}
        super().__setstate__(state)

    @property
    def over(self) -> Array:
        """True if a game has ended or was cut off, without `autoreset`: (n,) bool."""
        over: Array = (self.states["phase"] == OVER) | (self.states["turn"] > self.max_turns)
        return over

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """Restart all games with one seed, mixed with each game's index, or with (n,) seeds.

        Without a seed, the next game begins in each place, as after the end of the one there.
        `seeds` contains the seeds that the games started with.
        """
        if seed is None:
            self.seeds = next_seeds(self.states["seed"])
        else:
            self.seeds = game_seeds(seed, self.num_games)
        self._seed = int(self.seeds[0] >> np.uint64(1))
        self._sampled = 0
        self._picks[:] = 0
        self.run(batch.reset_games, self._template, self.seeds, self.done, self._results)
        self.refresh()

    def begin(self, i: int, seed: int) -> None:
        """Restart game i with its own seed; the next `refresh` shows it."""
        i, seed = self._row(i), checked_seed(seed)
        self.seeds[i], self._picks[i] = seed, 0
        batch.reset_games(
            self._games, self._template, self.seeds, self.done, self._results, i, i + 1
        )

    def step(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one per game, and write all arrays.

        A contiguous, writeable int64 array is used as it is, any other is copied. ValueError unless
        they are n integers of 64 bits.
        """
        self._step(actions, self._shown, self.action_masks)
        self._add_rules()

    def play(self, actions: ArrayLike) -> None:
        """Like `step`, but leave `observations` and `action_masks` unchanged."""
        self._step(actions, None, None)

    def _step(self, actions: ArrayLike, observations: Array | None, masks: Array | None) -> None:
        self.run(
            batch.step_games,
            self._template,
            checked_numbers("actions", actions, self.num_games),
            self.max_turns,
            self.autoreset,
            self.done,
            self._results,
            NO_ROWS if observations is None else observations,
            NO_ROWS if masks is None else masks,
        )

    def play_others(self, seats: ArrayLike) -> None:
        """Play the other seats at random until seat `seats[i]`, (n,) integers, is to act in game i.

        Games that end meanwhile are added to `done`, `rewards` and the other results of the last
        `play`. The actions in game i depend on its seed alone. Without `autoreset`, `seats[i]` may
        be NOBODY, which plays game i to its end.
        """
        least = 0 if self.autoreset else NOBODY
        self.run(
            batch.play_others,
            self._template,
            checked_seats(seats, self.num_games, least, self.seats - 1),
            self._picks,
            self.max_turns,
            self.autoreset,
            self.done,
            self._results,
        )

    def pick_others(self, seats: ArrayLike) -> Array:
        """The next actions of `play_others`: (n,) int64 flat indices, STAY where none is left.

        `play` plays them; each call counts as a pick.
        """
        others = checked_seats(seats, self.num_games, NOBODY, self.seats - 1)
        actions: Array = np.empty(self.num_games, np.int64)
        self.run(batch.pick_others, others, self._picks, actions)
        return actions

    def reset_finished(self) -> None:
        """Restart the games that the last step ended, and write all arrays."""
        self.run(batch.reset_finished, self._template, self.done, self._results)
        self.refresh()

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the current positions."""
        if self._shown is not None:
            self.run(batch.observe_games, self._results, self._shown)
            self._add_rules()
        if self.action_masks is not None:
            self.run(batch.expand_masks, self.action_masks)

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """The observations of seats `seats`, (n,) integers: (n, 913) int8; version 2 has 933."""
        known = checked_seats(seats, self.num_games, 0, self.seats - 1)
        shape = (self.num_games, SIZES[self.observation_version])
        out = np.zeros(shape, np.int8) if out is None else checked_out("out", out, shape, np.int8)
        if self.observation_version == 1:
            self.run(batch.observe_seats, known, out)
            return out
        shown = np.zeros((self.num_games, OBSERVATION_SIZE), np.int8)
        self.run(batch.observe_seats, known, shown)
        self._widen(shown, out)
        return out

    def observation(self, i: int, seat: int) -> Array:
        """The observation of `seat` in game i: (913,) int8, a new array; version 2 has 933."""
        i, seat = self._row(i), self._seat(seat)
        return observation_of(self._games, i, seat, self.observation_version)

    def _add_rules(self) -> None:
        """Write the observations of version 2 from those of version 1."""
        if self._shown is not self.observations:
            assert self._shown is not None and self.observations is not None
            self._widen(self._shown, self.observations)

    def _widen(self, shown: Array, out: Array) -> None:
        """Write the rows of `shown` and what version 2 adds to each into `out`."""
        added = np.zeros((self.num_games, ADDED_SIZE), np.int8)
        self.run(batch.observe_tables, added)
        out[:, :OBSERVATION_SIZE], out[:, OBSERVATION_SIZE:] = shown, added

    def view(self, i: int, seat: int, board: Board | None = None) -> SeatView:
        """The view of `seat` in game i, for a policy's `act`; a given `board` saves reading it."""
        i = self._row(i)
        return SeatView(copy_of(self.states[i : i + 1]), self.rules, board, self._seat(seat))

    def sample_legal(self, out: Array | None = None) -> Array:
        """A uniformly random legal action per game: (n,) int64, in `out` or `self.actions`."""
        if out is None:
            out = self.actions
        else:
            checked_out("out", out, (self.num_games,), np.int64)
        self._sampled += 1
        self.run(batch.sample_legal, self._seed, self._sampled, out)
        return out

    def game(self, i: int) -> Game:
        """A copy of game i as a Game, without its history."""
        i = self._row(i)
        return Game._from_states(copy_of(self.states[i : i + 1]), self.rules, [])

    def run(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call `function(games, *arguments, start, stop)` for all games, in the batch's threads."""
        self._pool.run(function, self._games, *arguments)
