"""Many episodes side by side: what the vector environments of all libraries share.

Episode i draws from a generator of its own in the order in which `catan_env.envs.single` does: the
same seeds give the same games.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from catan_env.batch import CUT_OFF, GOES_ON, REFUSED, STAY, WON, Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import OVER, SEATS, VICTORY_POINT
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.envs.checks import checked_actions, legal_actions, refusal_of
from catan_env.envs.opponents import Opponents, draw_seed
from catan_env.envs.options import Options
from catan_env.envs.results import ILLEGAL_REWARD, TURN_LIMIT, illegal, result
from catan_env.envs.single import checked_seat
from catan_env.game.errors import IllegalActionError

Array = np.ndarray[Any, Any]


class Lockstep:
    """N episodes stepped together; in each one seat learns, and policies play the others.

    The arrays are written in place and stay the same objects:

    - `observations` (n, OBSERVATION_SIZE) int8 and `action_masks` (n, 848) int8 of the seat that
      decides, as `show` wrote them; the mask of an episode that has ended is zero
    - `seat` (n,) int8: who decides, and `acted` (n,) int8: who decided in the last step
    - `seat_rewards` (n, 4) float64 by seat, `terminated` and `truncated` (n,) bool, of that step
    - `reasons` and `ignored`: by number of the episode, why it ended in that step, and why its
      action was ignored
    """

    def __init__(
        self, n: int, options: Options, seat: int | str, opponents: Any, threads: int = 1
    ) -> None:
        self.n, self.options = n, options
        self._seat_choice = checked_seat(seat, options)
        self.observations = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self.action_masks = np.zeros((n, NUM_ACTIONS), np.int8)
        self.batch = batch_of(options, self.observations, self.action_masks, threads)
        self.seat, self.acted = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.seat_rewards = np.zeros((n, SEATS))
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.reasons: dict[int, str] = {}
        self.ignored: dict[int, str] = {}
        self._opponents = Opponents(opponents, options.seats, n)
        self._generators: list[np.random.Generator | None] = [None] * n
        self._potentials = np.zeros((n, SEATS))
        self._done = np.zeros(n, np.int8)
        self._rows = np.arange(n)

    def seat_opponents(self, opponents: Any) -> None:
        """Let these play the other seats from now on."""
        self._opponents = Opponents(opponents, self.options.seats, self.n)
        for i, generator in enumerate(self._generators):
            if generator is not None:
                self._opponents.begin(i, generator, is_seeded=False)

    @property
    def rewards(self) -> Array:
        """What the seats that acted got for it: (n,) float64, a fresh array."""
        rewards: Array = self.seat_rewards[self._rows, self.acted]
        return rewards

    def begin(self, rows: Iterable[int], seeds: Sequence[int | None] | None = None) -> None:
        """Begin the episodes `rows` anew, each up to its first decision.

        `seeds[i]` is the seed of episode i; without one it goes on with the next of its games, as
        it does when somebody wins before the seat was asked.
        """
        rows = list(rows)
        for i in rows:
            self._begin(i, None if seeds is None else seeds[i])
        self._let_others_play()
        if ended := [i for i in rows if self._done[i] != GOES_ON]:
            self.begin(ended)

    def step(self, actions: Any, begins: Array | None = None) -> None:
        """Play `actions`, (n,) integers, then the others' decisions.

        Rows in `begins`, (n,) bool, begin anew instead. The wrong shape, and with illegal="raise"
        an illegal action, are refused before anything is played or begun.
        """
        given = checked_actions(actions, self.n)
        index, is_legal = legal_actions(given, self.action_masks)
        begins = np.zeros(self.n, np.bool_) if begins is None else begins
        refused = np.flatnonzero(~is_legal & ~begins).tolist()
        if refused and self.options.illegal == "raise":
            raise IllegalActionError(refusal_of(self.batch, refused[0], int(given[refused[0]])))
        if begins.any():
            self.begin(np.flatnonzero(begins).tolist())
        self.reasons, self.ignored = {}, {}
        for i in refused:
            self._refuse(i, int(given[i]))
        plays = is_legal & ~begins
        self.acted[:] = self.seat
        self.batch.play(np.where(plays, index, STAY))
        self._note_ends()
        self._let_others_play()
        self._pay(plays)

    def show(self) -> None:
        """Write the observations and masks of the episodes as they stand."""
        self.batch.refresh()
        for i in np.flatnonzero(self._done).tolist():
            self.observations[i] = self.final_observation(i)
            self.action_masks[i] = 0

    def final_observation(self, i: int) -> Array:
        """What the seat that acted last in episode i knows at its end: a fresh array."""
        return self.batch.observation(i, self.acted[i])

    def _begin(self, i: int, seed: int | None) -> None:
        generator = self._generators[i]
        if seed is not None or generator is None:
            generator = self._generators[i] = seeding.np_random(seed)[0]
        self._seat_players(i, generator, seed is not None)
        self.batch.begin(i, draw_seed(generator) if seed is None else seed)
        self._potentials[i] = 0
        self._done[i] = GOES_ON

    def _seat_players(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        self._opponents.begin(i, generator, is_seeded)
        choice = self._seat_choice
        is_drawn = isinstance(choice, str)
        self.seat[i] = generator.integers(self.options.seats) if is_drawn else choice

    def _refuse(self, i: int, action: int) -> None:
        refusal = refusal_of(self.batch, i, action)
        if self.options.illegal == "ignore":
            self.ignored[i] = refusal
        else:
            self._done[i] = REFUSED
            self.reasons[i] = illegal(refusal)

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
        """Write what the step ended and what it was worth to every seat."""
        done, options = self._done, self.options
        np.equal(done, CUT_OFF, out=self.truncated)
        self.terminated[:] = (done == WON) | (done == REFUSED)
        self.seat_rewards[:] = 0
        won, refused = np.flatnonzero(done == WON), np.flatnonzero(done == REFUSED)
        winner = self.batch.states["winner"]
        self.seat_rewards[won, : options.seats] = options.loss()
        self.seat_rewards[won, winner[won]] = 1.0
        self.seat_rewards[refused, self.acted[refused]] = ILLEGAL_REWARD
        if options.reward == "shaped":
            self._pay_points(plays)
        for i in won.tolist():
            _, self.reasons[i] = result(options, self.acted[i], winner[i])
        for i in np.flatnonzero(self.truncated).tolist():
            self.reasons[i] = TURN_LIMIT

    def _pay_points(self, plays: Array) -> None:
        """Add the change of each potential, which is 0 once an episode has ended."""
        ended = self.terminated | self.truncated
        paid = (plays | ended)[:, None]
        after = np.where(ended[:, None], 0.0, potentials(self.batch, self.options))
        self.seat_rewards += np.where(paid, after - self._potentials, 0.0)
        np.copyto(self._potentials, after, where=paid)


class SelfPlay(Lockstep):
    """N games stepped together in which every seat learns: each step is another seat's.

    An illegal action with illegal="penalty" ends the game: -1 to who played it, 0 to the others.
    """

    def __init__(self, n: int, options: Options, threads: int = 1) -> None:
        super().__init__(n, options, seat=0, opponents="random", threads=threads)

    def _seat_players(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        """Nobody sits down beside those who learn."""

    def _let_others_play(self) -> None:
        self.seat[:] = self.batch.seat


def batch_of(options: Options, observations: Array, action_masks: Array, threads: int) -> Batch:
    """A batch with these options, one game for each row of the arrays, which it writes."""
    return Batch(
        len(observations),
        seats=options.seats,
        rules=options.rules,
        board=options.board,
        max_turns=options.max_turns,
        observations=observations,
        action_masks=action_masks,
        autoreset=False,
        threads=threads,
    )


def potentials(batch: Batch, options: Options) -> Array:
    """What each seat's standing is worth to the shaped reward: (n, 4) float64."""
    points = batch.states["points"] + batch.states["cards"][:, :, VICTORY_POINT]
    return np.asarray(options.potential(points))
