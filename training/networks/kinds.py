"""The networks that a configuration can name."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

from catan_env.batch import Batch
from catan_env.training.config import call, named
from catan_env.training.networks.flat import Flat
from catan_env.training.networks.game_module import ModuleNetwork
from catan_env.training.networks.pointer import Mirrored, Pointer
from catan_env.training.networks.symmetric import Symmetric
from catan_env.training.networks.trial import check_network
from catan_env.training.ranges import COUNT, fault_of

KINDS: dict[str, Any] = {
    "pointer": Pointer,
    "mirrored": Mirrored,
    "symmetric": Symmetric,
    "flat": Flat,
}
READ_VERSION_1 = ("pointer", "mirrored", "symmetric")
LEARN_CHANCE = ("pointer", "mirrored", "symmetric")
"""Those that can learn the value of chance residuals (`control_variate`)."""


def network_of(name: str, batch: Any, options: Mapping[str, Any]) -> Any:
    """The network of a configuration for a batch; ValueError if it, or an option, is wrong."""
    for width, value in () if ":" in name else options.items():
        if fault := fault_of(value, 1, COUNT):
            raise ValueError(f"network_options: {width} is {value!r}; allowed are {fault}")
    check_reads(name, batch)
    network = call("network_options", network_called(name), batch, **options)
    call("network", check_network, network, batch)
    return network


def network_called(name: str) -> Callable[..., Any]:
    """The maker of a network: one of `KINDS`, a "module:Class", or another game's module."""
    if ":" in name:
        maker: Callable[..., Any] = named(name)
        return maker
    if name in KINDS:
        kind: Callable[..., Any] = KINDS[name]
        return kind
    if find_spec(name.partition(".")[0]) is None:
        known = ", ".join(sorted(KINDS))
        raise ValueError(
            f"network = {name!r}; allowed are {known}, module:Class and a game's module"
        )
    return partial(ModuleNetwork, name)


def check_reads(name: str, batch: Any) -> None:
    """Raise ValueError if a network reads other observations than those of a batch."""
    if name not in READ_VERSION_1:
        return
    if not isinstance(batch, Batch):
        raise ValueError(
            f"network = {name!r} reads Catan's observations; another game takes 'flat', "
            "your own module:Class, or a module of the game"
        )
    if batch.observation_version != 1:
        raise ValueError(
            f"network = {name!r} reads version 1 of the observation, not "
            f"{batch.observation_version}; 'flat' reads every version"
        )
