"""The networks that `training.self_play` can train, by their names in a configuration.

`features` encodes observations, (n, size), as the input that the network reads and a rollout
stores: int8 in all networks here, which takes the least memory. `forward` gives the logits and the
values for these, (n, outputs) and (n,). An action beyond the outputs is never played. Your own is a
subclass of `Network`, named "module:Class" in the configuration and made with a batch and the
`network_options`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from catan_env.batch import Batch
from catan_env.policies import network
from catan_env.policies.network import pointer
from catan_env.policies.network.symmetry import between_views, views
from catan_env.training.config import COUNT, call, fault_of, named

Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]
Shape = tuple[int, ...]
SMALL = ("action", "query", "value", "settlement", "city", "road", "robber")
"""Output layers: initialized small, so that at first all actions are about as likely."""
CHANCE_SCALE = 0.1
"""The value of a chance residual in units of the outputs: it is small, and has to be learned in
small steps, or the correction of the advantages is noise at first."""
LAYERS = ("first", "second", "action")
"""Those of `Flat` from an observation to the outputs: layers 0 to 2 of its file."""
OWN_NAMES = {
    f"{part}_{k}": f"{name}{end}"
    for k, name in enumerate(LAYERS)
    for part, end in (("weight", ""), ("bias", "_bias"))
}
"""The names of its weights by those in the file."""
CALIBRATION = 500
"""Random steps of a batch that show `Flat` how large the numbers of an observation become."""
GUESTS = "catan_env.guests."


class Network(nn.Module):
    """A torch module that self-play trains; a subclass needs `__init__` and `forward` only.

    A subclass that calls `super().__init__(batch)` reads the observations themselves, (n, size).
    """

    num_features: int
    working_type = torch.float32
    """The type of the computation; the weights are float32."""

    def __init__(self, batch: Any) -> None:
        super().__init__()
        self.num_features = batch.observations.shape[1]
        self.num_actions = batch.action_masks.shape[1]
        self._game = game_of(batch)

    def features(self, observations: Tensor) -> Tensor:
        """The input of `forward`: (n, num_features), of a dtype that NumPy has."""
        return observations

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, (n, outputs), and values, (n,)."""
        raise NotImplementedError

    def outputs(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values, and the value of each chance residual: (n, chance)."""
        logits, values = self(features)
        return logits, values, values.new_zeros(len(values), 0)

    def arrays(self) -> dict[str, Array]:
        """The weights by name, float32."""
        return {name: array.detach().cpu().numpy() for name, array in self.named_parameters()}

    def load(self, path: str | Path) -> None:
        """Take the weights of a file that `save` wrote; ValueError if their shapes differ."""
        found, weights = network.read(path), dict(self.named_parameters())
        self._check(str(path), found, {name: tuple(w.shape) for name, w in weights.items()})
        with torch.no_grad():
            for name, mine in weights.items():
                mine.copy_(torch.from_numpy(found[name]))

    def save(self, path: str | Path) -> None:
        """Write the weights, with the name of the game and its layout's version."""
        name, version = self._game
        marks = {"game": name, "observation_version": version, "kind": type(self).__name__,
                 "observation_size": self.num_features}  # fmt: skip
        np.savez_compressed(path, **marks, **self.arrays())  # type: ignore[arg-type]

    def _check(self, path: str, found: Arrays, shapes: Mapping[str, Shape]) -> None:
        """Raise ValueError if the file lacks an array, or has one of a shape that does not fit."""
        for name, mine in shapes.items():
            if name not in found:
                raise ValueError(f"{path!r} has no {name!r}: it is of another network")
            if not self._fits(name, found[name].shape, mine):
                shape = found[name].shape
                raise ValueError(f"{path!r}: {name!r} is of shape {shape}, this network's {mine}")

    def _fits(self, name: str, shape: Shape, mine: Shape) -> bool:
        return shape == mine


class Shared(Network):
    """Weights by name, and the constant tables that the code shared with NumPy needs."""

    def __init__(self, shapes: Mapping[str, Shape], tables: Arrays) -> None:
        nn.Module.__init__(self)
        self.weights = nn.ParameterDict({name: _drawn(name, s) for name, s in shapes.items()})
        self._names = list(tables)
        for name, table in tables.items():
            self.register_buffer(name, torch.from_numpy(table), persistent=False)

    @property
    def tables(self) -> dict[str, Tensor]:
        """The tables, those of fractions in the type of the computation."""
        tables = {name: getattr(self, name) for name in self._names}
        return {
            name: table.to(self.working_type) if table.is_floating_point() else table
            for name, table in tables.items()
        }

    def cast(self) -> dict[str, Tensor]:
        """The weights, in the type of the computation."""
        return {name: array.to(self.working_type) for name, array in self.weights.items()}

    def arrays(self) -> dict[str, Array]:
        """The weights by name, float32."""
        return {name: array.detach().cpu().numpy() for name, array in self.weights.items()}

    def load(self, path: str | Path) -> None:
        """Take the weights of a file that `save` wrote; ValueError if it is of another network."""
        self._take_all(str(path), network.read(path))

    def _take_all(self, path: str, found: Arrays) -> None:
        mine = self.arrays()
        self._check(path, found, {name: array.shape for name, array in mine.items()})
        with torch.no_grad():
            for name in mine:
                self._take(name, torch.from_numpy(found[name].astype(np.float32)))

    def _take(self, name: str, array: Tensor) -> None:
        self.weights[name].copy_(array)


class Pointer(Shared):
    """`policies.network.pointer` for Catan: `hidden` wide in the trunk, `local` at a vertex."""

    def __init__(self, batch: Any, hidden: int = 512, local: int = 32, chance: int = 0) -> None:
        shapes = pointer.shapes(hidden, local, batch.rules.player_trade)
        shapes |= {"value": (hidden, 1 + chance), "value_bias": (1 + chance,)}
        super().__init__(shapes, pointer.tables())
        self.num_features = pointer.NUM_INPUTS

    def features(self, observations: Tensor) -> Tensor:
        """(n, NUM_INPUTS) int8."""
        shown = observations.to(self.working_type)
        result: Tensor = pointer.inputs(shown, self.tables, torch.cat)
        return result.to(torch.int8)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        return self.outputs(features)[:2]

    def outputs(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values, and the value of each chance residual: (n, chance)."""
        logits, values = self.predictions(features)
        return logits, values[:, 0], CHANCE_SCALE * values[:, 1:]

    def predictions(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and the value with the chance values after it: (n, 1 + chance)."""
        shown = features.to(self.working_type)
        result: tuple[Tensor, Tensor] = pointer.outputs(self.cast(), shown, self.tables, torch.cat)
        return result

    def arrays(self) -> dict[str, Array]:
        """The weights of policy and value by name, float32."""
        return without_chance(super().arrays())

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        network.save_pointer(path, self.arrays(), np.float16)

    def _fits(self, name: str, shape: Shape, mine: Shape) -> bool:
        """Games without trade have no offers: outputs may be missing, or left over."""
        if name.startswith("action"):
            return shape[:-1] == mine[:-1]
        return shape == mine

    def _take(self, name: str, array: Tensor) -> None:
        """Take the columns that both have: a file has no chance values either."""
        mine = self.weights[name]
        shared = min(array.shape[-1], mine.shape[-1])
        mine[..., :shared].copy_(array[..., :shared])


def without_chance(arrays: dict[str, Array]) -> dict[str, Array]:
    """The arrays of a network, of the value's columns the first alone."""
    return arrays | {name: arrays[name][..., :1] for name in ("value", "value_bias")}


class Mirrored(Pointer):
    """A `Pointer` that, once saved, decides by the mean over all six views of the board."""

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        network.save_pointer(path, self.arrays(), np.float16, mirrored=True)


class Symmetric(Pointer):
    """A `Pointer` with the same policy in all views of a board; `hidden` is a multiple of six.

    Its units are in groups of six that share their weights; each of the six sees the board in a
    different one of `symmetry.views`. So there is a sixth of the weights to learn, and what is
    learned at one place is known at six. It saves an ordinary `Pointer`.
    """

    table_images: Tensor
    action_images: Tensor
    turns: Tensor

    def __init__(self, batch: Any, hidden: int = 576, local: int = 32, chance: int = 0) -> None:
        each, rest = divmod(hidden, len(views()))
        if rest:
            raise ValueError(f"hidden {hidden} is not a multiple of {len(views())}")
        super().__init__(batch, hidden, local)
        shapes = pointer.shapes(each, local, batch.rules.player_trade) | {
            "body": (hidden, each),
            "value": (each, 1 + chance),
            "value_bias": (1 + chance,),
        }
        self.weights = nn.ParameterDict({name: _drawn(name, s) for name, s in shapes.items()})
        outputs = len(self.weights["action_bias"])
        moved = [view.of_actions()[: pointer.PLAIN_ACTIONS] for view in views()]
        plain = np.arange(pointer.PLAIN_ACTIONS, outputs)
        images = {
            "table_images": np.stack([view.of_trunk() for view in views()], axis=1),
            "action_images": np.stack([np.append(image, plain) for image in moved]),
            "turns": between_views(),
        }
        for name, image in images.items():
            self.register_buffer(name, torch.from_numpy(image), persistent=False)
        self._spread: dict[str, Tensor] | None = None
        """All units' weights, outside training; a fused optimizer does not say it wrote."""
        self.register_load_state_dict_post_hook(_forget_spread)

    def cast(self) -> dict[str, Tensor]:
        """All units' weights, in the type of the computation."""
        if torch.is_grad_enabled():
            self._spread = None  # they are to be learned
            return self._of_all_units()
        if self._spread is None:
            self._spread = self._of_all_units()
        return self._spread

    def arrays(self) -> dict[str, Array]:
        """Those of all units by name, float32."""
        with torch.no_grad():
            arrays = {name: array.cpu().numpy() for name, array in self._of_all_views().items()}
        return without_chance(arrays)

    def _of_all_units(self) -> dict[str, Tensor]:
        spread = self._of_all_views()
        return {name: array.to(self.working_type) for name, array in spread.items()}

    def _of_all_views(self) -> dict[str, Tensor]:
        """All units' weights, permuted copies of those of the first unit of each group of six."""
        w, sixfold = self.weights, len(views())
        each = len(w["trunk_bias"])
        trunk = w["trunk"].index_select(0, self.table_images.ravel())
        body = w["body"].reshape(sixfold, each, each)[self.turns]
        action = w["action"].index_select(1, self.action_images.ravel())
        return {
            **w,
            "trunk": trunk.reshape(-1, sixfold * each),
            "trunk_bias": w["trunk_bias"].repeat(sixfold),
            "body": body.swapaxes(1, 2).reshape(sixfold * each, -1),
            "body_bias": w["body_bias"].repeat(sixfold),
            "query": w["query"].repeat(sixfold, 1),
            "action": action.reshape(each, sixfold, -1).swapaxes(0, 1).reshape(sixfold * each, -1),
            "action_bias": w["action_bias"][self.action_images].mean(0),
            "value": w["value"].repeat(sixfold, 1),
        }

    def load(self, path: str | Path) -> None:
        """Take a weights file of such a network; ValueError if its units differ."""
        super().load(path)
        self._spread = None
        mine = self.arrays()
        for name, array in network.read(path).items():
            if name not in mine:
                continue
            shared = min(array.shape[-1], mine[name].shape[-1])
            if not np.allclose(mine[name][..., :shared], array[..., :shared], atol=1e-3):
                raise ValueError(f"{str(path)!r}: {name!r} differs between the views of a board")

    def _take(self, name: str, array: Tensor) -> None:
        first = tuple(slice(size) for size in self.weights[name].shape)
        super()._take(name, array[first])


class Flat(Shared):
    """Two layers of `hidden` over the observation of any game, each number brought to 0..1.

    It plays the games of its batch for the scale, which is kept with the weights.
    """

    scale: Tensor

    def __init__(self, batch: Any, hidden: int = 256) -> None:
        size, actions = batch.observations.shape[1], batch.action_masks.shape[1]
        shapes = {
            "first": (size, hidden), "first_bias": (hidden,),
            "second": (hidden, hidden), "second_bias": (hidden,),
            "action": (hidden, actions), "action_bias": (actions,),
            "value": (hidden, 1), "value_bias": (1,),
        }  # fmt: skip
        super().__init__(shapes, {})
        self.register_buffer("scale", torch.from_numpy(1 / most_seen(batch)))
        self.num_features = size
        self._game = game_of(batch)

    def features(self, observations: Tensor) -> Tensor:
        """The observations themselves."""
        return observations

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        w, scale = self.cast(), self.scale.to(self.working_type)
        x = torch.relu(features.to(self.working_type) * scale @ w["first"] + w["first_bias"])
        x = torch.relu(x @ w["second"] + w["second_bias"])
        return x @ w["action"] + w["action_bias"], (x @ w["value"] + w["value_bias"])[:, 0]

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Take the weights and the scale of a checkpoint; ValueError if it has no scale."""
        if "scale" not in state_dict:
            raise ValueError(
                "the checkpoint is of an earlier version, which did not keep the scale of a flat "
                "network: begin in another folder with its last weights file as initial_weights"
            )
        return super().load_state_dict(state_dict, strict, assign)

    def arrays(self) -> dict[str, Array]:
        """The weights and the scale by name, float32."""
        return super().arrays() | {"scale": self.scale.cpu().numpy()}

    def load(self, path: str | Path) -> None:
        """Take the weights and the scale of a file; ValueError if it is of another network.

        Without a value in the file, as after `training.sb3.export`, this network's own stays.
        """
        found = network.read(path)
        check_layers(str(path), found)
        given = {OWN_NAMES.get(name, name): array for name, array in found.items()}
        self._take_all(str(path), self._value() | given)

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play, with the value for `load`."""
        w = self.arrays()
        layers = [(w[name], w[f"{name}_bias"]) for name in LAYERS]
        name, version = self._game
        network.save(path, layers, "relu", w["scale"], np.float16, game=name, version=version)
        np.savez_compressed(path, **network.read(path), **self._value())  # type: ignore[arg-type]

    def _value(self) -> dict[str, Array]:
        return {name: array for name, array in self.arrays().items() if name.startswith("value")}

    def _take(self, name: str, array: Tensor) -> None:
        mine = self.scale if name == "scale" else self.weights[name]
        mine.copy_(array)


class OtherGames(Shared):
    """The network of another game: a module with the lines that `pointer` has.

    These are `shapes(rules, players, **widths)`, `tables(rules, players)`, `facts`, `outputs` and
    `save(path, weights, rules, players)`.
    """

    def __init__(self, module: str, batch: Any, **widths: int) -> None:
        self._module, self._table = module, (batch.rules, batch.players)
        super().__init__(self.lines.shapes(*self._table, **widths), self.lines.tables(*self._table))
        self.num_features = batch.observations.shape[1]

    @property
    def lines(self) -> Any:
        """The module; a network that is copied may not hold it."""
        return import_module(self._module)

    def features(self, observations: Tensor) -> Tensor:
        """The module's encoding of observations: (n, size) int8."""
        result: Tensor = self.lines.facts(observations, self.tables, torch.cat)
        return result

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        shown = features.to(self.working_type)
        result: tuple[Tensor, Tensor] = self.lines.outputs(
            self.cast(), shown, self.tables, torch.cat
        )
        return result

    def save(self, path: str | Path) -> None:
        """Write a weights file that NumPy alone can play."""
        self.lines.save(path, self.arrays(), *self._table)


def network_of(name: str, batch: Any, options: Mapping[str, Any]) -> Any:
    """The network of a configuration for a batch; ValueError if its options are wrong."""
    for width, value in () if ":" in name else options.items():
        if fault := fault_of(value, 1, COUNT):
            raise ValueError(f"network_options: {width} is {value!r}; allowed are {fault}")
    return call("network_options", network_called(name), batch, **options)


def network_called(name: str) -> Callable[..., Any]:
    """The maker of a network: one of `KINDS`, a "module:Class", or another game's module."""
    if ":" in name:
        maker: Callable[..., Any] = named(name)
        return maker
    if name in KINDS:
        return partial(of_version, name)
    if find_spec(name.partition(".")[0]) is None:
        known = ", ".join(sorted(KINDS))
        raise ValueError(
            f"network = {name!r}; allowed are {known}, module:Class and a game's module"
        )
    return partial(OtherGames, name)


def of_version(name: str, batch: Any, *given: Any, **options: Any) -> Any:
    """A network of that kind for a batch; ValueError if it cannot read its observations."""
    version = getattr(batch, "observation_version", 1)
    if name in READ_VERSION_1 and isinstance(batch, Batch) and version != 1:
        raise ValueError(
            f"network = {name!r} reads version 1 of the observation, not {version}; 'flat' reads "
            "every version"
        )
    return KINDS[name](batch, *given, **options)


READ_VERSION_1 = ("pointer", "mirrored", "symmetric")

KINDS: dict[str, Any] = {
    "pointer": Pointer,
    "mirrored": Mirrored,
    "symmetric": Symmetric,
    "flat": Flat,
}

LEARN_CHANCE = ("pointer", "mirrored", "symmetric")
"""Those that can learn the value of chance residuals (`control_variate`)."""


def game_of(batch: Any) -> tuple[str, int]:
    """The name of a batch's game, and its observations' version.

    A guest's name is its folder in `guests`, another game's the module of its options or batch.
    """
    if isinstance(batch, Batch):
        return "catan", batch.observation_version
    module = type(getattr(batch, "options", batch)).__module__
    name = module.removeprefix(GUESTS).split(".")[0] if module.startswith(GUESTS) else module
    return name, int(getattr(batch, "observation_version", 1))


def most_seen(batch: Any) -> Array:
    """The maximum of each number of the observation in random play, 1 at least."""
    most = np.ones(batch.observations.shape[1], np.float32)
    for _ in range(CALIBRATION):
        most = np.maximum(most, np.abs(batch.observations).max(axis=0))
        batch.step(batch.sample_legal())
    return most


def check_layers(path: str, found: Arrays) -> None:
    """Raise ValueError unless the arrays of a weights file are layers like those of `Flat`."""
    layers = sum(name.startswith("weight_") for name in found)
    activation = str(found.get("activation"))
    if (layers, activation) != (len(LAYERS), "relu"):
        raise ValueError(
            f"{path!r} has {layers} layers with activation {activation}; "
            f"network = 'flat' has {len(LAYERS)} with relu"
        )


def has_bfloat16(device: torch.device) -> bool:
    """Return True if the device multiplies bfloat16 matrices faster than float32 ones."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    able = torch.cpu.get_capabilities()
    return bool(able.get("amx_bf16") or able.get("avx512_bf16"))


def _forget_spread(network: Symmetric, _: Any) -> None:
    network._spread = None


def _drawn(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """Zeros for a bias, little for what makes outputs, else what He draws for ReLU."""
    weights = torch.zeros(shape)
    if len(shape) == 2:
        bound = (6 / shape[0]) ** 0.5
        nn.init.uniform_(weights, -bound, bound)
    return nn.Parameter(weights * (0.05 if name in SMALL else 1))
