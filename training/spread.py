"""The games of a run spread over processes or, by Ray, over machines; one process learns."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch

from catan_env.training.configuration import named
from catan_env.training.experience import Experience, joined
from catan_env.training.learner import Learner
from catan_env.training.pool import Pool
from catan_env.training.settings import Args
from catan_env.training.tables import Tables
from catan_env.training.workers import Workers

Array = np.ndarray[Any, Any]
Ratings = dict[str, float]
Selves = dict[str, bytes]
"""Weights files of past selves, by name."""


class Played(NamedTuple):
    """What one process has played."""

    experience: Experience
    ratings: Ratings
    news: dict[str, float]
    seconds: float
    """Of a processor."""


class Share:
    """A share of the games, played by a copy of the network; `args` speak of this share."""

    def __init__(self, args: Args, seed: int, ratings: Ratings, selves: Selves) -> None:
        torch.set_num_threads(1)
        batch = named(args.game)(args.num_games, seed=seed, **args.options)
        self.learner = Learner(args, batch, "cpu")
        self.pool = Pool(dict(ratings))
        self._folder = TemporaryDirectory()
        self._write(selves)
        folder = Path(self._folder.name)
        self.tables = Tables(args, self.learner, batch, self.pool, folder, seed)
        torch.manual_seed(seed)

    def play(
        self, weights: Mapping[str, Array], decisions: int, ratings: Ratings, selves: Selves
    ) -> Played:
        """By these weights; the run has learned from `decisions`, and `selves` are new to it."""
        begun = time.process_time()
        self._write(selves)
        self.pool.ratings = dict(ratings)
        self.learner.network.load_state_dict(
            {name: torch.from_numpy(array) for name, array in weights.items()}
        )
        experience = self.tables.play(decisions)
        spent = time.process_time() - begun
        return Played(experience, self.pool.ratings, self.tables.news(), spent)

    def _write(self, selves: Selves) -> None:
        for name, packed in selves.items():
            (Path(self._folder.name) / name).write_bytes(packed)


class SpreadTables:
    """As `Tables`, with the games in `workers` other processes, actors of Ray where `ray`."""

    def __init__(
        self, args: Args, learner: Learner, pool: Pool, folder: Path, seed: int,
        workers: int, ray: bool = False,
    ) -> None:  # fmt: skip
        self.learner, self.pool, self.folder = learner, pool, folder
        self.seconds = 0.0
        """Of processors, that the workers have played."""
        self._sent: set[str] = set()
        self._news: list[dict[str, float]] = []
        selves = self._new_selves()
        self._workers = Workers(
            Share,
            [(shared(args, k, workers), seed + k, pool.ratings, selves) for k in range(workers)],
            ray,
        )

    def play(self, decisions: int) -> Experience:
        """As many decisions as are wanted, of all."""
        weights = {
            name: tensor.cpu().numpy() for name, tensor in self.learner.network.state_dict().items()
        }
        each: list[Played] = self._workers.call(
            "play", weights, decisions, self.pool.ratings, self._new_selves()
        )
        self.pool.ratings = mean([played.ratings for played in each])
        self._news = [played.news for played in each]
        self.seconds += sum(played.seconds for played in each)
        return joined([played.experience for played in each])

    def news(self) -> dict[str, float]:
        """What was played at last."""
        ended = sum(news["games/ended"] for news in self._news)
        return mean(self._news) | {"games/ended": ended}

    def close(self) -> None:
        """End the processes."""
        self._workers.close()

    def _new_selves(self) -> Selves:
        names = {name for name in self.pool.ratings if name.startswith("past_")} - self._sent
        self._sent |= names
        return {name: (self.folder / name).read_bytes() for name in names}


def shared(args: Args, part: int, parts: int) -> Args:
    """The settings of share `part` of `parts`."""
    edges = np.linspace(0, (args.num_games, args.rollout), parts + 1).astype(int)
    games, decisions = (edges[part + 1] - edges[part]).tolist()
    return replace(args, num_games=games, rollout=decisions, start="")


def mean(each: list[dict[str, float]]) -> dict[str, float]:
    """Each name's mean over those that have it."""
    names = dict.fromkeys(name for one in each for name in one)
    return {name: float(np.mean([one[name] for one in each if name in one])) for name in names}
