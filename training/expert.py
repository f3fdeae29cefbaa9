"""Search as a teacher: games of a network with itself, and what search finds in them."""

from typing import Any, Protocol

import numpy as np
from tqdm import tqdm

from catan_env.batch import GOES_ON, STAY, WON, Batch
from catan_env.policies.greedy import rank
from catan_env.training.demonstrations import SEATS, Demonstrations
from catan_env.training.learner import NEVER, Learner
from catan_env.training.opponents import Opponents

Array = np.ndarray[Any, Any]
FIRST = 1e6
"""Above all outputs."""


class Ahead(Protocol):
    """Looks ahead in many games at once: `Lookahead` by a network, `Playouts` by `greedy`."""

    candidates: int
    """How many actions it is asked about in each game."""

    def worth(self, states: Array, seats: Array, actions: Array) -> Array:
        """What `actions`, (k, candidates), are worth to `seats`, (k,): (k, candidates) float32."""
        ...


class Expert:
    """Plays the games of a batch, and searches in every decision with a choice.

    `temperature` is how much less an action may be worth to have 1/e of the share it had; `prior`
    is how much the network's own output counts beside that. Of the candidates `valued` are those
    that `greedy` values most. Where the network draws one action with a probability above `sure`,
    that action is played, and nothing is searched or written down.
    """

    def __init__(
        self, learner: Learner, batch: Batch, ahead: Ahead, kept: Demonstrations,
        temperature: float, seed: int, opponents: Opponents | None = None,
        prior: float = 1.0, valued: int = 0, sure: float = 1.0,
    ) -> None:  # fmt: skip
        self.learner, self.batch, self.ahead = learner, batch, ahead
        self.kept, self.temperature, self.opponents = kept, temperature, opponents
        self.prior, self.valued, self.sure = prior, valued, sure
        self._random = np.random.default_rng(seed)
        self._written: list[list[tuple[int, int]]] = [[] for _ in range(batch.num_games)]

    def record(self, decisions: int) -> None:
        """Play until so many more decisions are written down."""
        until = self.kept.added + decisions
        with tqdm(total=decisions, desc="searching", disable=None) as bar:
            while self.kept.added < until:
                before = self.kept.added
                self._step()
                bar.update(self.kept.added - before)

    def _step(self) -> None:
        batch = self.batch
        masks = batch.action_masks
        actions = masks.argmax(axis=1)
        rows = np.flatnonzero(np.add.reduce(masks, axis=1, dtype=np.int16) > 1)
        if self.opponents is not None:
            rows = self.opponents.choose(actions, rows)
        if len(rows):
            actions[rows] = self._decide(rows)
        batch.step(actions)
        self._conclude()

    def _decide(self, rows: Array) -> Array:
        """What is played in the games `rows`: where the network is not sure, a search says it."""
        observations, masks = self.batch.observations[rows], self.batch.action_masks[rows]
        outputs = self.learner.outputs(observations, masks)
        actions: Array = outputs.argmax(axis=1)
        unsure = np.flatnonzero(softmax(outputs).max(axis=1) <= self.sure)
        if len(unsure):
            given = observations[unsure], masks[unsure], outputs[unsure]
            actions[unsure] = self._search(rows[unsure], *given)
        return actions

    def _search(self, rows: Array, observations: Array, masks: Array, outputs: Array) -> Array:
        """Search in the games `rows`, write down what was found, and draw what is played."""
        batch, ahead = self.batch, self.ahead
        candidates = self._candidates(rows, outputs)
        likely = np.take_along_axis(outputs, candidates, 1)
        there = likely > NEVER
        tried = np.where(there, candidates, candidates[:, :1])
        worth = ahead.worth(batch.states[rows], batch.seat[rows], tried)
        sums = self.prior * likely + worth / self.temperature
        shares = softmax(np.where(there, sums, -np.inf))
        numbers = self.kept.add(observations, masks, tried, shares)
        for i, seat, number in zip(rows.tolist(), batch.seat[rows].tolist(), numbers, strict=True):
            self._written[i].append((number, seat))
        drawn = (shares.cumsum(1) > self._random.random((len(rows), 1))).argmax(1)
        return tried[np.arange(len(rows)), drawn]

    def _candidates(self, rows: Array, outputs: Array) -> Array:
        """Some of `greedy`'s best, then what is drawn from the network: (k, candidates)."""
        noisy = outputs + self._random.gumbel(size=outputs.shape)
        noisy[outputs <= NEVER] = -np.inf
        if self.valued:
            best = rank(self.batch, self.valued)[0][rows]
            for place in range(self.valued):
                k = np.flatnonzero(best[:, place] != STAY)
                noisy[k, best[k, place]] = FIRST - place
        candidates: Array = np.argsort(-noisy, axis=1, kind="stable")[:, : self.ahead.candidates]
        return candidates

    def _conclude(self) -> None:
        """Tell the decisions of games that ended what came of them."""
        batch = self.batch
        over = np.flatnonzero(batch.done != GOES_ON)
        for i in over.tolist():
            if batch.done[i] == WON and self._written[i]:
                numbers, seats = np.array(self._written[i]).T
                points = np.full((len(numbers), SEATS), np.nan, np.float32)
                self.kept.conclude(numbers, batch.rewards[i, seats], points)
            self._written[i] = []
        if self.opponents is not None and len(over):
            self.opponents.end(over)


def softmax(x: Array) -> Array:
    """Of each row, (n, k) float32.

    >>> softmax(np.array([[0.0, 0.0, -np.inf]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    likely = np.exp(x - x.max(axis=1, keepdims=True))
    result: Array = (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
