"""The rollout buffer of MaskablePPO for games in which every seat learns."""

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from catan_env.adapters.trajectories import SeatChains

Array = np.ndarray[Any, Any]


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """A rollout in which each step belongs to one of several seats of its game.

    Seats, rewards and ends are those of each step's infos (`take`). Advantages are those of
    `trajectories.SeatChains`. At the end of a rollout the acting seat of each game bootstraps
    from the observation that it is about to act on. The results of the other seats' last decisions
    are not known yet: each of them waits, and is learned from in the rollout in which its seat acts
    again or its game ends. So every decision is learned from once, and every final reward arrives.
    """

    is_known: Array

    def __init__(self, *args: Any, num_seats: int = 4, **kwargs: Any) -> None:
        self.num_seats = num_seats
        super().__init__(*args, **kwargs)
        self._waiting = self._late = self._decisions(self.is_known)
        self._late_advantages = np.zeros(0)

    def reset(self) -> None:
        """Forget the rollout, but not the waiting decisions, unless steps are missing."""
        if self.pos and not self.full:
            self._waiting = self._waiting.where(np.zeros(len(self._waiting.games), np.bool_))
        super().reset()
        shape = (self.buffer_size, self.n_envs)
        self.seats = np.zeros(shape, np.int8)
        self.seat_rewards = np.zeros((*shape, self.num_seats), np.float32)
        self.ends = np.zeros(shape, np.bool_)
        self.is_known = np.zeros(shape, np.bool_)
        self._is_taken = False

    def take(self, infos: list[dict[str, Any]], dones: Any) -> None:
        """Take a step's infos before it is added: the seat that acted, and the one that acts next.

        Its keys are `"acted"`, `"seat"` and `"seat_rewards"`, one for each of up to `num_seats`.
        """
        try:
            self.seats[self.pos] = [info["acted"] for info in infos]
            rewards = np.array([info["seat_rewards"] for info in infos])
            self._next_seats = np.array([info["seat"] for info in infos], np.int8)
        except KeyError as error:
            raise ValueError(
                f"no {error} in the infos: expected an environment with self_play=True"
            ) from None
        self.seat_rewards[self.pos, :, : rewards.shape[1]] = rewards
        self.ends[self.pos] = dones
        self._is_cut_off = np.array([info.get("TimeLimit.truncated", False) for info in infos])
        self._is_taken = True

    def add(self, obs: Any, action: Any, reward: Any, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Add a step whose infos were taken; ValueError if the rewards do not match them.

        Beyond the turn limit MaskablePPO itself adds to the reward.
        """
        if not self._is_taken:
            raise ValueError("a step is added without its infos: call per_seat(model)")
        self._is_taken = False
        due = self.seat_rewards[self.pos, np.arange(self.n_envs), self.seats[self.pos]]
        if not np.allclose(due[~self._is_cut_off], reward[~self._is_cut_off], atol=1e-5):
            raise ValueError(
                "a VecEnv wrapper changes the rewards; those of the other seats it cannot change, "
                "so take it off, or let it change observations alone (norm_reward=False)"
            )
        super().add(obs, action, reward, *args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Array) -> None:
        """Walk back through the rollout; `last_values` are of the observations after it."""
        chains = SeatChains(self.n_envs, self.gamma, self.gae_lambda, self.num_seats)
        chains.expect(self._next_seats, last_values.cpu().numpy().flatten())
        for step in reversed(range(self.buffer_size)):
            chains.end(self.ends[step])
            chains.receive(self.seat_rewards[step])
            self.rewards[step], self.advantages[step], self.is_known[step] = chains.decide(
                self.seats[step], self.values[step]
            )
        self.returns = self.advantages + self.values
        self._settle(chains)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """The decisions with a known result, shuffled, in minibatches of equal size.

        No minibatch has a single decision, whose normalized advantage would be NaN: of an odd
        number of decisions three are together if `batch_size` is 1 or 2.
        """
        if not self.generator_ready:
            self._gather()
        order = np.random.permutation(len(self.values))
        count = min(ceil(len(order) / (batch_size or len(order))), len(order) // 2)
        for rows in np.array_split(order, count):
            yield self._get_samples(rows)

    def _settle(self, chains: SeatChains) -> None:
        """Credit the waiting decisions with their results, and note those that wait now."""
        waiting = self._waiting.where(self.episode_starts[0, self._waiting.games] == 0)
        chains.received[waiting.games, waiting.seats] += waiting.rewards
        rewards, advantages, is_known = chains.decide(waiting.seats, waiting.values, waiting.games)
        self._late, self._late_advantages = waiting.where(is_known), advantages[is_known]
        still = waiting._replace(rewards=rewards).where(~is_known)
        self._waiting = still.and_also(self._decisions(~self.is_known))

    def _decisions(self, at: Array) -> "Decisions":
        """The decisions of the rollout where `at`, (buffer_size, n_envs) bool, is true."""
        return Decisions(
            np.nonzero(at)[1],
            self.seats[at],
            self.rewards[at],
            self.observations[at],
            self.actions[at],
            self.action_masks[at],
            self.values[at],
            self.log_probs[at],
        )

    def _gather(self) -> None:
        """Concatenate the decisions with a known result, late ones last."""
        assert self.full, "the rollout is not full"
        known, advantages = self._decisions(self.is_known), self.advantages[self.is_known]
        known = known.and_also(self._late)
        self.advantages = np.concatenate([advantages, self._late_advantages]).astype(np.float32)
        self.observations, self.actions = known.observations, known.actions
        self.action_masks, self.log_probs = known.action_masks, known.log_probs
        self.values, self.returns = known.values, known.values + self.advantages
        if len(self.values) < 2:
            count = f"{len(self.values) or 'no'} decision has a result yet"
            raise ValueError(f"n_steps={self.buffer_size} is too few: {count}")
        self.generator_ready = True


class Decisions(NamedTuple):
    """Decisions from many games, one in each row of the arrays."""

    games: Array
    seats: Array
    rewards: Array
    observations: Array
    actions: Array
    action_masks: Array
    values: Array
    log_probs: Array

    def where(self, rows: Array) -> "Decisions":
        """The decisions whose row is true."""
        return Decisions(*(column[rows] for column in self))

    def and_also(self, others: "Decisions") -> "Decisions":
        """These decisions followed by the others."""
        return Decisions(*(np.concatenate(pair) for pair in zip(self, others, strict=True)))
