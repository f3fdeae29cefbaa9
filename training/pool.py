"""The opponents that self-play meets besides itself: fixed policies and its own past selves."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

LEARNER = "learner"
STEP = 16.0
"""How many points of Elo a game between equals moves."""
NEAR = 200.0
"""Differences of rating beyond which an opponent is seldom met."""


@dataclass
class Pool:
    """Ratings by name: of the learner, of fixed policies, and of weights files.

    >>> pool = Pool({"learner": 1000.0, "random": 1000.0})
    >>> pool.tell(["random"], won=True)
    >>> pool.ratings
    {'learner': 1008.0, 'random': 992.0}
    """

    ratings: dict[str, float] = field(default_factory=lambda: {LEARNER: 1000.0})
    most: int = 12
    """Past selves kept; the oldest goes first."""

    def pick(self, generator: np.random.Generator, k: int) -> list[str]:
        """`k` opponents, those near the learner's rating more often."""
        names = [name for name in self.ratings if name != LEARNER]
        apart = np.array([self.ratings[name] - self.ratings[LEARNER] for name in names])
        weights = np.exp(-np.abs(apart) / NEAR) + 0.02
        return [str(n) for n in generator.choice(names, size=k, p=weights / weights.sum())]

    def tell(self, opponents: Sequence[str], won: bool) -> None:
        """The learner won at a table with those opponents, or one of them did.

        Whoever of several won, the stronger of them are the likelier ones.
        """
        odds = {name: 10 ** (self.ratings[name] / 400) for name in (LEARNER, *opponents)}
        others = sum(odds[name] for name in opponents)
        moved = STEP * (won - odds[LEARNER] / (odds[LEARNER] + others))
        self.ratings[LEARNER] += moved
        for name in opponents:
            self.ratings[name] -= moved * odds[name] / others

    def add(self, weights: str) -> None:
        """Take a past self, rated as the learner is now; the oldest of too many goes."""
        selves = [name for name in self.ratings if name.endswith(".npz")]
        for oldest in selves[: max(len(selves) + 1 - self.most, 0)]:
            del self.ratings[oldest]
        self.ratings[weights] = self.ratings[LEARNER]

    def dumps(self) -> str:
        """As JSON; `Pool(**json.loads(text))` makes it again."""
        return json.dumps(asdict(self), indent=1)
