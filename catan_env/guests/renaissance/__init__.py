"""Masters of Renaissance: rules, environments, a server, an agent and policies."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from catan_env.guests.renaissance.action import Action, ActionKind
from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.errors import GameOverError, IllegalActionError
from catan_env.guests.renaissance.game import LORENZO, NOBODY, Event, Game
from catan_env.guests.renaissance.view import SeatView

if TYPE_CHECKING:
    from catan_env.guests.renaissance.aec import env, raw_env

__all__ = [
    "LORENZO",
    "NOBODY",
    "Action",
    "ActionKind",
    "Batch",
    "Event",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "SeatView",
    "env",
    "raw_env",
]


def __getattr__(name: str) -> Any:
    if name not in ("env", "raw_env"):
        raise AttributeError(f"module 'catan_env.guests.renaissance' has no attribute {name!r}")
    return getattr(import_module("catan_env.guests.renaissance.aec"), name)
