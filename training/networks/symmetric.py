"""`symmetric`, a network of Catan that has learned in all views of a board what it has in one."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from catan_env.policies.network import pointer, read
from catan_env.policies.network.symmetry import between_views, views
from catan_env.training.networks.network import Array
from catan_env.training.networks.pointer import Pointer, without_chance
from catan_env.training.networks.shared import drawn


class Symmetric(Pointer):
    """A `Pointer` with the same policy in all views of a board; `hidden` is a multiple of six.

    Its units are in groups of six that share their weights; each of the six sees the board in a
    different one of `symmetry.views`. So there is a sixth of the weights to learn, and what is
    learned at one place is known at six. It saves an ordinary `Pointer`.
    """

    table_images: Tensor
    action_images: Tensor
    turns: Tensor

    def __init__(self, batch: Any, hidden: int = 576, local: int = 32, chance: int = 0) -> None:
        each, rest = divmod(hidden, len(views()))
        if rest:
            raise ValueError(f"hidden {hidden} is not a multiple of {len(views())}")
        super().__init__(batch, hidden, local)
        shapes = pointer.shapes(each, local, batch.rules.player_trade) | {
            "body": (hidden, each),
            "value": (each, 1 + chance),
            "value_bias": (1 + chance,),
        }
        self.weights = nn.ParameterDict({name: drawn(name, s) for name, s in shapes.items()})
        outputs = len(self.weights["action_bias"])
        moved = [view.of_actions()[: pointer.PLAIN_ACTIONS] for view in views()]
        plain = np.arange(pointer.PLAIN_ACTIONS, outputs)
        images = {
            "table_images": np.stack([view.of_trunk() for view in views()], axis=1),
            "action_images": np.stack([np.append(image, plain) for image in moved]),
            "turns": between_views(),
        }
        for name, image in images.items():
            self.register_buffer(name, torch.from_numpy(image), persistent=False)
        self._spread: dict[str, Tensor] | None = None
        """All units' weights, outside training; a fused optimizer does not say it wrote."""
        self.register_load_state_dict_post_hook(_forget_spread)

    def cast(self) -> dict[str, Tensor]:
        """All units' weights, in the type of the computation."""
        if torch.is_grad_enabled():
            self._spread = None  # they are to be learned
            return self._of_all_units()
        if self._spread is None:
            self._spread = self._of_all_units()
        return self._spread

    def arrays(self) -> dict[str, Array]:
        """Those of all units by name, float32."""
        with torch.no_grad():
            arrays = {name: array.cpu().numpy() for name, array in self._of_all_views().items()}
        return without_chance(arrays)

    def _of_all_units(self) -> dict[str, Tensor]:
        spread = self._of_all_views()
        return {name: array.to(self.working_type) for name, array in spread.items()}

    def _of_all_views(self) -> dict[str, Tensor]:
        """All units' weights, permuted copies of those of the first unit of each group of six."""
        w, sixfold = self.weights, len(views())
        each = len(w["trunk_bias"])
        trunk = w["trunk"].index_select(0, self.table_images.ravel())
        body = w["body"].reshape(sixfold, each, each)[self.turns]
        action = w["action"].index_select(1, self.action_images.ravel())
        return {
            **w,
            "trunk": trunk.reshape(-1, sixfold * each),
            "trunk_bias": w["trunk_bias"].repeat(sixfold),
            "body": body.swapaxes(1, 2).reshape(sixfold * each, -1),
            "body_bias": w["body_bias"].repeat(sixfold),
            "query": w["query"].repeat(sixfold, 1),
            "action": action.reshape(each, sixfold, -1).swapaxes(0, 1).reshape(sixfold * each, -1),
            "action_bias": w["action_bias"][self.action_images].mean(0),
            "value": w["value"].repeat(sixfold, 1),
        }

    def load(self, path: str | Path) -> None:
        """Take a weights file of such a network; ValueError if its units differ."""
        super().load(path)
        self._spread = None
        mine = self.arrays()
        for name, array in read(path).items():
            if name not in mine:
                continue
            shared = min(array.shape[-1], mine[name].shape[-1])
            if not np.allclose(mine[name][..., :shared], array[..., :shared], atol=1e-3):
                raise ValueError(f"{str(path)!r}: {name!r} differs between the views of a board")

    def _take(self, name: str, array: Tensor) -> None:
        first = tuple(slice(size) for size in self.weights[name].shape)
        super()._take(name, array[first])


def _forget_spread(network: Symmetric, _: Any) -> None:
    network._spread = None
