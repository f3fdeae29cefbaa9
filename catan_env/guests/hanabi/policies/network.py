"""A network trained by `training.self_play` as a policy, with NumPy alone."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import read
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.policies import colours
from catan_env.guests.hanabi.rules import Rules
from catan_env.guests.hanabi.view import SeatView

Array = np.ndarray[Any, Any]
LEARNT = Path(__file__).parent / "weights" / "two.npz"
"""The network shipped for two players; its card is next to it."""


class Network:
    """The network in a weights file; it plays the legal action with the greatest output.

    Raises ValueError if the file is not a weights file, or is for another table.
    """

    def __init__(self, path: str | Path) -> None:
        self._path, arrays = str(path), read(path)
        kind = str(arrays.get("kind", "layers"))
        try:
            if kind not in KINDS:
                raise ValueError(f"kind {kind!r}; allowed are {', '.join(KINDS)}")
            self._body: Layers | Colours = KINDS[kind](arrays)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{self._path!r} is not a weights file: {error}") from None

    def act(self, view: SeatView) -> int:
        """The legal action with the greatest output."""
        mask = view.action_mask
        outputs = self.outputs(view.observation[None], view.rules, view.players)[0, : len(mask)]
        return int(np.where(mask != 0, outputs, -np.inf).argmax())

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """The network's outputs for observations, (n, size): (n, actions)."""
        size = observation_size(rules, players)
        if size != self._body.size:
            raise ValueError(
                f"{self._path!r} was trained on observations of {self._body.size} bits; "
                f"those of this table have {size}"
            )
        return self._body.outputs(observations, rules, players)


class Layers:
    """Dense layers, `weight_0`, `bias_0`, `weight_1` and so on.

    `scale` multiplies each observation.
    """

    def __init__(self, arrays: dict[str, Array]) -> None:
        self._scale = arrays["scale"].astype(np.float32)
        self.size = len(self._scale)
        depth = sum(name.startswith("weight_") for name in arrays)
        self._layers = [
            (arrays[f"weight_{i}"].astype(np.float32), arrays[f"bias_{i}"].astype(np.float32))
            for i in range(depth)
        ]
        for (weights, _), (following, _) in pairwise(self._layers):
            if weights.shape[1] != following.shape[0]:
                raise ValueError(f"layers of {weights.shape} and {following.shape}")

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """(n, actions); the table does not matter."""
        x = observations * self._scale
        for weights, bias in self._layers[:-1]:
            x = np.maximum(x @ weights + bias, 0)
        weights, bias = self._layers[-1]
        result: Array = x @ weights + bias
        return result


class Colours:
    """The network of `colours.py`."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self.size = int(arrays["observation_size"])
        version = int(arrays["observation_version"])
        if version != colours.OBSERVATION_VERSION:
            raise ValueError(
                f"observation layout {version}; this is layout {colours.OBSERVATION_VERSION}"
            )
        self._widths = {"local": len(arrays["among"]), "hidden": len(arrays["action"])}
        self._weights = {
            name: array.astype(np.float32) for name, array in arrays.items() if array.ndim
        }

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """(n, actions)."""
        for name, shape in colours.shapes(rules, players, **self._widths).items():
            if name not in self._weights or self._weights[name].shape != shape:
                raise ValueError(f"the weights' {name!r} is not of shape {shape}")
        tables = colours.tables(rules, players)
        facts = colours.facts(observations, tables, np.concatenate).astype(np.float32)
        result: Array = colours.outputs(self._weights, facts, tables, np.concatenate)[0]
        return result


KINDS: dict[str, type[Layers] | type[Colours]] = {"layers": Layers, colours.KIND: Colours}


def learnt(seed: int = 0) -> Network:
    """The network shipped for two players; it is deterministic, so the seed is ignored."""
    return Network(LEARNT)
