"""Self-play by search: in every decision, what playouts find is recorded and played."""

from typing import Any

import numpy as np
from tqdm import tqdm

from catan_env.batch import ENDED, GOES_ON, STAY, Batch
from catan_env.core.constants import SEATS
from catan_env.policies.greedy import rank
from catan_env.training.agent import NEVER, Agent
from catan_env.training.expert_iteration.playouts import Playouts
from catan_env.training.imitation.demonstrations import Demonstrations
from catan_env.training.opponents import Opponents

Array = np.ndarray[Any, Any]
FIRST = 1e6
"""Above all logits."""
MOST_UNSEARCHED = 100_000
"""Decisions in a row that may have no search."""


class NothingSearched(ValueError):
    """The threshold is so low that the network decides alone."""


class Expert:
    """Plays the games of a batch, and searches in every decision with a choice.

    The recorded policy is exp(prior_coef * logit + value / temperature) over the candidates, of
    which `greedy_candidates` are those that `greedy` values most. Where the network's probability
    of an action is above `search_threshold`, that action is played and nothing is recorded.
    """

    def __init__(
        self, agent: Agent, batch: Batch, playouts: Playouts, buffer: Demonstrations,
        temperature: float, seed: int, opponents: Opponents | None = None,
        prior_coef: float = 1.0, greedy_candidates: int = 0, search_threshold: float = 1.0,
    ) -> None:  # fmt: skip
        self.agent, self.batch, self.playouts = agent, batch, playouts
        self.buffer, self.temperature, self.opponents = buffer, temperature, opponents
        self.prior_coef, self.greedy_candidates = prior_coef, greedy_candidates
        self.search_threshold = search_threshold
        self._random = np.random.default_rng(seed)
        self._written: list[list[tuple[int, int]]] = [[] for _ in range(batch.num_games)]

    def record(self, decisions: int) -> None:
        """Play until that many more decisions are recorded.

        NothingSearched if there is no search in MOST_UNSEARCHED of them.
        """
        until, unsearched = self.buffer.added + decisions, 0
        with tqdm(total=decisions, desc="searching", disable=None) as bar:
            while self.buffer.added < until:
                before = self.buffer.added
                decided = self._step()
                recorded = self.buffer.added - before
                bar.update(recorded)
                unsearched = 0 if recorded else unsearched + decided
                if unsearched >= MOST_UNSEARCHED:
                    raise NothingSearched(
                        f"none of {unsearched:,} decisions was searched: each had an action more "
                        f"probable than search_threshold, {self.search_threshold:g}"
                    )

    def _step(self) -> int:
        """Play a step; returns the number of decisions with a choice."""
        batch = self.batch
        assert batch.action_masks is not None
        masks = batch.action_masks
        actions = masks.argmax(axis=1)
        rows = np.flatnonzero(np.add.reduce(masks, axis=1, dtype=np.int16) > 1)
        if self.opponents is not None:
            rows = self.opponents.choose(actions, rows)
        if len(rows):
            actions[rows] = self._decide(rows)
        batch.step(actions)
        self._conclude()
        return len(rows)

    def _decide(self, rows: Array) -> Array:
        """The actions of the games `rows`, by search where no action is above the threshold."""
        assert self.batch.observations is not None and self.batch.action_masks is not None
        observations, masks = self.batch.observations[rows], self.batch.action_masks[rows]
        logits = self.agent.logits(observations, np.packbits(masks, axis=1))
        actions: Array = logits.argmax(axis=1)
        unsure = np.flatnonzero(softmax(logits).max(axis=1) <= self.search_threshold)
        if len(unsure):
            given = observations[unsure], masks[unsure], logits[unsure]
            actions[unsure] = self._search(rows[unsure], *given)
        return actions

    def _search(self, rows: Array, observations: Array, masks: Array, logits: Array) -> Array:
        """Search in the games `rows`, record the policy found, and draw the actions from it."""
        batch = self.batch
        candidates = self._candidates(rows, logits)
        priors = np.take_along_axis(logits, candidates, 1)
        there = priors > NEVER
        tried = np.where(there, candidates, candidates[:, :1])
        q_values = self.playouts.q_values(batch.states[rows], batch.seat[rows], tried)
        sums = self.prior_coef * priors + q_values / self.temperature
        probs = softmax(np.where(there, sums, -np.inf))
        numbers = self.buffer.add(observations, masks, tried, probs)
        for i, seat, number in zip(rows.tolist(), batch.seat[rows].tolist(), numbers, strict=True):
            self._written[i].append((number, seat))
        drawn = (probs.cumsum(1) > self._random.random((len(rows), 1))).argmax(1)
        return tried[np.arange(len(rows)), drawn]

    def _candidates(self, rows: Array, logits: Array) -> Array:
        """Some of `greedy`'s best, then draws from the network: (k, candidates)."""
        noisy = logits + self._random.gumbel(size=logits.shape)
        noisy[logits <= NEVER] = -np.inf
        if self.greedy_candidates:
            best = rank(self.batch, self.greedy_candidates)[0][rows]
            for place in range(self.greedy_candidates):
                k = np.flatnonzero(best[:, place] != STAY)
                noisy[k, best[k, place]] = FIRST - place
        candidates: Array = np.argsort(-noisy, axis=1, kind="stable")[:, : self.playouts.candidates]
        return candidates

    def _conclude(self) -> None:
        """Record the results of the games that ended with their decisions."""
        batch = self.batch
        over = np.flatnonzero(batch.done != GOES_ON)
        for i in over.tolist():
            if batch.done[i] == ENDED and self._written[i]:
                numbers, seats = np.array(self._written[i]).T
                points = np.full((len(numbers), SEATS), np.nan, np.float32)
                self.buffer.conclude(numbers, batch.rewards[i, seats], points)
            self._written[i] = []
        if self.opponents is not None:
            self.opponents.receive()
            if len(over):
                self.opponents.end(over)


def softmax(x: Array) -> Array:
    """The softmax of each row: (n, k) float32.

    >>> softmax(np.array([[0.0, 0.0, -np.inf]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    result: Array = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
