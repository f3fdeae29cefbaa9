"""A trained network as a policy, computed with NumPy alone.

The weights file is written by `catan_env.training.self_play`: two layers over the observation
("flat"), or a network with `greedy`'s advice (`advised.py`).
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from catan_env.adapters.weights import read
from catan_env.guests.renaissance.advised import KIND, Advised
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import SeatView

LAYERS = 3
NEVER = -1e9
WEIGHTS = Path(__file__).parent / "weights"
"""The shipped networks, each with its card."""


class Network:
    """The likeliest legal action by a weights file; ValueError if it is not one of this game."""

    def __init__(self, path: str | Path) -> None:
        arrays = read(path)
        try:
            is_advised = str(arrays.get("kind")) == KIND
            self._body: Advised | Layers = Advised(arrays) if is_advised else Layers(arrays)
        except KeyError as error:
            raise ValueError(f"{str(path)!r} is not a weights file: {error} is missing") from None
        except ValueError as error:
            raise ValueError(f"cannot read the weights in {str(path)!r}: {error}") from None

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(np.argmax(np.where(view.action_mask, self._body.outputs(view), NEVER)))


class Layers:
    """Dense layers over the observation, each number of which `scale` brings to 0..1."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        layers = [(arrays[f"weight_{k}"], arrays[f"bias_{k}"]) for k in range(LAYERS)]
        self._scale = arrays["scale"].astype(np.float32).reshape(-1)
        self._layers = [(w.astype(np.float32), b.astype(np.float32)) for w, b in layers]
        shape = self._layers[0][0].shape[0], self._layers[-1][0].shape[1]
        if shape != (OBSERVATION_SIZE, NUM_ACTIONS):
            raise ValueError(
                f"{shape[0]} inputs and {shape[1]} outputs; "
                f"allowed are {OBSERVATION_SIZE} and {NUM_ACTIONS}"
            )

    def outputs(self, view: SeatView) -> Array:
        """The outputs for a view: (96,)."""
        x = view.observation.astype(np.float32) * self._scale
        *hidden, last = self._layers
        for weight, bias in hidden:
            x = np.maximum(x @ weight + bias, 0)
        result: Array = x @ last[0] + last[1]
        return result


class Shipped:
    """The shipped network for the number of seats: one for the solo game, one for several.

    It is deterministic, so the seed is ignored.
    """

    def __init__(self, seed: int = 0) -> None:
        self._networks: dict[str, Network] = {}

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        name = "advised_solo.npz" if view.seats == 1 else "advised.npz"
        if name not in self._networks:
            self._networks[name] = Network(WEIGHTS / name)
        return self._networks[name].act(view)
