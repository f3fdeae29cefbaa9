"""Many episodes in lockstep: the common core of all libraries' vector environments.

Episode i has a separate random generator, used in the same order as by `one_seat`: the same seeds
give the same games.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from catan_env.adapters.checks import checked_actions, checked_seat, legal_actions, rows_where
from catan_env.adapters.endings import ILLEGAL_REWARD, TURN_LIMIT, illegal
from catan_env.adapters.games import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY
from catan_env.adapters.opponents import Opponents, draw_seed
from catan_env.adapters.options import MOST_SKIPPED, Options

Array = np.ndarray[Any, Any]

BROKEN_OFF = 4
"""As in `Games.done`: an error was raised while the others played, and the episode must restart."""


class Lockstep:
    """N episodes stepped together; in each one seat learns, and policies play the others.

    The arrays are written in place and stay the same objects:

    - `observations` (n, size) and `action_masks` (n, actions) int8 of the acting seat, as
      `show` wrote them; the mask of an episode that has ended is zero
    - `seat` (n,) int8: the acting seat; `acted` (n,) int8: the seat that acted in the last step
    - `seat_rewards` (n, seats) float64, `terminated` and `truncated` (n,) bool, of that step
    - `reasons` and `ignored`: by episode number, the reason for which it ended in that step, and
      the reason for which its action was ignored
    """

    def __init__(
        self,
        n: int,
        options: Options,
        seat: int | str,
        opponents: Any,
        threads: int = 1,
        others: str = "opponents",
    ) -> None:
        self.n, self.options, self._others = n, options, others
        self._seat_choice = checked_seat(seat, options.num_seats)
        options.check_seat(self._seat_choice)
        self.batch = options.new_games(n, threads)
        assert self.batch.observations is not None and self.batch.action_masks is not None
        self.observations, self.action_masks = self.batch.observations, self.batch.action_masks
        self.seat, self.acted = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self._done = np.zeros(n, np.int8)
        self.seat_rewards = np.zeros_like(options.totals_in(self.batch, self._done))
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.reasons: dict[int, str] = {}
        self.ignored: dict[int, str] = {}
        self._opponents = Opponents(others, opponents, options, n)
        self._generators: list[np.random.Generator | None] = [None] * n
        self._paid = np.zeros_like(self.seat_rewards)
        self._rows = np.arange(n)

    def seat_opponents(self, opponents: Any) -> None:
        """Replace the policies of the other seats."""
        self._opponents = Opponents(self._others, opponents, self.options, self.n)
        for i, generator in enumerate(self._generators):
            if generator is not None:
                self._opponents.begin(i, generator, is_seeded=False)

    @property
    def broken_off(self) -> Array:
        """True for the episodes that an error broke off: (n,) bool, a fresh array."""
        broken_off: Array = self._done == BROKEN_OFF
        return broken_off

    @property
    def rewards(self) -> Array:
        """The rewards of the seats that acted: (n,) float64, a fresh array."""
        rewards: Array = self.seat_rewards[self._rows, self.acted]
        return rewards

    def begin(self, rows: Iterable[int], seeds: Sequence[int | None] | None = None) -> None:
        """Restart the episodes `rows`, each up to its first decision.

        `seeds[i]` is the seed of episode i; without one it continues with the next of its games, as
        it does when a game ends before the seat's first decision. ValueError after 1,000 of those.
        """
        rows = list(rows)
        for _ in range(MOST_SKIPPED):
            with self._played_or_broken_off(rows):
                for i in rows:
                    self._begin(i, None if seeds is None else seeds[i])
                self._let_others_play()
            rows, seeds = [i for i in rows if self._done[i] != GOES_ON], None
            if not rows:
                return
        with self._played_or_broken_off(rows):
            raise self.options.never_acts(self._seat_choice)

    def step(self, actions: Any, begins: Array | None = None) -> None:
        """Play `actions`, (n,) integers, then the others' decisions.

        Rows in `begins`, (n,) bool, restart instead. The wrong shape, and with illegal="raise"
        an illegal action, are refused before anything is played or restarted.
        """
        given = checked_actions(actions, self.n, self.options.num_actions)
        index, is_legal = legal_actions(given, self.action_masks)
        begins = np.zeros(self.n, np.bool_) if begins is None else begins
        refused = rows_where(~(is_legal | begins))
        if refused and self.options.illegal == "raise":
            raise self.options.illegal_error(self._refusal(refused[0], int(given[refused[0]])))
        if begins.any():
            self.begin(rows_where(begins))
        self.reasons, self.ignored = {}, {}
        for i in refused:
            self._refuse(i, int(given[i]))
        plays = is_legal & ~begins
        self.acted[:] = self.seat
        with self._played_or_broken_off(slice(None)):
            self.batch.play(np.where(plays, index, STAY))
            self._note_ends()
            self._let_others_play()
            self._pay(plays)

    def show(self) -> None:
        """Write the current observations and masks."""
        self.batch.refresh()
        for i in rows_where(self._done):
            self.observations[i] = self.final_observation(i)
            self.action_masks[i] = 0

    def final_observation(self, i: int) -> Array:
        """The final observation in episode i of the seat that acted last: a fresh array."""
        return self.batch.observation(i, self.acted[i])

    @contextmanager
    def _played_or_broken_off(self, rows: Any) -> Iterator[None]:
        """Break episodes off if the others' decisions fail: another seat may be acting in them."""
        try:
            yield
        except BaseException:
            self._done[rows] = BROKEN_OFF
            self.observations[rows] = self.action_masks[rows] = 0
            raise

    def _begin(self, i: int, seed: int | None) -> None:
        generator = self._generators[i]
        if seed is not None or generator is None:
            generator = self._generators[i] = seeding.np_random(seed)[0]
        self._seat_players(i, generator, seed is not None)
        self.batch.begin(i, draw_seed(generator) if seed is None else seed)
        self._paid[i] = 0
        self._done[i] = GOES_ON

    def _seat_players(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        self._opponents.begin(i, generator, is_seeded)
        choice = self._seat_choice
        is_drawn = isinstance(choice, str)
        self.seat[i] = generator.integers(self.options.num_seats) if is_drawn else choice

    def _refuse(self, i: int, action: int) -> None:
        refusal = self._refusal(i, action)
        if self.options.illegal == "ignore":
            self.ignored[i] = refusal
        else:
            self._done[i] = REFUSED
            self.reasons[i] = illegal(refusal)

    def _refusal(self, i: int, action: int) -> str:
        """The reason why an illegal action is refused in game i."""
        return self.options.refusal_in(self.batch, i, action)

    def _let_others_play(self) -> None:
        if self.options.num_seats == 1:
            return
        if self._opponents.play_at_random:
            others = np.where(self._done == GOES_ON, self.seat, self.batch.seat)
            self.batch.play_others(others)
            self._note_ends()
            return
        while (waits := self._waits_for_others()).any():
            self.batch.play(self._opponents.choose(self.batch, self.seat, waits))
            self._note_ends()

    def _waits_for_others(self) -> Array:
        waits: Array = (self.batch.seat != self.seat) & (self._done == GOES_ON)
        return waits

    def _note_ends(self) -> None:
        np.maximum(self._done, self.batch.done, out=self._done)

    def _pay(self, plays: Array) -> None:
        """Write the endings of a step and every seat's rewards."""
        done, options = self._done, self.options
        np.equal(done, CUT_OFF, out=self.truncated)
        self.terminated[:] = (done == ENDED) | (done == REFUSED)
        if not (options.is_paid_on_the_way or done.any()):
            self.seat_rewards[:] = 0.0
            return
        is_paid = done != GOES_ON
        if options.is_paid_on_the_way:
            is_paid |= plays
        totals = options.totals_in(self.batch, done)
        for i in rows_where(done == REFUSED):
            totals[i] = 0.0
            totals[i, self.acted[i]] = ILLEGAL_REWARD
        self.seat_rewards[:] = np.where(is_paid[:, None], totals - self._paid, 0.0)
        np.copyto(self._paid, totals, where=is_paid[:, None])
        for i in rows_where(done == ENDED):
            self.reasons[i] = options.reason_in(self.batch, i, self.acted[i])
        for i in rows_where(self.truncated):
            self.reasons[i] = TURN_LIMIT


class SelfPlay(Lockstep):
    """N games stepped together in which every seat learns: each step belongs to another seat.

    With illegal="penalty" an illegal action ends the game: -1 for its seat, 0 for the others.
    """

    def __init__(self, n: int, options: Options, threads: int = 1) -> None:
        super().__init__(n, options, seat=0, opponents="random", threads=threads)

    def _seat_players(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        """Do nothing: there are no other seats."""

    def _let_others_play(self) -> None:
        self.seat[:] = self.batch.seat
