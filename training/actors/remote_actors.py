"""Actors in other processes or on other machines, as one to the run that learns from them."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from catan_env.training.actors.actor_pool import CONTEXT, ActorPool
from catan_env.training.actors.rollout_actor import Played, RolloutActor, Selves, part_of
from catan_env.training.agent import Agent
from catan_env.training.decisions import Decisions
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Pool
from catan_env.training.options import Args

if sys.platform == "linux":  # what is forked has imported torch
    CONTEXT.set_forkserver_preload([__name__])


class RemoteActors:
    """As `LocalActor`, with the games in `workers` other processes, Ray actors if `ray`."""

    def __init__(
        self, args: Args, agent: Agent, pool: Pool, folder: Path, seed: int,
        workers: int, ray: bool = False,
    ) -> None:  # fmt: skip
        self.agent, self.pool, self.folder = agent, pool, folder
        self.seconds = 0.0
        """Processor seconds of the workers."""
        self._sent: set[str] = set()
        self._counts = Counts()
        self._copies = TemporaryDirectory()
        """For the past selves of this machine's processes, which are killed in the end."""
        common = pool.ratings, self._new_selves(), None if ray else self._copies.name
        given = [(part_of(args, k, workers), seed + k, *common) for k in range(workers)]
        try:
            self._actors = ActorPool(RolloutActor, given, ray)
        except BaseException:
            self._copies.cleanup()
            raise

    def collect(self, timesteps: int) -> Decisions:
        """The next rollout, of all processes."""
        weights = {
            name: tensor.cpu().numpy() for name, tensor in self.agent.network.state_dict().items()
        }
        parts: list[Played] = self._actors.call(
            "collect", weights, timesteps, self.pool.ratings, self._new_selves()
        )
        self._counts = sum((played.counts for played in parts), Counts())
        for name, won in in_turn(self._counts.results):
            self.pool.rate(name, parts[0].others, won)
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
        """End the processes, and remove their copies of past selves."""
        self._actors.close()
        self._copies.cleanup()

    def _new_selves(self) -> Selves:
        names = {*self.pool.past_selves} - self._sent
        self._sent |= names
        return {name: (self.folder / name).read_bytes() for name in names}


def in_turn(results: Mapping[str, Sequence[float]]) -> Iterator[tuple[str, float]]:
    """All games, one with each opponent in turn: its name, and the agent's share of the win.

    >>> list(in_turn({"random": [1.0, 0.5], "greedy": [0.0]}))
    [('random', 1.0), ('greedy', 0.0), ('random', 0.5)]
    """
    games = ([(name, won) for won in given] for name, given in results.items())
    for some in zip_longest(*games):
        yield from (game for game in some if game is not None)
