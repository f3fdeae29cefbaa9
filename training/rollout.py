"""Decisions of many games side by side, in the order made, and what they turned out to be worth.

Every seat's decisions are a stream of their own: a decision is followed by the same seat's next
one. One with a single legal action is played and not kept. A game goes on from one rollout to the
next until it ends, so none is cut.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from catan_env.training.configuration import named
from catan_env.training.experience import Experience
from catan_env.training.opponents import Opponents
from catan_env.training.settings import Args
from catan_env.training.teacher import CHOICES, Teacher

Array = np.ndarray[Any, Any]
OPEN, ENDED = -1, -2
"""What follows a decision: nothing yet, or the game's end."""


class Rollout:
    """Decisions in the order in which they were made; `next` is the same seat's next one."""

    def __init__(
        self, capacity: int, num_facts: int, actions: int, choices: int = 0, swings: int = 0
    ) -> None:
        self.n = 0
        self.starts: list[int] = []
        """Where each step of the batch begins; no seat decides twice within one."""
        self.facts = np.zeros((capacity, num_facts), np.int8)
        self.masks = np.zeros((capacity, -(-actions // 8)), np.uint8)
        self.actions = np.zeros(capacity, np.int64)
        self.log_odds, self.values, self.potentials, self.rewards = np.zeros(
            (4, capacity), np.float32
        )
        self.taught = np.zeros((capacity, choices), np.int16)
        self.shares = np.zeros((capacity, choices), np.float32)
        self.swings, self.surprises = np.zeros((2, capacity, swings), np.float32)
        """What each surprise of chance was thought worth, and how much there was until `next`."""
        self.own = np.ones(capacity, np.bool_)
        """Whether the action was played; else the teacher's was."""
        self.next = np.full(capacity, OPEN)
        self.games, self.seats = np.zeros((2, capacity), np.int64)

    def columns(self) -> Iterator[Array]:
        """All arrays, a row for each decision."""
        return (column for column in vars(self).values() if isinstance(column, np.ndarray))

    def carry_over(self) -> Array:
        """Keep the decisions that nothing follows yet, in front; returns where they were."""
        kept = np.flatnonzero(self.next[: self.n] == OPEN)
        for column in self.columns():
            column[: len(kept)] = column[kept]
        self.n, self.starts = len(kept), [0]
        return kept

    def advantages(self, gamma: float, gae_lambda: float) -> tuple[Array, Array, Array]:
        """Those decisions that something follows, their advantages and their errors: (k,) each.

        Generalized advantage estimation along each seat's own decisions (Schulman et al., 2016),
        over rewards and what the potential rises by; at the end of a game it is taken back. An
        error is by how much one decision's step surprised; luck is in it and not in the advantage.
        """
        result = np.zeros(self.n + 1, np.float32)  # the last for what has no successor
        errors = np.zeros(self.n, np.float32)
        luck = (self.swings[: self.n] * self.surprises[: self.n]).sum(axis=1)
        values = np.append(self.values[: self.n], np.float32(0))
        promised = np.append(self.potentials[: self.n], np.float32(0))
        following = np.where(self.next[: self.n] < 0, self.n, self.next[: self.n])
        for start, stop in zip(self.starts[::-1], [self.n, *self.starts[:0:-1]], strict=True):
            then = following[start:stop]
            rise = gamma * promised[then] - promised[start:stop]
            error = self.rewards[start:stop] + rise + gamma * values[then] - values[start:stop]
            errors[start:stop] = error
            result[start:stop] = error - luck[start:stop] + gamma * gae_lambda * result[then]
            result[start:stop][self.next[start:stop] == OPEN] = 0
        learned = np.flatnonzero(self.next[: self.n] != OPEN)
        return learned, result[learned], errors[learned]

    def experience(self, gamma: float, gae_lambda: float) -> Experience:
        """Those decisions that something follows, and their worth as `advantages` says."""
        rows, *worth = self.advantages(gamma, gae_lambda)
        kept = (getattr(self, name)[rows] for name in Experience._fields[: -len(worth)])
        return Experience(*kept, *worth)


class Decided(NamedTuple):
    """Actions, and all that is to be kept of how they came about."""

    actions: Array
    """(n,) int64."""
    log_odds: Array
    """(n,) float32: the logarithms of how likely they were."""
    values: Array
    """(n,) float32."""
    swings: Array
    """(n, swings) float32: what each surprise of chance is thought worth."""
    facts: Array
    """(n, num_facts) int8: what of the observations to learn from."""


Decide = Callable[[Array, Array], Decided]
"""Given observations, (n, size), and masks, (n, actions)."""


class Games:
    """All games, and the decisions that come of them."""

    def __init__(
        self, args: Args, batch: Any, num_facts: int, opponents: Opponents | None = None
    ) -> None:
        self.args, self.batch, self.opponents = args, batch, opponents
        self.potential = named(args.shaping) if args.shaping else None
        games, seats = self.batch.rewards.shape
        masks = self.batch.action_masks
        capacity = args.rollout + games * (seats + 1)
        self.teacher = (
            Teacher(named(args.teacher), args.teacher_temperature) if args.teacher else None
        )
        choices = 0 if self.teacher is None else CHOICES
        self.luck = named(args.luck)(batch) if args.luck else None
        swings = 0 if self.luck is None else self.luck.size
        self.rollout = Rollout(capacity, num_facts, masks.shape[1], choices, swings)
        self.led = 0
        """The teacher's choices are played in so many games, and the learner's in the others."""
        self._last = np.full((games, seats), OPEN)
        self._owed = np.zeros((games, seats), np.float32)
        self._ended = self._played = self._decided = self._forced = 0

    def let_teacher_lead(self, decisions: int) -> None:
        """In fewer games the more `decisions` the run has learned from; at last it is gone."""
        args = self.args
        left = max(0.0, 1 - decisions / args.taught)
        share = args.teacher_plays * left if args.teacher else 0.0
        self.led = int(share * args.num_games)
        if left == 0:
            self.teacher = None

    def collect(self, decide: Decide) -> Rollout:
        """Play until enough decisions can be learned from."""
        rollout = self.rollout
        self._find_again(rollout.carry_over())
        kept = rollout.n
        while rollout.n - kept < self.args.rollout:
            self._step(decide)
        return rollout

    def _step(self, decide: Decide) -> None:
        batch = self.batch
        masks = batch.action_masks
        legal = np.add.reduce(masks, axis=1, dtype=np.int16)
        actions = masks.argmax(axis=1)
        rows = np.flatnonzero(legal > 1)
        self._forced += len(masks) - len(rows)
        if self.opponents is not None:
            rows = self.opponents.choose(actions, rows)
        if len(rows):
            shown = masks[rows]
            answer = decide(batch.observations[rows], shown)
            self._record(rows, shown, answer)
            actions[rows] = self._played_in(rows, answer.actions)
        if self.luck is not None:
            self.luck.foresee(actions)
        batch.step(actions)
        self._note_luck()
        self._reward()
        self._played += len(masks)
        self._decided += len(rows)

    def _played_in(self, rows: Array, chosen: Array) -> Array:
        """What is played in the games `rows`, which were recorded last: what the teacher leads
        is not what the learner has `chosen`."""
        rollout = self.rollout
        newest = slice(rollout.n - len(rows), rollout.n)
        rollout.own[newest] = rows >= self.led
        if self.led == 0:
            return chosen
        return np.where(rollout.own[newest], chosen, rollout.taught[newest, 0])

    def _record(self, rows: Array, masks: Array, answer: Decided) -> None:
        rollout, batch = self.rollout, self.batch
        seats = batch.seat[rows].astype(np.int64)
        start, stop = rollout.n, rollout.n + len(rows)
        new = np.arange(start, stop)
        rollout.facts[new] = answer.facts
        rollout.masks[new] = np.packbits(masks, axis=1)
        rollout.actions[new], rollout.log_odds[new] = answer.actions, answer.log_odds
        rollout.values[new] = answer.values
        rollout.swings[new], rollout.surprises[new] = answer.swings, 0
        rollout.shares[new] = 0  # what stood here once was of another decision
        if self.teacher is not None:
            rollout.taught[new], rollout.shares[new] = self.teacher.choices(batch, rows)
        if self.potential is not None:
            rollout.potentials[new] = self.potential(batch)[rows, seats]
        rollout.next[new] = OPEN
        rollout.games[new], rollout.seats[new] = rows, seats
        self._follow(self._last[rows, seats], new, self._owed[rows, seats])
        self._last[rows, seats], self._owed[rows, seats] = new, 0
        rollout.starts.append(start)
        rollout.n = stop

    def _follow(self, before: Array, after: Array | int, rewards: Array) -> None:
        """Note what followed decisions, and what they had earned by then."""
        there = before != OPEN
        self.rollout.next[before[there]] = after[there] if isinstance(after, np.ndarray) else after
        self.rollout.rewards[before[there]] = rewards[there]

    def _note_luck(self) -> None:
        """Add what chance did in this step to every seat's latest decision, its own seat first."""
        if self.luck is None:
            return
        games, surprises = self.luck.surprises()
        for seat in range(surprises.shape[1]):
            last = self._last[games, seat]
            there = last != OPEN
            seen = np.roll(surprises[there], -seat, axis=1).reshape(-1, self.luck.size)
            self.rollout.surprises[last[there]] += seen

    def _reward(self) -> None:
        batch = self.batch
        self._owed += self.args.reward * batch.rewards
        over = np.flatnonzero(batch.done)
        if len(over):
            if (batch.done[over] > 2).any():
                raise ValueError("the network chose an action that the mask does not allow")
            self._follow(self._last[over].ravel(), ENDED, self._owed[over].ravel())
            self._last[over], self._owed[over] = OPEN, 0
            self._ended += len(over)
            if self.opponents is not None:
                self.opponents.end(over)

    def news(self) -> dict[str, float]:
        """What was played since this was asked last."""
        counted = {
            "games/ended": float(self._ended),
            "games/forced": self._forced / self._played,
            "games/decisions_a_game": self._decided / max(self._ended, 1),
        }
        self._ended = self._played = self._decided = self._forced = 0
        return counted | (self.opponents.news() if self.opponents is not None else {})

    def _find_again(self, kept: Array) -> None:
        """The decisions `kept` have moved to the front."""
        rollout = self.rollout
        self._last[:] = OPEN
        self._last[rollout.games[: len(kept)], rollout.seats[: len(kept)]] = np.arange(len(kept))
