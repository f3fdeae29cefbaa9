"""Actors: where the games of a run are played, here or in other processes or machines."""

import pickle
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from catan_env.extras import missing
from catan_env.policies.players import player
from catan_env.policy import BatchedPolicy
from catan_env.training.agent import Agent, PastSelf
from catan_env.training.batches import batch_of
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Opponents, Pool, entrant
from catan_env.training.processes import Processes
from catan_env.training.rollouts import Collector, Decisions

if TYPE_CHECKING:
    from catan_env.training.self_play import Args

Array = np.ndarray[Any, Any]
Ratings = dict[str, float]
Selves = dict[str, bytes]
"""Weights files of past selves, by name."""


class LocalActor:
    """Plays the games in this process; past selves are in `folder`."""

    seconds = 0.0
    """Processor seconds of other processes."""

    def __init__(
        self, args: "Args", agent: Agent, batch: Any, pool: Pool, folder: Path, seed: int
    ) -> None:
        self.agent, self.folder = agent, folder
        opponents = None
        if args.opponent_fraction:
            opponents = Opponents(pool, args.opponent_fraction, batch, self._player, seed)
        dtype = agent.features_dtype(batch.observations)
        self.collector = Collector(args, batch, agent.network.num_features, opponents, dtype)

    def collect(self, timesteps: int) -> Decisions:
        """The next rollout; the run has learned from `timesteps` decisions before."""
        self.collector.anneal_teacher(timesteps)
        return self.collector.collect(self.agent.act)

    def counts(self) -> Counts:
        """Counts of the games since the last call."""
        return self.collector.counts()

    def state_dict(self) -> dict[str, Any]:
        """All that the next rollout depends on, but torch's random state."""
        return self.collector.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue where `state_dict` was called."""
        self.collector.load_state_dict(state)

    def close(self) -> None:
        """No-op."""

    def _player(self, name: str) -> BatchedPolicy:
        """An opponent by its name in the pool."""
        if name.startswith("past_"):
            return PastSelf(self.agent, self.folder / name)
        return entrant(name) if "#" in name else player(name)


class Played(NamedTuple):
    """The rollout of one process."""

    decisions: Decisions
    ratings: Ratings
    counts: Counts
    seconds: float
    """Processor seconds."""


class RolloutActor:
    """Plays a part of the games with a copy of the network, in another process."""

    def __init__(self, args: "Args", seed: int, ratings: Ratings, selves: Selves) -> None:
        torch.set_num_threads(1)
        batch = batch_of(args, args.num_envs, seed=seed)
        self.agent = Agent.of(args, "cpu")
        self.pool = Pool(dict(ratings))
        self._folder = TemporaryDirectory()
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
        return Played(decisions, self.pool.ratings, self.actor.counts(), spent)

    def state_dict(self) -> bytes:
        """All that the next rollout depends on; pickled, because Ray's arrays are read-only."""
        opponents = self.actor.collector.opponents
        met = opponents.met() if opponents is not None else set()
        folder = Path(self._folder.name)
        selves = {name: (folder / name).read_bytes() for name in met if name.startswith("past_")}
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


class RemoteActors:
    """As `LocalActor`, with the games in `workers` other processes, Ray actors if `ray`."""

    def __init__(
        self, args: "Args", agent: Agent, pool: Pool, folder: Path, seed: int,
        workers: int, ray: bool = False,
    ) -> None:  # fmt: skip
        self.agent, self.pool, self.folder = agent, pool, folder
        self.seconds = 0.0
        """Processor seconds of the workers."""
        self._sent: set[str] = set()
        self._counts = Counts()
        selves = self._new_selves()
        self._actors = ActorPool(
            RolloutActor,
            [(part_of(args, k, workers), seed + k, pool.ratings, selves) for k in range(workers)],
            ray,
        )

    def collect(self, timesteps: int) -> Decisions:
        """The next rollout, of all processes."""
        weights = {
            name: tensor.cpu().numpy() for name, tensor in self.agent.network.state_dict().items()
        }
        parts: list[Played] = self._actors.call(
            "collect", weights, timesteps, self.pool.ratings, self._new_selves()
        )
        self.pool.ratings = mean([played.ratings for played in parts])
        self._counts = sum((played.counts for played in parts), Counts())
        self.seconds += sum(played.seconds for played in parts)
        return Decisions.concatenated([played.decisions for played in parts])

    def counts(self) -> Counts:
        """Counts of the games of the last rollout."""
        return self._counts

    def state_dict(self) -> list[bytes]:
        """Every process's state."""
        return self._actors.call("state_dict")

    def load_state_dict(self, state: list[bytes]) -> None:
        """Continue where `state_dict` was called, with as many processes."""
        self._actors.call_each("load_state_dict", state)

    def close(self) -> None:
        """End the processes."""
        self._actors.close()

    def _new_selves(self) -> Selves:
        names = {name for name in self.pool.ratings if name.startswith("past_")} - self._sent
        self._sent |= names
        return {name: (self.folder / name).read_bytes() for name in names}


