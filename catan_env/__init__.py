"""The complete Catan base game for reinforcement learning.

Names are imported on first use, which makes importing the package fast.
"""

from importlib import import_module
from os import path as _path

from catan_env.envs.registration import register as _register_environments

TYPE_CHECKING = False  # without importing typing: Ctrl-C is not caught while this is loaded
if TYPE_CHECKING:
    from typing import Any

    from catan_env.core.actions import NUM_ACTIONS
    from catan_env.core.constants import DevelopmentCard, Phase, Placement, Resource, Terrain
    from catan_env.core.observation import OBSERVATION_SIZE
    from catan_env.envs.aec import env, raw_env
    from catan_env.game import geometry
    from catan_env.game.action import Action, ActionKind
    from catan_env.game.board import Board, Harbour, Tile
    from catan_env.game.errors import GameOverError, IllegalActionError, IllegalOutcomeError
    from catan_env.game.event import HIDDEN, Event
    from catan_env.game.game import Game
    from catan_env.game.observation import named_observation
    from catan_env.game.rules import Rules
    from catan_env.game.view import SeatView

_HOME = {
    "Action": "game.action",
    "ActionKind": "game.action",
    "Board": "game.board",
    "DevelopmentCard": "core.constants",
    "Event": "game.event",
    "Game": "game.game",
    "GameOverError": "game.errors",
    "HIDDEN": "game.event",
    "Harbour": "game.board",
    "IllegalActionError": "game.errors",
    "IllegalOutcomeError": "game.errors",
    "NUM_ACTIONS": "core.actions",
    "OBSERVATION_SIZE": "core.observation",
    "Phase": "core.constants",
    "Placement": "core.constants",
    "Resource": "core.constants",
    "Rules": "game.rules",
    "SeatView": "game.view",
    "Terrain": "core.constants",
    "Tile": "game.board",
    "env": "envs.aec",
    "geometry": "game.geometry",
    "named_observation": "game.observation",
    "raw_env": "envs.aec",
}

__version__ = "0.2.0"
__all__ = [
    "HIDDEN",
    "NUM_ACTIONS",
    "OBSERVATION_SIZE",
    "Action",
    "ActionKind",
    "Board",
    "DevelopmentCard",
    "Event",
    "Game",
    "GameOverError",
    "Harbour",
    "IllegalActionError",
    "IllegalOutcomeError",
    "Phase",
    "Placement",
    "Resource",
    "Rules",
    "SeatView",
    "Terrain",
    "Tile",
    "env",
    "geometry",
    "named_observation",
    "raw_env",
]


def __getattr__(name: str) -> "Any":
    if name not in _HOME:
        raise AttributeError(f"module 'catan_env' has no attribute {name!r}")
    home = import_module(f"catan_env.{_HOME[name]}")
    value = home if _HOME[name].endswith(f".{name}") else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


# policies/ and training/ are next to this folder in a checkout, inside it when installed.
_HERE = _path.dirname(_path.abspath(__file__))
if not _path.isdir(_path.join(_HERE, "policies")):
    __path__.append(_path.dirname(_HERE))

_register_environments()
