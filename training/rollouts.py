"""Collection: decisions of many games in parallel, and their advantages.

Each seat's decisions are a separate stream: a decision is followed by the same seat's next one. One
with a single legal action is played and not recorded. A game continues from one rollout to the next
until it ends, so no game is cut.

`Decisions` names the columns of a decision; `Collector` fills them, one step of all games at a
time; `RolloutBuffer.advantages` is the advantage estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.batch import GOES_ON, REFUSED
from catan_env.training.agent import Choices
from catan_env.training.config import named
from catan_env.training.imitation.teachers import CHOICES, Teacher
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Opponents

if TYPE_CHECKING:
    from catan_env.training.self_play import Args

Array = np.ndarray[Any, Any]
OPEN, ENDED = -1, -2
"""The successor of a decision: none yet, or the game's end."""
Act = Callable[[Array, Array], Choices]
"""Chooses by observations, (n, size), and packed masks, (n, bytes)."""


def column(dtype: Any, width: str = "") -> dict[str, Any]:
    """A column of `Decisions`: one number per decision, or an array of the named width."""
    return {"dtype": dtype, "width": width}


@dataclass
class Decisions:
    """Arrays, or tensors, with one row per decision."""

    features: Any = field(metadata=column(np.int8, "features"))
    """The input of the network: its own encoding of the observation, of any dtype."""
    masks: Any = field(metadata=column(np.uint8, "mask_bytes"))
    """The action mask, packed by `np.packbits`."""
    actions: Any = field(metadata=column(np.int64))
    log_probs: Any = field(metadata=column(np.float32))
    """Of the actions, when they were drawn."""
    values: Any = field(metadata=column(np.float32))
    """The network's estimates of the returns."""
    rewards: Any = field(metadata=column(np.float32))
    """Received until the same seat's next decision."""
    potentials: Any = field(metadata=column(np.float32))
    """The position's potential for the seat (`shaping`)."""
    is_own: Any = field(metadata=column(np.bool_))
    """False if the teacher's action was played instead."""
    teacher_actions: Any = field(metadata=column(np.int16, "choices"))
    teacher_probs: Any = field(metadata=column(np.float32, "choices"))
    """The teacher's policy over `teacher_actions`; all 0 without a teacher."""
    chance_values: Any = field(metadata=column(np.float32, "chance"))
    """The network's estimate of the value of each chance residual (`control_variate`)."""
    chance_residuals: Any = field(metadata=column(np.float32, "chance"))
    """The effects of chance beyond their mean until the same seat's next decision."""
    next: Any = field(metadata=column(np.int64))
    """The row of the same seat's next decision, OPEN or ENDED."""
    games: Any = field(metadata=column(np.int64))
    seats: Any = field(metadata=column(np.int64))
    advantages: Any = field(metadata=column(np.float32))
    """By GAE, without the control variate's part."""
    td_errors: Any = field(metadata=column(np.float32))
    """The one-step errors of the value, with it."""

    @classmethod
    def empty(cls, rows: int, features_dtype: Any = np.int8, **widths: int) -> Decisions:
        """Columns of zeros."""
        dtypes = {one.name: one.metadata["dtype"] for one in fields(cls)}
        dtypes["features"] = features_dtype
        shapes = {
            one.name: (rows, widths[one.metadata["width"]]) if one.metadata["width"] else rows
            for one in fields(cls)
        }
        return cls(**{name: np.zeros(shapes[name], dtype) for name, dtype in dtypes.items()})

    @classmethod
    def concatenated(cls, parts: Sequence[Decisions]) -> Decisions:
        """All rows of several."""
        columns = zip(*(part.columns() for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    def columns(self) -> Iterator[Any]:
        """The columns in order."""
        return (getattr(self, one.name) for one in fields(self))

    def map(self, function: Callable[[Any], Any]) -> Decisions:
        """The same with a function applied to every column."""
        return Decisions(*map(function, self.columns()))

    def take(self, rows: Any) -> Decisions:
        """Some of the rows, copied."""
        return self.map(lambda one: one[rows])

    def __len__(self) -> int:
        return len(self.actions)


class RolloutBuffer:
    """Decisions in the order in which they were made; the first `n` rows are in use."""

    def __init__(self, capacity: int, features_dtype: Any, **widths: int) -> None:
        self.n = 0
        self.starts: list[int] = []
        """Where each step of the batch begins; no seat decides twice within one."""
        self.rows = Decisions.empty(capacity, features_dtype, **widths)

    def carry_over(self) -> None:
        """Move the decisions that nothing follows yet to the front, and drop the rest."""
        kept = np.flatnonzero(self.rows.next[: self.n] == OPEN)
        for one in self.rows.columns():
            one[: len(kept)] = one[kept]
        self.n, self.starts = len(kept), [0]

    def advantages(self, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
        """The advantage and the one-step error of every decision: (n,) float32 each.

        Generalized advantage estimation along each seat's decisions (Schulman et al., 2016), over
        rewards and the rise of the potential, which is taken back at the end of a game. The control
        variate's part is in the error and not in the advantage. Where nothing follows yet both are
        meaningless.
        """
        n, rows = self.n, self.rows
        advantages = np.zeros(n + 1, np.float32)  # the last for what has no successor
        errors = np.zeros(n, np.float32)
        chance = (rows.chance_values[:n] * rows.chance_residuals[:n]).sum(axis=1)
        values = np.append(rows.values[:n], np.float32(0))
        potentials = np.append(rows.potentials[:n], np.float32(0))
        following = np.where(rows.next[:n] < 0, n, rows.next[:n])
        for start, stop in zip(self.starts[::-1], [n, *self.starts[:0:-1]], strict=True):
            then = following[start:stop]
            rise = gamma * potentials[then] - potentials[start:stop]
            error = rows.rewards[start:stop] + rise + gamma * values[then] - values[start:stop]
            errors[start:stop] = error
            following_advantages = gamma * gae_lambda * advantages[then]
            advantages[start:stop] = error - chance[start:stop] + following_advantages
            advantages[start:stop][rows.next[start:stop] == OPEN] = 0
        return advantages[:n], errors

    def has_finished(self) -> bool:
        """True if something follows a decision."""
        return bool((self.rows.next[: self.n] != OPEN).any())

    def finished(self, gamma: float, gae_lambda: float) -> Decisions:
        """A copy of the decisions that something follows, with their advantages."""
        n = self.n
        self.rows.advantages[:n], self.rows.td_errors[:n] = self.advantages(gamma, gae_lambda)
        done = np.flatnonzero(self.rows.next[:n] != OPEN)
        return self.rows.take(done)


class Collector:
    """Plays all games and records the decisions of the seats that learn."""

    def __init__(
        self, args: Args, batch: Any, num_features: int, opponents: Opponents | None = None,
        features_dtype: Any = np.int8,
    ) -> None:  # fmt: skip
        self.args, self.batch, self.opponents = args, batch, opponents
        self.potential = named(args.shaping) if args.shaping else None
        self.reward = named(args.reward_function) if args.reward_function else None
        self.teacher: Teacher | None = None
        if args.teacher:
            self.teacher = Teacher(named(args.teacher), args.teacher_temperature)
        self.control_variate = named(args.control_variate)(batch) if args.control_variate else None
        games, seats = batch.rewards.shape
        self.buffer = RolloutBuffer(
            args.batch_size + games * (seats + 1),
            features_dtype,
            features=num_features,
            mask_bytes=-(-batch.action_masks.shape[1] // 8),
            choices=CHOICES if args.teacher else 0,
            chance=self.control_variate.size if self.control_variate else 0,
        )
        self.num_led = 0
        """In this number of games, the first ones, the teacher's action is played."""
        self._last = np.full((games, seats), OPEN)
        """The row of each seat's latest decision."""
        self._owed = np.zeros((games, seats), np.float32)
        """Rewards since then."""
        self._counts = Counts()

    def anneal_teacher(self, timesteps: int) -> None:
        """Let the teacher lead fewer games, and none once `teacher_steps` were learned from."""
        args = self.args
        left = max(0.0, 1 - timesteps / args.teacher_steps)
        self.num_led = int(args.teacher_fraction * left * args.num_envs) if args.teacher else 0
        if left == 0:
            self.teacher = None

    def collect(self, act: Act) -> Decisions:
        """Play until there are `batch_size` decisions more, and return those that are finished.

        It plays on until one is finished at least, if the rollout is shorter than a round of turns.
        """
        args = self.args
        self._carry_over()
        wanted = self.buffer.n + args.batch_size
        while self.buffer.n < wanted or not self.buffer.has_finished():
            self._step(act)
        return self.buffer.finished(args.gamma, args.gae_lambda)

    def _carry_over(self) -> None:
        buffer = self.buffer
        buffer.carry_over()
        self._last[:] = OPEN
        games, seats = buffer.rows.games[: buffer.n], buffer.rows.seats[: buffer.n]
        self._last[games, seats] = np.arange(buffer.n)

    def _step(self, act: Act) -> None:
        batch = self.batch
        masks = batch.action_masks
        legal = np.add.reduce(masks, axis=1, dtype=np.int16)
        actions = masks.argmax(axis=1)
        rows = np.flatnonzero(legal > 1)
        self._counts.forced += len(masks) - len(rows)
        if self.opponents is not None:
            rows = self.opponents.choose(actions, rows)
        if len(rows):
            packed = np.packbits(masks[rows], axis=1)
            choices = act(batch.observations[rows], packed)
            self._record(rows, packed, choices)
            actions[rows] = self._led(rows, choices.actions)
        if self.control_variate is not None:
            self.control_variate.expect(actions)
        before = None if self.reward is None else batch.states.copy()
        batch.step(actions)
        self._record_chance()
        self._receive(before, actions)
        self._counts.actions += len(masks)
        self._counts.decisions += len(rows)

    def _led(self, rows: Array, chosen: Array) -> Array:
        """The actions played in the games `rows`, recorded last: the teacher's where it leads."""
        decisions = self.buffer.rows
        newest = slice(self.buffer.n - len(rows), self.buffer.n)
        decisions.is_own[newest] = rows >= self.num_led
        if self.num_led == 0:
            return chosen
        return np.where(decisions.is_own[newest], chosen, decisions.teacher_actions[newest, 0])

    def _record(self, rows: Array, masks: Array, choices: Choices) -> None:
        buffer, decisions, batch = self.buffer, self.buffer.rows, self.batch
        seats = batch.seat[rows].astype(np.int64)
        new = np.arange(buffer.n, buffer.n + len(rows))
        for name, chosen in choices._asdict().items():
            getattr(decisions, name)[new] = chosen
        decisions.masks[new] = masks
        decisions.chance_residuals[new] = 0
        decisions.teacher_probs[new] = 0  # the row held another decision before
        if self.teacher is not None:
            taught = self.teacher.choices(batch, rows)
            decisions.teacher_actions[new], decisions.teacher_probs[new] = taught
        if self.potential is not None:
            decisions.potentials[new] = self.potential(batch)[rows, seats]
        decisions.next[new] = OPEN
        decisions.games[new], decisions.seats[new] = rows, seats
        self._follow(self._last[rows, seats], new, self._owed[rows, seats])
        self._last[rows, seats], self._owed[rows, seats] = new, 0
        buffer.starts.append(buffer.n)
        buffer.n += len(rows)

    def _follow(self, before: Array, after: Array | int, rewards: Array) -> None:
        """Record what followed decisions, and the rewards received by then."""
        there = before != OPEN
        decisions = self.buffer.rows
        decisions.next[before[there]] = after[there] if isinstance(after, np.ndarray) else after
        decisions.rewards[before[there]] = rewards[there]

    def _record_chance(self) -> None:
        """Add this step's chance to every seat's latest decision, relative to that seat."""
        if self.control_variate is None:
            return
        games, residuals = self.control_variate.residuals()
        for seat in range(residuals.shape[1]):
            last = self._last[games, seat]
            there = last != OPEN
            seen = np.roll(residuals[there], -seat, axis=1).reshape(-1, self.control_variate.size)
            self.buffer.rows.chance_residuals[last[there]] += seen

    def _receive(self, before: Array | None, actions: Array) -> None:
        """Add the rewards of this step, and close the streams of the games that ended."""
        batch = self.batch
        self._owed += self.args.reward_scale * batch.rewards
        if self.reward is not None:
            self._owed += self.reward(before, actions, batch)
        over = np.flatnonzero(batch.done != GOES_ON)
        if len(over):
            if (batch.done[over] == REFUSED).any():
                raise ValueError("the network chose an action that the mask does not allow")
            self._follow(self._last[over].ravel(), ENDED, self._owed[over].ravel())
            self._last[over], self._owed[over] = OPEN, 0
            self._counts.ended += len(over)
            if self.opponents is not None:
                self.opponents.end(over)

    def counts(self) -> Counts:
        """Counts of the games since the last call."""
        found, self._counts = self._counts, Counts()
        if self.opponents is not None:
            found.results = self.opponents.results()
        return found

    def state_dict(self) -> dict[str, Any]:
        """All that the next rollout depends on, between two rollouts."""
        self._carry_over()
        return {
            "batch": self.batch,
            "open": self.buffer.rows.take(np.arange(self.buffer.n)),
            "owed": self._owed,
            "opponents": self.opponents.state_dict() if self.opponents is not None else None,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue where `state_dict` was called; the batch's arrays are replaced in place."""
        vars(self.batch).update(vars(state["batch"]))
        self.buffer.n, self.buffer.starts = len(state["open"]), [0]
        for mine, saved in zip(self.buffer.rows.columns(), state["open"].columns(), strict=True):
            mine[: len(saved)] = saved
        self._owed[:] = state["owed"]
        if self.opponents is not None:
            self.opponents.load_state_dict(state["opponents"])
