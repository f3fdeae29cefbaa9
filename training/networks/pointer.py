"""`pointer` and `mirrored`, the networks of Catan that read its places one by one."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from catan_env.policies.network import pointer, save_pointer
from catan_env.training.networks.network import Array, Shape
from catan_env.training.networks.shared import Shared

CHANCE_SCALE = 0.1
"""The value of a chance residual in units of the outputs: it is small, and has to be learned in
small steps, or the correction of the advantages is noise at first."""


class Pointer(Shared):
    """`policies.network.pointer` for Catan: `hidden` wide in the trunk, `local` at a vertex."""

    def __init__(self, batch: Any, hidden: int = 512, local: int = 32, chance: int = 0) -> None:
        shapes = pointer.shapes(hidden, local, batch.rules.player_trade)
        shapes |= {"value": (hidden, 1 + chance), "value_bias": (1 + chance,)}
        super().__init__(shapes, pointer.tables())
        self.num_features = pointer.NUM_INPUTS

    def features(self, observations: Tensor) -> Tensor:
        """(n, NUM_INPUTS) int8."""
        shown = observations.to(self.working_type)
        result: Tensor = pointer.inputs(shown, self.tables, torch.cat)
        return result.to(torch.int8)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        return self.outputs(features)[:2]

    def outputs(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values, and the value of each chance residual: (n, chance)."""
        logits, values = self.predictions(features)
        return logits, values[:, 0], CHANCE_SCALE * values[:, 1:]

    def predictions(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and the value with the chance values after it: (n, 1 + chance)."""
        shown = features.to(self.working_type)
        result: tuple[Tensor, Tensor] = pointer.outputs(self.cast(), shown, self.tables, torch.cat)
        return result

    def arrays(self) -> dict[str, Array]:
        """The weights of policy and value by name, float32."""
        return without_chance(super().arrays())

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        save_pointer(path, self.arrays(), np.float16)

    def _fits(self, name: str, shape: Shape, mine: Shape) -> bool:
        """Games without trade have no offers: outputs may be missing, or left over."""
        if name.startswith("action"):
            return shape[:-1] == mine[:-1]
        return shape == mine

    def _take(self, name: str, array: Tensor) -> None:
        """Take the columns that both have: a file has no chance values either."""
        mine = self.weights[name]
        shared = min(array.shape[-1], mine.shape[-1])
        mine[..., :shared].copy_(array[..., :shared])


class Mirrored(Pointer):
    """A `Pointer` that, once saved, decides by the mean over all six views of the board."""

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        save_pointer(path, self.arrays(), np.float16, mirrored=True)


def without_chance(arrays: dict[str, Array]) -> dict[str, Array]:
    """The arrays of a network, of the value's columns the first alone."""
    return arrays | {name: arrays[name][..., :1] for name in ("value", "value_bias")}
