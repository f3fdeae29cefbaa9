"""The networks that `training.self_play` can train, by their names in a configuration.

`network.py` has their interface, `kinds.py` their names; every other file is one of them. Your own
is a subclass of `Network`, named "module:Class" in the configuration and made with a batch and the
`network_options`.
"""

from catan_env.training.networks.flat import Flat
from catan_env.training.networks.game_module import GameModule, ModuleNetwork
from catan_env.training.networks.kinds import KINDS, LEARN_CHANCE, network_called, network_of
from catan_env.training.networks.network import Network
from catan_env.training.networks.pointer import Mirrored, Pointer
from catan_env.training.networks.symmetric import Symmetric

__all__ = [
    "KINDS",
    "LEARN_CHANCE",
    "Flat",
    "GameModule",
    "Mirrored",
    "ModuleNetwork",
    "Network",
    "Pointer",
    "Symmetric",
    "network_called",
    "network_of",
]
