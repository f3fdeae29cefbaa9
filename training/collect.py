"""Rollouts of MaskablePPO played by several processes, here or as actors of Ray."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from catan_env.training.model import fresh_model
from catan_env.training.phase import Args, TrainingPhase, at_table, environments
from catan_env.training.workers import Workers

Array = np.ndarray[Any, Any]
Info = dict[str, Any]
Weights = Mapping[str, Array]
"""A policy's state, by name."""


class Ends(BaseCallback):
    """Keeps the facts of the games that end."""

    def __init__(self) -> None:
        super().__init__()
        self.infos: list[Info] = []

    def _on_step(self) -> bool:
        kept = ("episode", "reason")
        self.infos += [
            {name: info[name] for name in kept}
            for info in self.locals["infos"]
            if "episode" in info
        ]
        return True


class Collector:
    """Plays share `part` of `parts` of every phase's games, by the weights that it is given."""

    def __init__(self, args: Args, part: int, parts: int) -> None:
        torch.set_num_threads(1)
        edges = np.linspace(0, args.num_envs, parts + 1).astype(int).tolist()
        self._args, self._part = args, part
        self._first, self._num_envs = edges[part], edges[part + 1] - edges[part]
        self._ends = Ends()

    def begin(self, phase: TrainingPhase) -> None:
        """Sit down at the phase's games."""
        games = environments(self._args, phase, self._num_envs, self._first)
        seed = phase.seed + self._first  # the model passes it on to the games
        options = {**self._args.options(), "seed": seed}
        self._model = at_table(fresh_model(games, **options), games)
        self._model.set_logger(Logger(None, []))
        self._model._setup_learn(0, self._ends)

    def play(self, weights: Weights) -> tuple[list[Array], list[Info]]:
        """A rollout, and the facts of the games that ended.

        The rollout is the columns of MaskableRolloutBufferSamples, a row for each decision.
        """
        model = self._model
        model.policy.load_state_dict(
            {name: torch.from_numpy(array) for name, array in weights.items()}
        )
        self._ends.infos = []
        model.collect_rollouts(model.env, self._ends, model.rollout_buffer, model.n_steps)
        (samples,) = model.rollout_buffer.get(None)
        return [column.numpy() for column in samples], self._ends.infos


class Collectors:
    """Several collectors that play a phase together."""

    def __init__(self, args: Args, workers: int, ray: bool = False) -> None:
        self._workers = Workers(Collector, [(args, k, workers) for k in range(workers)], ray)

    def begin(self, phase: TrainingPhase) -> None:
        """All sit down at their games."""
        self._workers.call("begin", phase)

    def play(self, weights: Weights) -> tuple["Gathered", list[Info]]:
        """A rollout of all games."""
        columns, infos = zip(*self._workers.call("play", weights), strict=True)
        return Gathered(columns), [info for some in infos for info in some]

    def close(self) -> None:
        """End what plays."""
        self._workers.close()


class Gathered:
    """The decisions of all collectors, for `MaskablePPO.train` to learn from.

    `parts` are what each collector's `play` gave: columns of one row for each of its decisions.
    """

    def __init__(self, parts: Sequence[Sequence[Array]]) -> None:
        columns = [torch.from_numpy(np.concatenate(column)) for column in zip(*parts, strict=True)]
        self.samples = MaskableRolloutBufferSamples(*columns)
        self.values, self.returns = self.samples.old_values.numpy(), self.samples.returns.numpy()

    def get(self, batch_size: int) -> Iterator[MaskableRolloutBufferSamples]:
        """All decisions, shuffled, in minibatches of equal size."""
        order = np.random.permutation(len(self.values))
        for rows in np.array_split(order, ceil(len(order) / batch_size)):
            yield MaskableRolloutBufferSamples(*(column[rows] for column in self.samples))


def weights_of(model: MaskablePPO) -> Weights:
    """A copy of a model's policy, for collectors."""
    return {name: array.cpu().numpy().copy() for name, array in model.policy.state_dict().items()}


class SpreadPPO(MaskablePPO):
    """MaskablePPO whose rollouts are the collectors', once it has any."""

    collectors: Collectors | None = None

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, buffer: Any, n_steps: int, use_masking: bool = True
    ) -> bool:
        """As MaskablePPO's; the callback hears of all games that ended at once."""
        if self.collectors is None:
            return super().collect_rollouts(env, callback, buffer, n_steps, use_masking)
        callback.on_rollout_start()
        gathered, infos = self.collectors.play(weights_of(self))
        self.rollout_buffer: Any = gathered
        self.num_timesteps += n_steps * env.num_envs
        callback.update_locals({"infos": infos})
        if not callback.on_step():
            return False
        self._update_info_buffer(infos)
        callback.on_rollout_end()
        return True

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "collectors"]
