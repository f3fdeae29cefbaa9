"""Compiles the network of `pointer.py`, once per machine, and gives it its weights and memory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.game.observation import NUM_ACTIONS, OBSERVATION_SIZE
from catan_env.kernel.compiled import ensure_compiled
from catan_env.policies.network import pointer
from catan_env.policies.network.features import VERTICES
from catan_env.policies.network.native.forward import MOST_LOCAL, write_outputs

HERE = Path(__file__).parent
Array = np.ndarray[Any, Any]


class Forward:
    """One network as arguments of the entry point; any number of threads may use it.

    `weights` are those of `pointer.shapes`; `moved` and `images` are (views, NUM_INPUTS) and
    (views, outputs), as `network.Pointer` has them. Without views the board is seen as it is.
    """

    def __init__(self, weights: Mapping[str, Array], moved: Array, images: Array) -> None:
        self.arguments: tuple[Any, ...] = (
            *layers_of(weights),
            pointer.input_scale(),
            actions_of(weights, images),
            max(len(moved), 1),
            *views_of(moved, images),
        )
        self._sizes = (2, pointer.NUM_INPUTS), *memory_of(weights), (3, NUM_ACTIONS)

    def outputs(self, observations: Array) -> Array:
        """The outputs for (n, OBSERVATION_SIZE) int8 observations: (n, 848) float32."""
        out = np.zeros((len(observations), NUM_ACTIONS), np.float32)
        memory = (np.zeros(size, np.float32) for size in self._sizes)
        write_outputs(observations, *self.arguments, *memory, out, 0, len(observations))
        return out


def layers_of(weights: Mapping[str, Array]) -> tuple[Array, ...]:
    """The layers in the order of the entry point's arguments, each with its bias as last row."""
    return tuple(
        np.vstack([weights[name], weights[f"{name}_bias"]]).astype(np.float32) for name in LAYERS
    )


def views_of(moved: Array, images: Array) -> tuple[Array, Array]:
    """The views' moved inputs and images of the actions, one after the other: int64."""
    if not len(moved):
        return np.arange(pointer.NUM_INPUTS), np.arange(NUM_ACTIONS)
    rest = np.arange(images.shape[1], NUM_ACTIONS)
    whole = np.hstack([images, np.tile(rest, (len(images), 1))])
    return np.ravel(moved).astype(np.int64), np.ravel(whole).astype(np.int64)


def actions_of(weights: Mapping[str, Array], images: Array) -> int:
    """The number of actions that have an output; they are the first ones."""
    if len(images):
        return images.shape[1]
    return (
        NUM_ACTIONS
        if len(weights["action_bias"]) > pointer.PLAIN_ACTIONS
        else pointer.PLAIN_ACTIONS
    )


def memory_of(weights: Mapping[str, Array]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The shapes of the scratch memory that depend on the network."""
    local = len(weights["vertex_bias"])
    if local > MOST_LOCAL:
        raise ValueError(f"keys of {local} numbers; allowed are at most {MOST_LOCAL}")
    return (2, len(weights["body"])), (VERTICES + pointer.QUERIES, local)


LAYERS = ("trunk", "body", "vertex", "query", "action")


def open_forward() -> None:
    """Compile the entry point, called once on an empty observation."""
    shapes = pointer.shapes(8, 4, True)
    weights = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    none: Any = ()
    Forward(weights, none, none).outputs(np.zeros((1, OBSERVATION_SIZE), np.int8))


def ensure_forward() -> None:
    """Compile the network unless this machine has done so."""
    ensure_compiled("network", open_forward, HERE)
