"""The actor that plays the games of a run in this process."""

from pathlib import Path
from typing import Any

from catan_env.policy import BatchedPolicy
from catan_env.training.agent import Agent, PastSelf
from catan_env.training.decisions import Decisions
from catan_env.training.metrics import Counts
from catan_env.training.opponents import Opponents, Pool, opponent
from catan_env.training.options import Args
from catan_env.training.rollouts import Collector


class LocalActor:
    """Plays the games in this process; past selves are in `folder`."""

    seconds = 0.0
    """Processor seconds of other processes."""

    def __init__(
        self, args: Args, agent: Agent, batch: Any, pool: Pool, folder: Path, seed: int
    ) -> None:
        self.agent, self.folder, self.batch, self.pool = agent, folder, batch, pool
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
        if self.pool.is_past_self(name):
            return PastSelf(self.agent, self.folder / name)
        return opponent(name, self.batch)
