"""Opponents in some of the games: fixed policies and past selves of the agent, rated by Elo.

In such a game the agent has one seat and one opponent all others. `Opponents.reseat` decides where
and whom it meets: those with a rating near its own most often. The agent does not learn from
their decisions.
"""

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from catan_env.adapters.games import CUT_OFF
from catan_env.adapters.policies import result_of
from catan_env.policies.players import player
from catan_env.policy import BatchedPolicy

Array = np.ndarray[Any, Any]
LEARNER = "learner"
STEP = 16.0
"""Elo points that a game between equals moves."""
NEAR = 200.0
"""Rating differences beyond which an opponent is seldom met."""
NONE = -1
"""Instead of an opponent: the agent has all seats."""


@dataclass
class Pool:
    """Ratings by name: of the learner, of the `fixed` policies, and of past selves.

    A past self has the name of its weights file in the run's folder.

    >>> pool = Pool(["random"])
    >>> pool.update_ratings(["random"], won=True)
    >>> pool.ratings
    {'learner': 1008.0, 'random': 992.0}
    """

    fixed: Sequence[str] = ()
    ratings: dict[str, float] = field(default_factory=dict)
    most: int = 12
    """Past selves in the pool; the oldest leaves first."""

    def __post_init__(self) -> None:
        self.ratings = self.ratings or dict.fromkeys((LEARNER, *self.fixed), 1000.0)

    def is_past_self(self, name: str) -> bool:
        """True for a name that the run added, also after it left the pool."""
        return name not in (LEARNER, *self.fixed)

    @property
    def past_selves(self) -> list[str]:
        """Those in the pool, the oldest first."""
        return [name for name in self.ratings if self.is_past_self(name)]

    def pick(self, generator: np.random.Generator, k: int) -> list[str]:
        """`k` opponents, those near the learner's rating more often; none from an empty pool."""
        names = [name for name in self.ratings if name != LEARNER]
        if not names:
            return []
        apart = np.array([self.ratings[name] - self.ratings[LEARNER] for name in names])
        weights = np.exp(-np.abs(apart) / NEAR) + 0.02
        return [str(n) for n in generator.choice(names, size=k, p=weights / weights.sum())]

    def update_ratings(self, opponents: Sequence[str], won: float) -> None:
        """Rate a game of the learner with those opponents, one for each other seat.

        `won` is 1 if it won, 0 if one of them did, and its share if it was among the winners.
        Which of several won is not used: the stronger are the likelier winners.
        """
        odds = {name: 10 ** (self.ratings[name] / 400) for name in (LEARNER, *opponents)}
        others = sum(odds[name] for name in opponents)
        moved = STEP * (won - odds[LEARNER] / (odds[LEARNER] + others))
        self.ratings[LEARNER] += moved
        for name in opponents:
            self.ratings[name] -= moved * odds[name] / others

    def rate(self, opponent: str, seats: int, won: float) -> None:
        """Rate a game with an opponent at that many seats, unless it has left the pool."""
        if opponent in self.ratings:
            self.update_ratings([opponent] * seats, won)

    def add(self, weights: str) -> None:
        """Add a past self with the learner's rating; the oldest of too many leaves.

        One with the name of a fixed policy is not added: a name has one player.
        """
        if weights in self.fixed:
            return
        selves = self.past_selves
        for oldest in selves[: max(len(selves) + 1 - self.most, 0)]:
            del self.ratings[oldest]
        self.ratings[weights] = self.ratings[LEARNER]

    def check_files(self, folder: Path) -> None:
        """Raise ValueError if the weights of a past self are not in the folder."""
        for name in self.past_selves:
            if not (folder / name).is_file():
                raise ValueError(
                    f"{folder / name}: it is missing, and is an opponent of this run; restore it, "
                    "or begin in another folder"
                )

    def dumps(self) -> str:
        """As JSON; `Pool(**json.loads(text))` makes it again."""
        return json.dumps(asdict(self), indent=1)


