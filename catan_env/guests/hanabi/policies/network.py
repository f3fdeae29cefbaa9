"""A network trained by `training.self_play` as a policy, with NumPy alone."""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters import flat_network
from catan_env.adapters.weights import check_game, errors_of, read
from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.policies import colours, remembering
from catan_env.guests.hanabi.remembered import input_size, remembered
from catan_env.guests.hanabi.rules import Rules
from catan_env.guests.hanabi.view import SeatView

Array = np.ndarray[Any, Any]
WEIGHTS = Path(__file__).parent / "weights"
"""The shipped networks, each with its card."""
LEARNT = WEIGHTS / "two.npz"
"""The one without a memory, for two players."""


class Network:
    """The network in a weights file; it plays the legal action with the greatest output.

    Raises ValueError if the file is not a weights file, or is for another table.
    """

    def __init__(self, path: str | Path) -> None:
        self._path, arrays = str(path), read(path)
        kind = str(arrays.get("kind", "layers"))
        with errors_of(path):
            check_game(str(arrays.get("game", colours.GAME)), colours.GAME)  # `two.npz` lacks it
            if kind not in KINDS:
                raise ValueError(f"kind {kind!r}; allowed are {', '.join(KINDS)}")
            self._body: Layers | Colours = KINDS[kind](arrays)

    def act(self, view: SeatView) -> int:
        """The legal action with the greatest output."""
        mask = view.action_mask
        shown = self._body.inputs(view)
        outputs = self.outputs(shown[None], view.rules, view.players)[0]
        return int(np.where(mask != 0, outputs, -np.inf).argmax())

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """The network's outputs for observations, (n, size): (n, actions)."""
        self.check_table(rules, players)
        return self._body.outputs(observations, rules, players)

    def check_table(self, rules: Rules, players: int) -> None:
        """ValueError if the network was trained for another table."""
        size = self._body.size_at(rules, players)
        if size != self._body.size:
            raise ValueError(
                f"{self._path!r} was trained on observations of {self._body.size} bits; "
                f"those of this table have {size}"
            )


class Plain:
    """A body that reads a view's observation."""

    def inputs(self, view: SeatView) -> Array:
        """The network's input for a view: (size,)."""
        return view.observation

    def size_at(self, rules: Rules, players: int) -> int:
        """The size of that at a table."""
        return observation_size(rules, players)


class Layers(Plain):
    """Dense layers over the observation."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self._layers = flat_network.Layers(arrays)
        self.size = self._layers.size

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """(n, actions)."""
        self._layers.check_table(self.size, len(all_actions(rules, players)))
        return self._layers.outputs(observations)


class Colours(Plain):
    """The network of `colours.py`."""

    module: Any = colours

    def __init__(self, arrays: dict[str, Array]) -> None:
        self.size, version = int(arrays["observation_size"]), int(arrays["observation_version"])
        if version != self.module.VERSION:
            raise ValueError(f"observation layout {version}; this is layout {self.module.VERSION}")
        self._widths = {"local": len(arrays["among"]), "hidden": len(arrays["action"])}
        self._weights = {
            name: array.astype(np.float32) for name, array in arrays.items() if array.ndim
        }

    def outputs(self, observations: Array, rules: Rules, players: int) -> Array:
        """(n, actions); ValueError if the weights are not of the network's shapes."""
        for name, shape in self.module.shapes(rules, players, **self._widths).items():
            if name not in self._weights or self._weights[name].shape != shape:
                raise ValueError(f"the weights' {name!r} is not of shape {shape}")
        tables = self.module.tables(rules, players)
        facts = self.module.facts(observations, tables, np.concatenate).astype(np.float32)
        result: Array = self.module.outputs(self._weights, facts, tables, np.concatenate)[0]
        return result


class Remembering(Colours):
    """The network of `remembering.py`."""

    module = remembering

    def inputs(self, view: SeatView) -> Array:
        """The observation with its memory of all past events."""
        return remembered(view)

    def size_at(self, rules: Rules, players: int) -> int:
        """The size of that at a table."""
        return input_size(rules, players)


KINDS: dict[str, type[Layers | Colours]] = {
    "layers": Layers,
    colours.KIND: Colours,
    remembering.KIND: Remembering,
}


class Shipped:
    """The shipped network with a memory for the number of players at the table.

    It is deterministic, so the seed is ignored.
    """

    def __init__(self, seed: int = 0) -> None:
        self._networks: dict[int, Network] = {}

    def act(self, view: SeatView) -> int:
        """The legal action with the greatest output."""
        return self._for(view.players).act(view)

    def check_table(self, rules: Rules, players: int) -> None:
        """ValueError if the network was trained for another table."""
        self._for(players).check_table(rules, players)

    def _for(self, players: int) -> Network:
        if players not in self._networks:
            path = WEIGHTS / f"memory_{players}.npz"
            if not path.exists():
                raise ValueError(f"no network for {players} players; allowed are 2..5")
            self._networks[players] = Network(path)
        return self._networks[players]


def learnt(seed: int = 0) -> Network:
    """The network without a memory, for two players; it is deterministic, too."""
    return Network(LEARNT)
