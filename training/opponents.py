"""Who plays against the learner in some of the games: fixed policies and its own past selves.

In such a game the learner has one seat, and one opponent all others. Games are begun with
opponents at a given chance; who it is follows from ratings: those about as strong as the learner
are met most often. What they decide is not learned from.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.policies.players import Player
from catan_env.training.pool import LEARNER, Pool

Array = np.ndarray[Any, Any]
NOBODY = -1
"""In place of an opponent: the learner has all seats."""


class Opponents:
    """At which of the games of a batch who sits; `load` makes a player of a name."""

    def __init__(
        self, pool: Pool, share: float, batch: Any, load: Callable[[str], Player], seed: int
    ) -> None:
        self.pool, self.share, self.batch = pool, share, batch
        self._load = load
        self._players: dict[str, Player] = {}
        self._names: list[str] = []
        self._generator = np.random.default_rng(seed)
        self._games = np.arange(len(batch.rewards))
        self._who = np.full(len(self._games), NOBODY)
        """The opponent of each game, as a place in `_names`."""
        self._seats = np.zeros(len(self._games), np.int64)
        """The learner's seat, where there is one."""
        self._met: dict[str, list[bool]] = {}
        self.seat_down(self._games)

    def choose(self, actions: Array, rows: Array) -> Array:
        """Write opponents' `actions`, (n,), of the games `rows`; returns the learner's rows."""
        theirs = self._decide()[rows]
        for k in np.unique(self._who[rows[theirs]]).tolist():
            at = rows[theirs & (self._who[rows] == k)]
            actions[at] = self._players[self._names[k]].choose(self.batch, at)
        return rows[~theirs]

    def end(self, over: Array) -> None:
        """Rate who played the games `over`, (k,), which ended, and draw who begins the next."""
        for i in over[self._who[over] != NOBODY].tolist():
            paid = self.batch.rewards[i]
            if paid.any():  # else it was cut off
                name, won = self._names[self._who[i]], bool(paid[self._seats[i]] > 0)
                self._met.setdefault(name, []).append(won)
                if name in self.pool.ratings:
                    self.pool.tell([name], won)
        self.seat_down(over)

    def seat_down(self, games: Array) -> None:
        """Draw who plays the games that begin."""
        met = self._generator.random(len(games)) < self.share
        names = [name for name in self.pool.ratings if name != LEARNER]
        self._who[games] = NOBODY
        if names and met.any():
            drawn = self.pool.pick(self._generator, int(met.sum()))
            self._who[games[met]] = [self._place(name) for name in drawn]
        self._seats[games] = self._generator.integers(self.batch.seats, size=len(games))

    def news(self) -> dict[str, float]:
        """Win rates against each who was met since this was asked last, and the rating."""
        rates = {f"won_against/{name}": float(np.mean(won)) for name, won in self._met.items()}
        self._met = {}
        return rates | {"games/rating": self.pool.ratings[LEARNER]}

    def _decide(self) -> Array:
        """Whether an opponent is to decide, in each game."""
        return (self._who != NOBODY) & (self.batch.seat != self._seats)

    def _place(self, name: str) -> int:
        if name not in self._players:
            self._players[name] = self._load(name)
            self._names.append(name)
        return self._names.index(name)
