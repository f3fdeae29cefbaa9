"""Hanabi: rules, environments, a native batch, policies, a WebSocket server and an agent."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catan_env.guests.hanabi.action import Action, ActionKind
    from catan_env.guests.hanabi.aec import env, raw_env
    from catan_env.guests.hanabi.batch import Batch, play_out
    from catan_env.guests.hanabi.cards import Card, Colour
    from catan_env.guests.hanabi.errors import GameOverError, IllegalActionError
    from catan_env.guests.hanabi.event import Event
    from catan_env.guests.hanabi.game import Game
    from catan_env.guests.hanabi.rules import Rules
    from catan_env.guests.hanabi.view import SeatView

_HOME = {
    "Action": "action",
    "ActionKind": "action",
    "Batch": "batch",
    "Card": "cards",
    "Colour": "cards",
    "Event": "event",
    "Game": "game",
    "GameOverError": "errors",
    "IllegalActionError": "errors",
    "Rules": "rules",
    "SeatView": "view",
    "env": "aec",
    "play_out": "batch",
    "raw_env": "aec",
}
__all__ = [
    "Action",
    "ActionKind",
    "Batch",
    "Card",
    "Colour",
    "Event",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "Rules",
    "SeatView",
    "env",
    "play_out",
    "raw_env",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'catan_env.guests.hanabi' has no attribute {name!r}")
    value = getattr(import_module(f"catan_env.guests.hanabi.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
