"""A network whose computation is shared with the policy that plays it with NumPy alone."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from catan_env.policies.network import read
from catan_env.training.networks.network import Array, Arrays, Network, Shape

SMALL = ("action", "query", "value", "settlement", "city", "road", "robber")
"""Output layers: initialized small, so that at first all actions are about as likely."""


class Shared(Network):
    """Weights by name, and the constant tables that the code shared with NumPy needs."""

    def __init__(self, shapes: Mapping[str, Shape], tables: Arrays) -> None:
        nn.Module.__init__(self)
        self.weights = nn.ParameterDict({name: drawn(name, s) for name, s in shapes.items()})
        self._names = list(tables)
        for name, table in tables.items():
            self.register_buffer(name, torch.from_numpy(table), persistent=False)

    @property
    def tables(self) -> dict[str, Tensor]:
        """The tables, those of fractions in the type of the computation."""
        tables = {name: getattr(self, name) for name in self._names}
        return {
            name: table.to(self.working_type) if table.is_floating_point() else table
            for name, table in tables.items()
        }

    def cast(self) -> dict[str, Tensor]:
        """The weights, in the type of the computation."""
        return {name: array.to(self.working_type) for name, array in self.weights.items()}

    def arrays(self) -> dict[str, Array]:
        """The weights by name, float32."""
        return {name: array.detach().cpu().numpy() for name, array in self.weights.items()}

    def load(self, path: str | Path) -> None:
        """Take the weights of a file that `save` wrote; ValueError if it is of another network."""
        self._take_all(str(path), read(path))

    def _take_all(self, path: str, found: Arrays) -> None:
        mine = self.arrays()
        self._check(path, found, {name: array.shape for name, array in mine.items()})
        with torch.no_grad():
            for name in mine:
                self._take(name, torch.from_numpy(found[name].astype(np.float32)))

    def _take(self, name: str, array: Tensor) -> None:
        self.weights[name].copy_(array)


def drawn(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """Zeros for a bias, little for what makes outputs, else what He draws for ReLU."""
    weights = torch.zeros(shape)
    if len(shape) == 2:
        bound = (6 / shape[0]) ** 0.5
        nn.init.uniform_(weights, -bound, bound)
    return nn.Parameter(weights * (0.05 if name in SMALL else 1))