def part_of(args: "Args", part: int, parts: int) -> "Args":
    """The options of one of several processes."""
    edges = np.linspace(0, (args.num_envs, args.batch_size), parts + 1).astype(int)
    games, decisions = (edges[part + 1] - edges[part]).tolist()
    return replace(args, num_envs=games, batch_size=decisions, initial_weights="")


def mean(parts: list[dict[str, float]]) -> dict[str, float]:
    """The mean of each name over those that have it."""
    names = dict.fromkeys(name for one in parts for name in one)
    return {name: float(np.mean([one[name] for one in parts if name in one])) for name in names}


class ActorPool:
    """One object made by `kind` for each of `given`, its arguments, each in a separate process.

    What is raised there is raised here; after that, and at the end, `close` them.
    """

    def __init__(self, kind: Callable[..., Any], given: Sequence[Any], ray: bool = False) -> None:
        place: type[RayActor] | type[LocalProcess] = RayActor if ray else LocalProcess
        self._actors = [place() for _ in given]
        try:
            results(actor.make(kind, *one) for actor, one in zip(self._actors, given, strict=True))
        except BaseException:
            self.close()
            raise

    def call(self, name: str, *given: Any) -> list[Any]:
        """The result of a method of every object; they work at the same time."""
        return results(actor.call(name, *given) for actor in self._actors)

    def call_each(self, name: str, given: Sequence[Any]) -> list[Any]:
        """As `call`, with one argument for each object."""
        return results(
            actor.call(name, one) for actor, one in zip(self._actors, given, strict=True)
        )

    def close(self) -> None:
        """End the processes."""
        for actor in self._actors:
            actor.close()


def results(answers: Iterable[Future[Any]]) -> list[Any]:
    """All answers; all are requested before the first is awaited."""
    return [answer.result() for answer in list(answers)]


class RemoteObject:
    """An object that is made, and whose methods are called, in another process."""

    def make(self, kind: Callable[..., Any], *given: Any) -> None:
        """Make it."""
        self._object = kind(*given)

    def call(self, name: str, *given: Any) -> Any:
        """The result of its method."""
        return getattr(self._object, name)(*given)


_object = RemoteObject()


def _make(*given: Any) -> None:
    _object.make(*given)


def _call(*given: Any) -> Any:
    return _object.call(*given)


CONTEXT = get_context("forkserver" if sys.platform == "linux" else "spawn")
"""On Linux, processes are forked from one that has imported this module and done nothing else."""
if sys.platform == "linux":
    CONTEXT.set_forkserver_preload([__name__])


class LocalProcess:
    """A process of this machine, which ends with the one that started it."""

    def __init__(self) -> None:
        self._process = Processes(1, CONTEXT)

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._process.submit(_make, kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """The future result of the object's method."""
        return self._process.submit(_call, name, *given)

    def close(self) -> None:
        """End the process, even in the middle of a call."""
        self._process.kill()


class RayActor:
    """An actor of Ray."""

    def __init__(self) -> None:
        try:
            import ray
        except ImportError as error:
            raise missing("--ray", "ray", error) from None
        self._actor = ray.remote(RemoteObject).remote()

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._ask("make", kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """The future result of the object's method."""
        return self._ask("call", name, *given)

    def _ask(self, method: str, *given: Any) -> Future[Any]:
        answer: Future[Any] = getattr(self._actor, method).remote(*given).future()
        return answer

    def close(self) -> None:
        """Release the actor."""
        del self._actor
