"""The interface of a network that self-play trains.

`features` encodes observations, (n, size), as the input that the network reads and a rollout
stores: int8 in all networks here, which takes the least memory. `forward` gives the logits and the
values for these, (n, outputs) and (n,). An action beyond the outputs is never played.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from catan_env.adapters.weights import write
from catan_env.batch import Batch
from catan_env.policies.network import read

Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]
Shape = tuple[int, ...]
GUESTS = "catan_env.guests."


class Network(nn.Module):
    """A torch module that self-play trains; a subclass needs `__init__` and `forward` only.

    A subclass that calls `super().__init__(batch)` reads the observations themselves, (n, size).
    """

    num_features: int
    working_type = torch.float32
    """The type of the computation; the weights are float32."""

    def __init__(self, batch: Any) -> None:
        super().__init__()
        self.num_features = batch.observations.shape[1]
        self.num_actions = batch.action_masks.shape[1]
        self._game = game_of(batch)

    def features(self, observations: Tensor) -> Tensor:
        """The input of `forward`: (n, num_features), of a dtype that NumPy has."""
        return observations

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, (n, outputs), and values, (n,)."""
        raise NotImplementedError

    def outputs(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values, and the value of each chance residual: (n, chance)."""
        logits, values = self(features)
        return logits, values, values.new_zeros(len(values), 0)

    def arrays(self) -> dict[str, Array]:
        """The weights by name, and the persistent buffers, such as a normalization's means."""
        return {name: array.detach().cpu().numpy() for name, array in self._tensors().items()}

    def _tensors(self) -> dict[str, Tensor]:
        buffers, kept = dict(self.named_buffers()), self.state_dict()
        persistent = {name: buffer for name, buffer in buffers.items() if name in kept}
        return dict(self.named_parameters()) | persistent

    def load(self, path: str | Path) -> None:
        """Take the weights of a file that `save` wrote; ValueError if their shapes differ."""
        found, weights = read(path), self._tensors()
        self._check(str(path), found, {name: tuple(w.shape) for name, w in weights.items()})
        with torch.no_grad():
            for name, mine in weights.items():
                mine.copy_(torch.from_numpy(found[name]))

    def save(self, path: str | Path) -> None:
        """Write the weights, with the name of the game and its layout's version.

        Raises ValueError if a number is not finite.
        """
        name, version = self._game
        write(path, self.arrays(), None, game=name, kind=type(self).__name__,
              observation_version=version, observation_size=self.num_features)  # fmt: skip

    def _check(self, path: str, found: Arrays, shapes: Mapping[str, Shape]) -> None:
        """Raise ValueError if the file lacks an array, or has one of a shape that does not fit."""
        for name, mine in shapes.items():
            if name not in found:
                raise ValueError(f"{path!r} has no {name!r}: it is of another network")
            if not self._fits(name, found[name].shape, mine):
                shape = found[name].shape
                raise ValueError(f"{path!r}: {name!r} is of shape {shape}, this network's {mine}")

    def _fits(self, name: str, shape: Shape, mine: Shape) -> bool:
        return shape == mine


def game_of(batch: Any) -> tuple[str, int]:
    """The name of a batch's game, and its observations' version.

    A guest's name is its folder in `guests`, another game's the `game_name` of its options, or
    the module of its batch.
    """
    if isinstance(batch, Batch):
        return "catan", batch.observation_version
    played = getattr(batch, "options", batch)
    name: str = getattr(played, "game_name", type(played).__module__)
    if name.startswith(GUESTS):
        name = name.removeprefix(GUESTS).split(".")[0]
    return name, int(getattr(batch, "observation_version", 1))
