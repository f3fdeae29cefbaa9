"""A network of the kind "flat", trained on any game, as a policy with NumPy alone."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import check_game, errors_of, read

Array = np.ndarray[Any, Any]


class FlatNetwork:
    """The legal action with the highest output; ValueError if the file is for another game.

    A view has its seat's numbers in `observation`, as `Options.vector_space` describes them.
    `game` is the name that training writes in the file: `game_name` of the game's options.
    """

    def __init__(self, path: str | Path, size: int, actions: int, game: str) -> None:
        arrays = read(path)
        with errors_of(path):
            check_game(str(arrays["game"]), game)
            self._layers = Layers(arrays)
            self._layers.check_table(size, actions)

    def act(self, view: Any) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: Array, action_masks: Array) -> Array:
        """One action for each row of (n, size) observations and (n, actions) masks."""
        outputs = self._layers.outputs(observations)
        chosen: Array = np.where(action_masks != 0, outputs, -np.inf).argmax(axis=1)
        return chosen


class Layers:
    """Dense layers, `weight_0`, `bias_0`, `weight_1` and so on, over numbers times `scale`.

    Between them is ReLU. Raises ValueError for another activation, and for layers that cannot
    follow each other.
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        activation = str(arrays["activation"])
        if activation != "relu":
            raise ValueError(f"activation {activation!r}; allowed is 'relu'")
        count = max(1, sum(name.startswith("weight_") for name in arrays))
        self._scale = arrays["scale"].astype(np.float32)
        self._layers = [
            (arrays[f"weight_{k}"].astype(np.float32), arrays[f"bias_{k}"].astype(np.float32))
            for k in range(count)
        ]
        widths = [n for a in (self._scale, *(bias for _, bias in self._layers)) for n in a.shape]
        shapes = [weight.shape for weight, _ in self._layers]
        if shapes != list(pairwise(widths)):
            raise ValueError(f"layers of {shapes} with a scale and biases of {widths} numbers")
        self.size, self.actions = widths[0], widths[-1]

    def check_table(self, size: int, actions: int) -> None:
        """Raise ValueError unless they lead from `size` numbers to `actions` outputs."""
        if (self.size, self.actions) != (size, actions):
            raise ValueError(
                f"trained on {self.size} numbers and {self.actions} actions; "
                f"this game has {size} and {actions}"
            )

    def outputs(self, observations: Array) -> Array:
        """(n, actions) for observations, (n, size)."""
        *hidden, (weight, bias) = self._layers
        x = observations * self._scale
        for inner, shift in hidden:
            x = np.maximum(x @ inner + shift, 0)
        result: Array = x @ weight + bias
        return result
