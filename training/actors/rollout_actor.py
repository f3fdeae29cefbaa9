"""The actor that plays a part of the games of a run in another process."""

import pickle
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch

from catan_env.training.actors.local_actor import LocalActor
from catan_env.training.agent import Agent
from catan_env.training.batches import batch_of
from catan_env.training.decisions import Decisions
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Pool
from catan_env.training.options import Args

Array = np.ndarray[Any, Any]
Ratings = dict[str, float]
Selves = dict[str, bytes]
"""Weights files of past selves, by name."""


class Played(NamedTuple):
    """The rollout of one process."""

    decisions: Decisions
    others: int
    """The seats of an opponent; 0 without opponents."""
    counts: Counts
    seconds: float
    """Processor seconds."""


class RolloutActor:
    """Plays a part of the games with a copy of the network, in another process.

    Past selves are in a new folder, which is made in `parent` and outlasts a process that is
    killed.
    """

    def __init__(
        self, args: Args, seed: int, ratings: Ratings, selves: Selves, parent: str | None = None
    ) -> None:
        torch.set_num_threads(1)
        batch = batch_of(args, args.num_envs, seed=seed)
        self.agent = Agent.of(args, "cpu")
        self.pool = Pool(args.opponents, dict(ratings))
        self._folder = TemporaryDirectory(dir=parent)
        self._write(selves)
        folder = Path(self._folder.name)
        self.actor = LocalActor(args, self.agent, batch, self.pool, folder, seed)
        torch.manual_seed(seed)

    def collect(
        self, weights: Mapping[str, Array], timesteps: int, ratings: Ratings, selves: Selves
    ) -> Played:
        """A rollout by these weights after `timesteps` decisions; `selves` are new past selves."""
        begun = time.process_time()
        self._write(selves)
        self.pool.ratings = dict(ratings)
        self.agent.network.load_state_dict(
            {name: torch.from_numpy(array) for name, array in weights.items()}
        )
        decisions = self.actor.collect(timesteps)
        spent = time.process_time() - begun
        opponents = self.actor.collector.opponents
        others = 0 if opponents is None else opponents.others
        return Played(decisions, others, self.actor.counts(), spent)

    def state_dict(self) -> bytes:
        """All that the next rollout depends on; pickled, because Ray's arrays are read-only."""
        opponents = self.actor.collector.opponents
        met = opponents.met() if opponents is not None else set()
        folder = Path(self._folder.name)
        selves = {
            name: (folder / name).read_bytes() for name in met if self.pool.is_past_self(name)
        }
        actor = self.actor.state_dict()
        return pickle.dumps({"actor": actor, "random": torch.get_rng_state(), "selves": selves})

    def load_state_dict(self, pickled: bytes) -> None:
        """Continue where `state_dict` was called."""
        state = pickle.loads(pickled)
        self._write(state["selves"])
        self.actor.load_state_dict(state["actor"])
        torch.set_rng_state(state["random"])

    def _write(self, selves: Selves) -> None:
        for name, packed in selves.items():
            (Path(self._folder.name) / name).write_bytes(packed)


def part_of(args: Args, part: int, parts: int) -> Args:
    """The options of one of several processes."""
    edges = np.linspace(0, (args.num_envs, args.batch_size), parts + 1).astype(int)
    games, decisions = (edges[part + 1] - edges[part]).tolist()
    return replace(args, num_envs=games, batch_size=decisions, initial_weights="")
