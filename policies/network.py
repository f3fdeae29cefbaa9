"""A trained network as a policy, with NumPy alone.

A weights file is an `.npz` with these arrays:

- `observation_version`, `observation_size`: the layout that the network was trained on (integers)
- `activation`: "tanh" or "relu", after every layer but the last
- `scale`: (observation_size,) float32, what each observation is multiplied with
- `inputs`, if there: "plain", the scaled observation alone, or "yields": behind it what
  `policies.features.yields` makes of the observation
- `weight_0`, `bias_0`, `weight_1`, ...: (inputs, outputs) and (outputs,) float32, a pair a layer;
  the last has an output for each action. They may be stored as float16

What the mask leaves out is never chosen; of the rest the greatest output is.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.observation import NUM_ACTIONS, OBSERVATION_SIZE, OBSERVATION_VERSION
from catan_env.view import SeatView
from policies.features import YIELDS_SIZE, corners, yields

Array = np.ndarray[Any, np.dtype[np.float32]]

ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "tanh": lambda x: np.tanh(x, out=x),
    "relu": lambda x: np.maximum(x, 0, out=x),
}
INPUTS = {"plain": OBSERVATION_SIZE, "yields": OBSERVATION_SIZE + YIELDS_SIZE}
"""The numbers that the first layer is given."""


class Network:
    """The policy in a weights file; ValueError where the file is no such thing."""

    def __init__(self, path: str | Path) -> None:
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = dict(file)
        except (OSError, ValueError, EOFError) as error:
            raise ValueError(f"cannot read the weights in {str(path)!r}: {error}") from None
        try:
            self._take(arrays)
        except KeyError as error:
            raise ValueError(f"{str(path)!r} is no weights file: {error} is missing") from None
        except ValueError as error:
            raise ValueError(f"{str(path)!r}: {error}") from None

    def act(self, view: SeatView) -> int:
        """The legal action with the greatest output."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: Any, masks: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        """One action for each row of (n, OBSERVATION_SIZE) observations and (n, 848) masks."""
        outputs = self.outputs(observations)
        outputs[np.asarray(masks) == 0] = -np.inf
        chosen: np.ndarray[Any, np.dtype[np.int64]] = outputs.argmax(axis=1)
        return chosen

    def outputs(self, observations: Any) -> Array:
        """The network's outputs for (n, OBSERVATION_SIZE) observations: (n, 848)."""
        x = self._shown(np.asarray(observations, np.float32))
        for weight, bias in self._hidden:
            x = self._activate(x @ weight + bias)
        weight, bias = self._last
        result: Array = x @ weight + bias
        return result

    def _shown(self, observations: Array) -> Array:
        scaled: Array = observations * self._scale
        if self._corners is None:
            return scaled
        return np.concatenate([scaled, *yields(observations, self._corners)], axis=1)

    def _take(self, arrays: dict[str, Any]) -> None:
        version, size = int(arrays["observation_version"]), int(arrays["observation_size"])
        if (version, size) != (OBSERVATION_VERSION, OBSERVATION_SIZE):
            raise ValueError(
                f"trained on observation layout {version} of size {size}; this is layout "
                f"{OBSERVATION_VERSION} of size {OBSERVATION_SIZE}: train it again"
            )
        activation = str(arrays["activation"])
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r}; allowed are {', '.join(ACTIVATIONS)}")
        self._activate = ACTIVATIONS[activation]
        inputs = str(arrays.get("inputs", "plain"))
        if inputs not in INPUTS:
            raise ValueError(f"inputs {inputs!r}; allowed are {', '.join(INPUTS)}")
        self._corners = corners() if inputs == "yields" else None
        self._scale = arrays["scale"].astype(np.float32)
        count = sum(name.startswith("weight_") for name in arrays)
        layers = [
            (arrays[f"weight_{k}"].astype(np.float32), arrays[f"bias_{k}"].astype(np.float32))
            for k in range(count)
        ]
        sizes = [INPUTS[inputs], *(len(bias) for _, bias in layers)]
        shapes = [weight.shape for weight, _ in layers]
        if shapes != list(pairwise(sizes)) or sizes[-1] != NUM_ACTIONS:
            raise ValueError(
                f"layers of shapes {shapes}; they must lead from {INPUTS[inputs]} to {NUM_ACTIONS}"
            )
        *self._hidden, self._last = layers


def save(
    path: str | Path,
    layers: Sequence[tuple[Any, Any]],
    activation: str = "tanh",
    scale: Any = None,
    inputs: str = "plain",
    dtype: Any = np.float32,
) -> None:
    """Write a weights file: (weight, bias) of each layer, weights as (inputs, outputs).

    `dtype` float16 halves the file; NumPy computes in float32 all the same.
    """
    arrays: dict[str, Any] = {
        "observation_version": np.array(OBSERVATION_VERSION),
        "observation_size": np.array(OBSERVATION_SIZE),
        "activation": np.array(activation),
        "inputs": np.array(inputs),
        "scale": np.ones(OBSERVATION_SIZE, np.float32) if scale is None else scale,
    }
    for k, (weight, bias) in enumerate(layers):
        arrays[f"weight_{k}"] = np.asarray(weight, dtype)
        arrays[f"bias_{k}"] = np.asarray(bias, dtype)
    np.savez_compressed(path, **arrays)
