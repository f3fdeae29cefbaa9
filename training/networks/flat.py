"""`flat`, a network of any game: layers over the observation."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from catan_env.policies.network import read, save
from catan_env.training.networks.network import Array, Arrays, game_of
from catan_env.training.networks.shared import Shared

LAYERS = ("first", "second", "action")
"""Those of `Flat` from an observation to the outputs: layers 0 to 2 of its file."""
OWN_NAMES = {
    f"{part}_{k}": f"{name}{end}"
    for k, name in enumerate(LAYERS)
    for part, end in (("weight", ""), ("bias", "_bias"))
}
"""The names of its weights by those in the file."""
CALIBRATION = 500
"""Random steps of a batch that show `Flat` how large the numbers of an observation become."""


class Flat(Shared):
    """Two layers of `hidden` over the observation of any game, each number brought to 0..1.

    It plays the games of its batch for the scale, which is kept with the weights.
    """

    scale: Tensor

    def __init__(self, batch: Any, hidden: int = 256) -> None:
        size, actions = batch.observations.shape[1], batch.action_masks.shape[1]
        shapes = {
            "first": (size, hidden), "first_bias": (hidden,),
            "second": (hidden, hidden), "second_bias": (hidden,),
            "action": (hidden, actions), "action_bias": (actions,),
            "value": (hidden, 1), "value_bias": (1,),
        }  # fmt: skip
        super().__init__(shapes, {})
        self.register_buffer("scale", torch.from_numpy(1 / most_seen(batch)))
        self.num_features = size
        self._game = game_of(batch)

    def features(self, observations: Tensor) -> Tensor:
        """The observations themselves."""
        return observations

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        w, scale = self.cast(), self.scale.to(self.working_type)
        x = torch.relu(features.to(self.working_type) * scale @ w["first"] + w["first_bias"])
        x = torch.relu(x @ w["second"] + w["second_bias"])
        return x @ w["action"] + w["action_bias"], (x @ w["value"] + w["value_bias"])[:, 0]

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Take the weights and the scale of a checkpoint; ValueError if it has no scale."""
        if "scale" not in state_dict:
            raise ValueError(
                "the checkpoint is of an earlier version, which did not keep the scale of a flat "
                "network: begin in another folder with its last weights file as initial_weights"
            )
        return super().load_state_dict(state_dict, strict, assign)

    def arrays(self) -> dict[str, Array]:
        """The weights and the scale by name, float32."""
        return super().arrays() | {"scale": self.scale.cpu().numpy()}

    def load(self, path: str | Path) -> None:
        """Take the weights and the scale of a file; ValueError if it is of another network.

        Without a value in the file, as after `training.sb3.export`, this network's own stays.
        """
        found = read(path)
        check_layers(str(path), found)
        given = {OWN_NAMES.get(name, name): array for name, array in found.items()}
        self._take_all(str(path), self._value() | given)

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play, with the value for `load`."""
        w = self.arrays()
        layers = [(w[name], w[f"{name}_bias"]) for name in LAYERS]
        name, version = self._game
        save(path, layers, "relu", w["scale"], np.float16, game=name, version=version)
        np.savez_compressed(path, **read(path), **self._value())  # type: ignore[arg-type]

    def _value(self) -> dict[str, Array]:
        return {name: array for name, array in self.arrays().items() if name.startswith("value")}

    def _take(self, name: str, array: Tensor) -> None:
        mine = self.scale if name == "scale" else self.weights[name]
        mine.copy_(array)


def most_seen(batch: Any) -> Array:
    """The maximum of each number of the observation in random play, 1 at least."""
    most = np.ones(batch.observations.shape[1], np.float32)
    for _ in range(CALIBRATION):
        most = np.maximum(most, np.abs(batch.observations).max(axis=0))
        batch.step(batch.sample_legal())
    return most


def check_layers(path: str, found: Arrays) -> None:
    """Raise ValueError unless the arrays of a weights file are layers like those of `Flat`."""
    layers = sum(name.startswith("weight_") for name in found)
    activation = str(found.get("activation"))
    if (layers, activation) != (len(LAYERS), "relu"):
        raise ValueError(
            f"{path!r} has {layers} layers with activation {activation}; "
            f"network = 'flat' has {len(LAYERS)} with relu"
        )
