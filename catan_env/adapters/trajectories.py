"""The value of one seat's decision, where all seats of a game learn.

A seat's next step is its own next decision. Whatever it receives until then, while others act,
is the reward of its step: the loser's -1 reaches its last decision, although others played after
it. Seats and games are separate, and a turn limit ends a game with 0 for all.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class SeatChains:
    """Generalized advantages of each seat's own decisions, walking back through N games.

    Go through the steps from the last to the first: `end`, `receive`, then `decide`. Discount and
    lambda count a seat's own decisions.

    >>> chains = SeatChains(1, gamma=1.0, gae_lambda=1.0)
    >>> chains.end(np.array([True]))
    >>> chains.receive(np.array([[1.0, -1.0, 0.0, 0.0]]))
    >>> reward, advantage, is_known = chains.decide(np.array([0]), np.array([0.25]))
    >>> advantage.tolist(), is_known.tolist()
    ([0.75], [True])
    >>> chains.decide(np.array([1]), np.array([0.0]))[1].tolist()
    [-1.0]
    """

    def __init__(self, num_games: int, gamma: float, gae_lambda: float, seats: int = 4) -> None:
        self.gamma, self.gae_lambda = gamma, gae_lambda
        shape = (num_games, seats)
        self.received = np.zeros(shape)
        self._value, self._advantage = np.zeros(shape), np.zeros(shape)
        self._is_known = np.zeros(shape, np.bool_)
        self._games = np.arange(num_games)

    def expect(self, seats: Array, values: Array) -> None:
        """Begin after the last step: `seats`, (n,) int8, act in positions of `values`, (n,)."""
        self._value[self._games, seats] = values
        self._is_known[self._games, seats] = True

    def end(self, ends: Array) -> None:
        """Mark games that the step ended, (n,) bool: nothing after it belongs to them."""
        for kept in (self.received, self._value, self._advantage):
            kept[ends] = 0
        self._is_known[ends] = True

    def receive(self, rewards: Array) -> None:
        """Add every seat's rewards of the step: (n, seats)."""
        self.received += rewards

    def decide(
        self, seats: Array, values: Array, games: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """Add the step's decisions, one in each of `games` (default: all), by `seats`.

        `values` are those of the positions. Returns the seats' rewards, their advantages, and True
        where the result is known: it is not, and the advantage is 0, where the seat did not act
        again.
        """
        at = (self._games if games is None else games, seats)
        rewards, is_known = self.received[at], self._is_known[at]
        ahead = self._value[at] + self.gae_lambda * self._advantage[at]
        advantages = np.where(is_known, rewards + self.gamma * ahead - values, 0.0)
        self.received[at] = 0
        self._value[at], self._advantage[at], self._is_known[at] = values, advantages, True
        return rewards, advantages, is_known
