"""A trained network as a policy, with NumPy, or machine code for single decisions.

A weights file is an `.npz` with these arrays:

- `game`: the game of its observations, "catan" or a guest's name; Catan if missing
- `observation_version`, `observation_size`: the layout that the network was trained on (integers)
- `kind`: "layers" or "pointer"

and for "layers":

- `activation`: "tanh" or "relu", after every layer but the last
- `scale`: (observation_size,) float32, the factors of the observation
- `weight_0`, `bias_0`, `weight_1`, ...: (inputs, outputs) and (outputs,) float32, one pair per
  layer; the last has one output per action

or for "pointer" those listed by `shapes` in `catan_env.policies.network.pointer`. All may be
float16. `mirrored`: if true, a network of the kind "pointer" evaluates all six views of
`catan_env.policies.network.symmetry` and returns their mean.
Among the actions in the mask, the one with the highest output is chosen.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import check_game, errors_of, read, write
from catan_env.game.observation import (
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SIZES,
)
from catan_env.game.view import SeatView
from catan_env.kernel.jit import MODE, NATIVE
from catan_env.policies.network import pointer
from catan_env.policies.network.native.compiled import Forward, ensure_forward
from catan_env.policies.network.native.forward import MOST_LOCAL
from catan_env.policies.network.symmetry import views

Array = np.ndarray[Any, np.dtype[np.float32]]

CATAN = "catan"
CLOSE = 1e-3
"""The relative difference of outputs below which NumPy decides; machine code deviates by 2e-5."""
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "tanh": lambda x: np.tanh(x, out=x),
    "relu": lambda x: np.maximum(x, 0, out=x),
}


class Network:
    """The policy in a weights file; ValueError if the file is invalid."""

    def __init__(self, path: str | Path) -> None:
        arrays = read(path)
        with errors_of(path):
            self._take(arrays)

    def act(self, view: SeatView) -> int:
        """The legal action with the highest output."""
        if MODE == NATIVE and isinstance(self.body, Pointer):
            chosen = self.body.clear_choice(view.observation, view.action_mask)
            if chosen is not None:
                return chosen
        seen = view.observe(view.viewer, self.observation_version)
        return int(self.act_batch(seen[None], view.action_mask[None])[0])

    def act_batch(self, observations: Any, masks: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        """One action for each row of (n, size) observations and (n, 848) masks.

        Observations of a later version begin with those of the network's own.
        """
        outputs = self.outputs(observations)
        outputs[np.asarray(masks) == 0] = -np.inf
        chosen: np.ndarray[Any, np.dtype[np.int64]] = outputs.argmax(axis=1)
        return chosen

    def outputs(self, observations: Any) -> Array:
        """The network's outputs for (n, size) observations: (n, 848)."""
        own = observations[:, : SIZES[self.observation_version]]
        return self.body(np.asarray(own, np.float32))

    def _take(self, arrays: dict[str, Any]) -> None:
        check_game(str(arrays.get("game", CATAN)), CATAN)
        version, size = int(arrays["observation_version"]), int(arrays["observation_size"])
        kind = str(arrays.get("kind", "layers"))
        known = SIZES if kind == "layers" else {OBSERVATION_VERSION: OBSERVATION_SIZE}
        if known.get(version) != size:
            layouts = " and ".join(f"layout {v} of size {known[v]}" for v in known)
            raise ValueError(
                f"trained on observation layout {version} of size {size}; known here: {layouts}: "
                "train it again"
            )
        self.observation_version = version
        if kind == "places":
            raise ValueError("kind 'places' (network = \"graph\") was removed: train it again")
        if kind not in BODIES:
            raise ValueError(
                f"kind {kind!r}; allowed are {', '.join(BODIES)}. A network of your own plays by a "
                "policy that loads its file: docs/tutorials/network.md"
            )
        if kind == "layers" and len(arrays["scale"]) != size:
            raise ValueError(f"{len(arrays['scale'])} factors for observations of size {size}")
        self.body: Layers | Pointer = BODIES[kind](arrays)
        """The function from observations to outputs."""


def read_pointer(path: str | Path) -> "Pointer":
    """The network in a weights file; ValueError unless it is of the kind "pointer"."""
    body = Network(path).body
    if not isinstance(body, Pointer):
        raise ValueError(f"{str(path)!r}: expected a network of the kind 'pointer'")
    return body


