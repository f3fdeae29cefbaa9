"""A network learnt by `training.self_play` as a policy, with NumPy alone."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.guests.hanabi.view import SeatView

Array = np.ndarray[Any, Any]


class Network:
    """Layers one upon the other; the legal action with the greatest output is played.

    A weights file is an `.npz` with `scale` (what each observation is multiplied with),
    `weight_0`, `bias_0`, `weight_1` and so on. ValueError where it is none for this table.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            with np.load(path) as arrays:
                self._scale = arrays["scale"].astype(np.float32)
                depth = sum(name.startswith("weight_") for name in arrays)
                self._layers = [
                    (
                        arrays[f"weight_{i}"].astype(np.float32),
                        arrays[f"bias_{i}"].astype(np.float32),
                    )
                    for i in range(depth)
                ]
        except (KeyError, ValueError) as error:
            raise ValueError(f"{str(path)!r} is no weights file: {error}") from None
        for (weights, _), (following, _) in pairwise(self._layers):
            if weights.shape[1] != following.shape[0]:
                raise ValueError(f"{str(path)!r}: layers of {weights.shape} and {following.shape}")

    def act(self, view: SeatView) -> int:
        """The legal action with the greatest output."""
        observation, mask = view.observation, view.action_mask
        if len(observation) != len(self._scale):
            raise ValueError(
                f"the network was trained on observations of {len(self._scale)} bits; "
                f"those of this table have {len(observation)}"
            )
        outputs = self.outputs(observation[None])[0, : len(mask)]
        return int(np.where(mask != 0, outputs, -np.inf).argmax())

    def outputs(self, observations: Array) -> Array:
        """What the network makes of observations, (n, size): (n, actions)."""
        x = observations * self._scale
        for weights, bias in self._layers[:-1]:
            x = np.maximum(x @ weights + bias, 0)
        weights, bias = self._layers[-1]
        result: Array = x @ weights + bias
        return result