class Opponents:
    """The opponent and the agent's seat in each game of a batch; `load` makes a player of a name.

    In a `fraction` of the games that begin there is an opponent.
    """

    def __init__(
        self,
        pool: Pool,
        fraction: float,
        batch: Any,
        load: Callable[[str], BatchedPolicy],
        seed: int,
    ) -> None:
        self.pool, self.fraction, self.batch = pool, fraction, batch
        self.others = batch.seats - 1
        """The seats of an opponent."""
        self._load = load
        self._players: dict[str, BatchedPolicy] = {}
        self._names: list[str] = []
        self._generator = np.random.default_rng(seed)
        games = np.arange(len(batch.rewards))
        self._opponents = np.full(len(games), NONE)
        """Of each game, as a place in `_names`."""
        self._seats = np.zeros(len(games), np.int64)
        """The agent's seat where there is an opponent."""
        self._paid = np.zeros(batch.rewards.shape)
        """The sum of the rewards of each game, by seat."""
        self._results: dict[str, list[float]] = {}
        self.reseat(games)

    def choose(self, actions: Array, rows: Array) -> Array:
        """Write opponents' `actions`, (n,), of the games `rows`; returns the agent's rows."""
        theirs = self._decide()[rows]
        for k in np.unique(self._opponents[rows[theirs]]).tolist():
            at = rows[theirs & (self._opponents[rows] == k)]
            one = self._players[self._names[k]]
            actions[at] = result_of(one, one.choose, self.batch, at)
        return rows[~theirs]

    def receive(self) -> None:
        """Add the rewards of a step of the batch, before `end`."""
        self._paid += self.batch.rewards

    def end(self, over: Array) -> None:
        """Rate the games `over`, (k,), which ended, and draw the seats of the next ones."""
        rated = over[(self._opponents[over] != NONE) & (self.batch.done[over] != CUT_OFF)]
        won = shares(self._paid[rated, : self.batch.seats], self._seats[rated])
        for i, share in zip(rated.tolist(), won.tolist(), strict=True):
            name = self._names[self._opponents[i]]
            self._results.setdefault(name, []).append(share)
            self.pool.rate(name, self.others, share)
        self._paid[over] = 0
        self.reseat(over)

    def reseat(self, games: Array) -> None:
        """Draw opponents and seats for the games that begin."""
        met = self._generator.random(len(games)) < self.fraction
        names = [name for name in self.pool.ratings if name != LEARNER]
        self._opponents[games] = NONE
        if names and met.any():
            drawn = self.pool.pick(self._generator, int(met.sum()))
            self._opponents[games[met]] = [self._place(name) for name in drawn]
        self._seats[games] = self._generator.integers(self.batch.seats, size=len(games))

    def met(self) -> set[str]:
        """The names of those who play now."""
        return {self._names[k] for k in np.unique(self._opponents).tolist() if k != NONE}

    def results(self) -> dict[str, list[float]]:
        """By opponent, the agent's share of the win of each game with it since the last call."""
        found, self._results = self._results, {}
        return found

    def state_dict(self) -> dict[str, Any]:
        """All that the next games depend on; players that cannot be pickled are left out."""
        return {
            "names": self._names,
            "opponents": self._opponents,
            "seats": self._seats,
            "paid": self._paid,
            "generator": self._generator,
            "players": {name: pickled(one) for name, one in self._players.items()},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue where `state_dict` was called; players left out there are made again."""
        self._names, self._generator = state["names"], state["generator"]
        self._opponents[:], self._seats[:] = state["opponents"], state["seats"]
        self._paid[:] = state.get("paid", 0)  # a checkpoint of version 0.2 has none
        self._players = {}
        met = self.met()
        for name, saved in state["players"].items():
            if saved is not None:
                self._players[name] = pickle.loads(saved)
            elif name in met:
                self._players[name] = self._load(name)

    def _decide(self) -> Array:
        """True where an opponent has the next decision."""
        return (self._opponents != NONE) & (self.batch.seat != self._seats)

    def _place(self, name: str) -> int:
        if name not in self._players:
            self._players[name] = self._load(name)
            if name not in self._names:
                self._names.append(name)
        return self._names.index(name)


def shares(paid: Array, seats: Array) -> Array:
    """The share of `seats`, (n,), in the win of games that paid so much, (n, seats): (n,) float64.

    >>> shares(np.array([[1.0, 5.0], [2.0, 2.0], [0.0, -1.0]]), np.array([0, 0, 0])).tolist()
    [0.0, 0.5, 1.0]
    """
    won = np.isclose(paid, paid.max(axis=1, keepdims=True))
    result: Array = won[np.arange(len(paid)), seats] / won.sum(axis=1)
    return result


@runtime_checkable
class FindsPlayers(Protocol):
    """A batch that finds the policies of its game by name."""

    def player(self, name: str, /) -> BatchedPolicy:
        """The policy of that name; ValueError if there is none."""


def opponent(name: str, batch: Any) -> BatchedPolicy:
    """The opponent of that name: a league's entrant, or a policy of the batch's game or Catan's."""
    if "#" in name:
        return entrant(name)
    return batch.player(name) if isinstance(batch, FindsPlayers) else player(name)


def entrant(name: str) -> BatchedPolicy:
    """The player of a league's entrant, "LEDGER#NAME"; ValueError if it is not a policy."""
    # needs sqlalchemy
    from catan_env.arena.league.entrant import POLICY, EntrantFiles
    from catan_env.arena.league.ledger import Ledger

    place, _, wanted = name.rpartition("#")
    found = {one.title: one for one in Ledger(place).entrants(with_files=True) if one.is_active}
    if wanted not in found:
        raise ValueError(f"{place!r} has no entrant {wanted!r}; it has {', '.join(found)}")
    if found[wanted].kind != POLICY:
        raise ValueError(f"{wanted!r} of {place!r} is a command; an opponent is a policy")
    files = EntrantFiles()
    try:
        return player(files.policy_of(found[wanted]))
    finally:
        files.close()


def pickled(one: BatchedPolicy) -> bytes | None:
    """A player with what it remembers of its games; None if it cannot be pickled."""
    try:
        return pickle.dumps(one)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