class Layers:
    """A multilayer perceptron."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        activation = str(arrays["activation"])
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r}; allowed are {', '.join(ACTIVATIONS)}")
        self._activate = ACTIVATIONS[activation]
        self._scale = arrays["scale"].astype(np.float32)
        count = sum(name.startswith("weight_") for name in arrays)
        layers = [
            (_array(arrays, f"weight_{k}"), _array(arrays, f"bias_{k}")) for k in range(count)
        ]
        seen = len(self._scale)
        sizes = [seen, *(len(bias) for _, bias in layers)]
        shapes = [weight.shape for weight, _ in layers]
        if shapes != list(pairwise(sizes)) or sizes[-1] != NUM_ACTIONS:
            raise ValueError(
                f"layers of shapes {shapes}; they have to lead from {seen} to {NUM_ACTIONS}: "
                "train it again"
            )
        *self._hidden, self._last = layers

    def __call__(self, observations: Array) -> Array:
        """(n, 848) outputs."""
        x = observations * self._scale
        for weight, bias in self._hidden:
            x = self._activate(x @ weight + bias)
        weight, bias = self._last
        result: Array = x @ weight + bias
        return result


class Pointer:
    """The network of `pointer.py`; actions without an output are never chosen."""

    at_once = 256
    """Rows per pass at most: more would not fit into a processor's cache."""
    _compiled: Forward | None = None

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        hidden, local = len(arrays["body"]), len(arrays["vertex_bias"])
        trade = arrays["action"].shape[1] > pointer.PLAIN_ACTIONS
        self._weights = {}
        for name, shape in pointer.shapes(hidden, local, trade).items():
            self._weights[name] = _array(arrays, name)
            if self._weights[name].shape != shape:
                raise ValueError(f"{name!r} of shape {arrays[name].shape}; it must be {shape}")
        self._tables = pointer.tables()
        seen = views() if arrays.get("mirrored") else ()
        self._moved = np.array([np.argsort(view.of_inputs()) for view in seen])
        outputs = NUM_ACTIONS if trade else pointer.PLAIN_ACTIONS
        self._actions = np.array([view.of_actions()[:outputs] for view in seen])

    def forward(self) -> Forward:
        """The same network as arguments of the compiled entry point."""
        return Forward(self._weights, self._moved, self._actions)

    def clear_choice(self, observation: Any, mask: Any) -> int | None:
        """The legal action with the highest output, from machine code, in half of NumPy's time.

        None if a second output is so close to it that NumPy, whose sums have another order, may
        choose that one, or if the network is too large for the entry point. Numba would compile it
        for longer than it saves, so `Network.act` calls this with a library built ahead of time.
        """
        if len(self._weights["vertex_bias"]) > MOST_LOCAL:
            return None
        if self._compiled is None:
            ensure_forward()
            self._compiled = self.forward()
        outputs = self._compiled.outputs(observation[None])[0]
        outputs[mask == 0] = -np.inf
        second, first = np.partition(outputs, -2)[-2:]
        is_clear = second < first - CLOSE * max(1, abs(first))  # False if no legal action has one
        return int(outputs.argmax()) if is_clear else None

    def __call__(self, observations: Array) -> Array:
        """(n, 848) outputs."""
        inputs = pointer.inputs(observations, self._tables, np.concatenate)
        result = np.full((len(inputs), NUM_ACTIONS), -np.inf, np.float32)
        of_inputs = self._mean_of_views if len(self._moved) else self._outputs
        for start in range(0, len(inputs), self.at_once):
            found = of_inputs(inputs[start : start + self.at_once])
            result[start : start + self.at_once, : found.shape[1]] = found
        return result

    def _outputs(self, inputs: Array) -> Array:
        found: Array = pointer.outputs(self._weights, inputs, self._tables, np.concatenate)[0]
        return found

    def _mean_of_views(self, inputs: Array) -> Array:
        """The mean of its outputs over the board's symmetries: (n, outputs)."""
        found = self._outputs(inputs[:, self._moved].reshape(-1, inputs.shape[1]))
        found = found.reshape(len(inputs), len(self._moved), -1)
        mean: Array = np.take_along_axis(found, self._actions[None], 2).mean(axis=1)
        return mean


BODIES: dict[str, Callable[[Mapping[str, Any]], Layers | Pointer]] = {
    "layers": Layers,
    "pointer": Pointer,
}
"""The kinds of weights files."""


def _array(arrays: Mapping[str, Any], name: str) -> Array:
    result: Array = arrays[name].astype(np.float32)
    return result


def save(
    path: str | Path,
    layers: Sequence[tuple[Any, Any]],
    activation: str = "tanh",
    scale: Any = None,
    dtype: Any = np.float32,
    game: str = CATAN,
    version: int = OBSERVATION_VERSION,
) -> None:
    """Write a weights file of layers: a (weight, bias) pair each, weights as (inputs, outputs).

    `dtype` float16 halves the file; NumPy computes in float32 regardless. `version` is that of the
    game's observations.
    """
    weights: dict[str, Any] = {}
    for k, (weight, bias) in enumerate(layers):
        weights |= {f"weight_{k}": weight, f"bias_{k}": bias}
    scale = np.ones(OBSERVATION_SIZE, np.float32) if scale is None else scale
    write(
        path,
        weights,
        dtype,
        game=game,
        kind="layers",
        observation_version=version,
        observation_size=len(scale),
        activation=activation,
        scale=scale,
    )


def save_pointer(
    path: str | Path,
    weights: Mapping[str, Any],
    dtype: Any = np.float32,
    mirrored: bool = False,
) -> None:
    """Write a weights file for the network of `pointer.py`; `dtype` as above.

    A `mirrored` network returns the mean over the six views of the board.
    """
    write(
        path,
        weights,
        dtype,
        game=CATAN,
        kind="pointer",
        observation_version=OBSERVATION_VERSION,
        observation_size=OBSERVATION_SIZE,
        **({"mirrored": True} if mirrored else {}),
    )
