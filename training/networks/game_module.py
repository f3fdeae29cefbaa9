"""A game's own network: a module of functions that torch and NumPy share.

So the same lines compute the network while it learns and, with NumPy alone, when it plays. A
configuration names the module, as `network = "catan_env.guests.hanabi.policies.remembering"`.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from catan_env.adapters.arrays import Join
from catan_env.training.networks.network import Arrays, Shape
from catan_env.training.networks.shared import Shared


class GameModule(Protocol):
    """The functions of such a module; `rules` and `players` are those of the batch."""

    def shapes(self, rules: Any, players: int, **widths: int) -> Mapping[str, Shape]:
        """The shape of every array of weights, the widths being the `network_options`."""

    def tables(self, rules: Any, players: int) -> Arrays:
        """The constants that `facts` and `outputs` need, by name."""

    def facts(self, observations: Any, tables: Any, join: Join) -> Any:
        """The input of the network, which a rollout stores: (n, size) int8."""

    def outputs(self, weights: Any, facts: Any, tables: Any, join: Join) -> tuple[Any, Any]:
        """Logits and values: (n, actions) and (n,)."""

    def save(self, path: str | Path, weights: Arrays, rules: Any, players: int) -> None:
        """Write a weights file that the game's policy plays."""


class ModuleNetwork(Shared):
    """The network of a `GameModule`, given by its name, for a batch."""

    def __init__(self, module: str, batch: Any, **widths: int) -> None:
        self._module, self._table = module, (batch.rules, batch.players)
        shapes = self.functions.shapes(*self._table, **widths)
        super().__init__(shapes, self.functions.tables(*self._table))
        self.num_features = batch.observations.shape[1]

    @property
    def functions(self) -> GameModule:
        """The module; a network that is copied may not hold it."""
        module: Any = import_module(self._module)
        return module

    def features(self, observations: Tensor) -> Tensor:
        """The module's encoding of observations: (n, size) int8."""
        result: Tensor = self.functions.facts(observations, self.tables, torch.cat)
        return result

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        shown = features.to(self.working_type)
        result: tuple[Tensor, Tensor] = self.functions.outputs(
            self.cast(), shown, self.tables, torch.cat
        )
        return result

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        self.functions.save(path, self.arrays(), *self._table)
