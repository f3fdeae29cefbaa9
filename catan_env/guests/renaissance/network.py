"""A trained network as a policy, computed with NumPy alone.

The weights file is written by `catan_env.training.self_play`: two layers over the observation
("flat"), or a network with `greedy`'s advice (`advised.py`).
"""

from pathlib import Path

import numpy as np

from catan_env.adapters import flat_network
from catan_env.adapters.weights import check_game, errors_of, read
from catan_env.guests.renaissance.advised import GAME, KIND, Advised
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import SeatView

NEVER = -1e9
WEIGHTS = Path(__file__).parent / "weights"
"""The shipped networks, each with its card."""


class Network:
    """The likeliest legal action by a weights file; ValueError if it is not one of this game."""

    def __init__(self, path: str | Path) -> None:
        arrays = read(path)
        with errors_of(path):
            check_game(str(arrays.get("game", GAME)), GAME)
            is_advised = str(arrays.get("kind")) == KIND
            self._body: Advised | Layers = Advised(arrays) if is_advised else Layers(arrays)

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(np.argmax(np.where(view.action_mask, self._body.outputs(view), NEVER)))


class Layers:
    """Dense layers over the observation."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self._layers = flat_network.Layers(arrays)
        self._layers.check_table(OBSERVATION_SIZE, NUM_ACTIONS)

    def outputs(self, view: SeatView) -> Array:
        """The outputs for a view: (96,)."""
        result: Array = self._layers.outputs(view.observation[None])[0]
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
