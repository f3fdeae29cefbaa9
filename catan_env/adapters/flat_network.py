"""A network of the kind "flat", trained on any game, as a policy with NumPy alone."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import errors_of, read

Array = np.ndarray[Any, Any]


class FlatNetwork:
    """The legal action with the highest output; ValueError if the file is for another game.

    A view has its seat's numbers in `observation`, as `Options.vector_space` describes them.
    `game` is the name that training writes in the file: the module of the game's options.
    """

    def __init__(self, path: str | Path, size: int, actions: int, game: str) -> None:
        arrays = read(path)
        with errors_of(path):
            _check_marks(arrays, game)
            self._scale = arrays["scale"].astype(np.float32)
            self._layers = _layers(arrays, size, actions)

    def act(self, view: Any) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: Array, action_masks: Array) -> Array:
        """One action for each row of (n, size) observations and (n, actions) masks."""
        *hidden, (weight, bias) = self._layers
        x = observations * self._scale
        for inner, shift in hidden:
            x = np.maximum(x @ inner + shift, 0)
        outputs = np.where(action_masks != 0, x @ weight + bias, -np.inf)
        chosen: Array = outputs.argmax(axis=1)
        return chosen


def _check_marks(arrays: Mapping[str, Array], game: str) -> None:
    """Raise ValueError if a file is of another game, or of layers that compute otherwise."""
    trained, activation = str(arrays["game"]), str(arrays["activation"])
    if trained != game:
        raise ValueError(f"trained to play {trained!r}, but this is a game of {game!r}")
    if activation != "relu":
        raise ValueError(f"activation {activation!r}; allowed is 'relu'")


def _layers(arrays: Mapping[str, Array], size: int, actions: int) -> list[tuple[Array, Array]]:
    """The weights and biases; ValueError unless they lead from `size` inputs to `actions`."""
    count = sum(name.startswith("weight_") for name in arrays)
    layers = [
        (arrays[f"weight_{k}"].astype(np.float32), arrays[f"bias_{k}"].astype(np.float32))
        for k in range(count)
    ]
    widths = [len(arrays["scale"]), *(len(bias) for _, bias in layers)]
    shapes = [weight.shape for weight, _ in layers]
    if shapes != list(pairwise(widths)) or (widths[0], widths[-1]) != (size, actions):
        raise ValueError(
            f"trained on {widths[0]} numbers and {widths[-1]} actions, with layers of {shapes}; "
            f"this game has {size} and {actions}"
        )
    return layers
