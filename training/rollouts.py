"""Collection: all games in parallel, and the decisions in them.

A decision with a single legal action is played and not recorded. A game continues from one rollout
to the next until it ends, so no game is cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.batch import GOES_ON, REFUSED
from catan_env.training.agent import Choices
from catan_env.training.config import call, named
from catan_env.training.decisions import ENDED, OPEN, Decisions
from catan_env.training.functions import check_finite, check_pays_function
from catan_env.training.imitation.teachers import CHOICES, Teacher
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Opponents
from catan_env.training.options import Args
from catan_env.training.rollout_buffer import RolloutBuffer

Array = np.ndarray[Any, Any]
Act = Callable[[Array, Array], Choices]
"""Chooses by observations, (n, size), and packed masks, (n, bytes)."""


class Collector:
    """Plays all games and records the decisions of the seats that learn."""

    def __init__(
        self, args: Args, batch: Any, num_features: int, opponents: Opponents | None = None,
        features_dtype: Any = np.int8,
    ) -> None:  # fmt: skip
        self.args, self.batch, self.opponents = args, batch, opponents
        self.potential = named(args.shaping) if args.shaping else None
        self.reward = named(args.reward_function) if args.reward_function else None
        if self.reward is not None:
            check_pays_function(batch)
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
        self._play(actions)
        self._record_chance()
        self._receive()
        self._counts.actions += len(masks)
        self._counts.decisions += len(rows)

    def _play(self, actions: Array) -> None:
        """Play a step; the reward function reads how games ended, and then the next ones begin.

        ValueError if it pays a number that is not finite: learned from, it would spoil the weights.
        """
        batch = self.batch
        if self.reward is None:
            batch.step(actions)
            return
        before, batch.autoreset = batch.states.copy(), False
        batch.step(actions)
        paid = self.reward(before, actions, batch)
        call("reward_function", check_finite, paid, batch)
        self._owed += paid
        if (batch.done != GOES_ON).any():
            batch.reset_finished()

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
            potentials = self.potential(batch)
            call("shaping", check_finite, potentials, batch)
            decisions.potentials[new] = potentials[rows, seats]
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

    def _receive(self) -> None:
        """Add the rewards of this step, and close the streams of the games that ended."""
        batch = self.batch
        self._owed += self.args.reward_scale * batch.rewards
        if self.opponents is not None:
            self.opponents.receive()
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
