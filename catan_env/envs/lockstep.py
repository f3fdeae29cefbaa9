"""Many episodes side by side: in each one seat learns, and policies play the others.

What the vector environments of Gymnasium and of Stable-Baselines3 share. Episode i draws from a
generator of its own in the order in which `catan_env.envs.single` does: the same seeds give the
same games. Opponents that are "random" play natively, from the game's own seed.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from catan_env.batch import CUT_OFF, GOES_ON, REFUSED, STAY, WON, Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import OVER, VICTORY_POINT
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.envs.checks import checked_actions, legal_actions, refusal_of
from catan_env.envs.opponents import Opponents
from catan_env.envs.options import Options
from catan_env.envs.single import ILLEGAL_REWARD, _checked_seat
from catan_env.errors import IllegalActionError

Array = np.ndarray[Any, Any]


class Lockstep:
    """N episodes of one learning seat each, stepped together.

    The arrays are written in place and stay the same objects:

    - `observations` (n, OBSERVATION_SIZE) int8 and `action_masks` (n, 848) int8 of the seat that
      learns, as `show` wrote them; the mask of an episode that has ended is zero
    - `seat` (n,) int8: the seat that learns
    - `rewards` (n,) float64, `terminated` and `truncated` (n,) bool, of the last step
    - `reasons` and `ignored`: by number of the episode, why it ended in the last step, and why its
      action was ignored
    """

    def __init__(
        self, n: int, options: Options, seat: int | str, opponents: Any, threads: int = 1
    ) -> None:
        self.n, self.options = n, options
        self.observations = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self.action_masks = np.zeros((n, NUM_ACTIONS), np.int8)
        self.batch = batch_of(options, self.observations, self.action_masks, threads, False)
        self.rewards = np.zeros(n)
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.reasons: dict[int, str] = {}
        self.ignored: dict[int, str] = {}
        self._seat_choice = _checked_seat(seat, options.seats)
        self.seat = np.zeros(n, np.int8)
        self._opponents = Opponents(opponents, options.seats, n)
        self._generators: list[np.random.Generator | None] = [None] * n
        self._potentials = np.zeros(n)
        self._done = np.zeros(n, np.int8)

    def begin(self, rows: Iterable[int], seeds: Sequence[int | None] | None = None) -> None:
        """Begin the episodes `rows` anew, each up to its seat's first decision.

        `seeds[i]` is the seed of episode i; without one it goes on with the next of its games.
        """
        for i in rows:
            self._begin(i, None if seeds is None else seeds[i])
        self._let_others_play()

    def step(self, actions: Any, waits: Array | None = None) -> None:
        """Play `actions`, (n,) integers, then the others' decisions; rows that wait stay.

        With illegal="raise" an IllegalActionError comes before anything is played.
        """
        given = checked_actions(actions, self.n)
        index, is_legal = legal_actions(given, self.action_masks)
        waits = np.zeros(self.n, np.bool_) if waits is None else waits
        self.reasons, self.ignored = {}, {}
        for i in np.flatnonzero(~is_legal & ~waits).tolist():
            self._refuse(i, int(given[i]))
        plays = is_legal & ~waits
        self.batch.play(np.where(plays, index, STAY))
        self._note_ends()
        self._let_others_play()
        self._pay(plays)

    def show(self) -> None:
        """Write the observations and masks of the episodes as they stand."""
        self.batch.refresh()
        for i in np.flatnonzero(self._done).tolist():
            self.observations[i] = self.batch.observation(i, self.seat[i])
            self.action_masks[i] = 0

    def final_observation(self, i: int) -> Array:
        """What the seat that learns knows at the end of episode i: a fresh array."""
        return self.batch.observation(i, self.seat[i])

    def _begin(self, i: int, seed: int | None) -> None:
        generator = self._generators[i]
        if seed is not None or generator is None:
            generator = self._generators[i] = seeding.np_random(seed)[0]

        def draw_seed() -> int:
            return int(generator.integers(1 << 63))

        self._opponents.begin(i, draw_seed, seed is not None)
        choice, seats = self._seat_choice, self.options.seats
        self.seat[i] = generator.integers(seats) if isinstance(choice, str) else choice
        self.batch.begin(i, draw_seed() if seed is None else seed)
        self._potentials[i] = 0
        self._done[i] = GOES_ON

    def _refuse(self, i: int, action: int) -> None:
        refusal = refusal_of(self.batch, i, action)
        if self.options.illegal == "raise":
            raise IllegalActionError(refusal)
        if self.options.illegal == "ignore":
            self.ignored[i] = refusal
        else:
            self._done[i] = REFUSED
            self.reasons[i] = f"illegal action: {refusal}"

    def _let_others_play(self) -> None:
        if self._opponents.play_at_random:
            self.batch.play_others(self.seat)
            self._note_ends()
            return
        while (waits := self._waits_for_others()).any():
            self.batch.play(self._opponents.answer(self.batch, self.seat, waits))
            self._note_ends()

    def _waits_for_others(self) -> Array:
        states = self.batch.states
        decides = (states["seat"] != self.seat) & (states["phase"] != OVER)
        waits: Array = decides & (self._done == GOES_ON)
        return waits

    def _note_ends(self) -> None:
        np.maximum(self._done, self.batch.done, out=self._done)

    def _pay(self, plays: Array) -> None:
        """Write what the step ended and what it was worth."""
        done, options = self._done, self.options
        np.equal(done, CUT_OFF, out=self.truncated)
        self.terminated[:] = (done == WON) | (done == REFUSED)
        won = self.batch.states["winner"] == self.seat
        self.rewards[:] = np.where(done == WON, np.where(won, 1.0, options.loss()), 0.0)
        self.rewards[done == REFUSED] = ILLEGAL_REWARD
        if options.reward == "shaped":
            self._pay_points(plays | self.terminated)
        for i in np.flatnonzero((done == WON) | self.truncated).tolist():
            self.reasons[i] = "turn limit" if self.truncated[i] else "win" if won[i] else "loss"

    def _pay_points(self, paid: Array) -> None:
        """Add the change of the potential, which is 0 once an episode has terminated."""
        rows = np.arange(self.n)
        after = np.where(
            self.terminated, 0.0, potentials(self.batch, self.options)[rows, self.seat]
        )
        self.rewards += np.where(paid, after - self._potentials, 0.0)
        np.copyto(self._potentials, after, where=paid)


def batch_of(
    options: Options, observations: Array, action_masks: Array, threads: int, autoreset: bool
) -> Batch:
    """A batch with these options, one game for each row of the arrays, which it writes."""
    return Batch(
        len(observations),
        seats=options.seats,
        rules=options.rules,
        board=options.board,
        max_turns=options.max_turns,
        observations=observations,
        action_masks=action_masks,
        autoreset=autoreset,
        threads=threads,
    )


def potentials(batch: Batch, options: Options) -> Array:
    """What each seat's standing is worth to the shaped reward: (n, 4) float64."""
    points = batch.states["points"] + batch.states["cards"][:, :, VICTORY_POINT]
    return np.asarray(options.potential(points))
