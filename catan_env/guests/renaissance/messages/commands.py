"""Requests of a player; null is an empty map or list."""

import msgspec
from msgspec import UNSET, UnsetType, field

from catan_env.guests.renaissance.messages.base import Boxes, Command, Int32, Map, Message


class ReqJoin(Command):
    """Take a nickname: wait for a game, or return to one."""

    nickname: str


class ReqNewGame(Command):
    """Set the number of seats of the next game; from the first in the waiting list."""

    playersCount: Int32


class ReqChooseLeaders(Command):
    """Keep two of the leaders dealt."""

    leaders: list[Int32] | None


class ReqChooseResources(Command):
    """Take starting goods, by shelf."""

    shelves: Boxes | None = field(default_factory=dict)


class ReqSwapShelves(Command):
    """Exchange two shelves or active depots."""

    shelf1: Int32
    shelf2: Int32


class ReqLeaderAction(Command):
    """Activate or discard a leader."""

    leader: Int32
    isActivate: bool


class ReqTakeFromMarket(Command):
    """Take a row or column; white marbles by good; goods by place, the rest is discarded."""

    isRow: bool
    index: Int32
    replacements: Map | None = field(default_factory=dict)
    shelves: Boxes | None = field(default_factory=dict)


class ReqBuyDevCard(Command):
    """Buy the top card of a stack into a slot, paid from these containers."""

    color: str
    level: Int32
    devSlot: Int32
    resContainers: Boxes | None = field(default_factory=dict)


class ProductionRequest(msgspec.Struct):
    """One production: its inputs by container, and its pieces of choice."""

    production: Int32 | UnsetType = UNSET
    id: Int32 | UnsetType = UNSET
    inputContainers: Boxes | None = field(default_factory=dict)
    inputNonStorableRep: Map | None = field(default_factory=dict)
    outputRep: Map | None = field(default_factory=dict)


class ReqActivateProductions(Command):
    """Produce with all of these."""

    prodRequests: list[ProductionRequest] | None


class ReqEndTurn(Command):
    """End the turn."""


class ReqQuit(Message):
    """Leave the game."""


COMMANDS = (
    ReqJoin,
    ReqNewGame,
    ReqChooseLeaders,
    ReqChooseResources,
    ReqSwapShelves,
    ReqLeaderAction,
    ReqTakeFromMarket,
    ReqBuyDevCard,
    ReqActivateProductions,
    ReqEndTurn,
    ReqQuit,
)
