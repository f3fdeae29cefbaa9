"""Masters of Renaissance, a guest in this house: rules, environment, server, agent, policies."""

from catan_env.guests.renaissance.action import Action, ActionKind
from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.errors import GameOverError, IllegalActionError
from catan_env.guests.renaissance.game import LORENZO, NOBODY, Event, Game
from catan_env.guests.renaissance.view import SeatView

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
]
