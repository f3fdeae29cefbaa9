"""What a player asks for."""

import msgspec
from msgspec import UNSET, UnsetType, field

from catan_env.guests.renaissance.messages.base import Boxes, Command, Map, Message


class ReqJoin(Command):
    """Take a nickname: wait for a game, or come back to one."""

    nickname: str


class ReqNewGame(Command):
    """How many seats the next game has; from the first who waits."""

    playersCount: int


class ReqChooseLeaders(Command):
    """Two of the leaders dealt."""

    leaders: list[int]


class ReqChooseResources(Command):
    """Starting goods, by shelf."""

    shelves: Boxes = field(default_factory=dict)


class ReqSwapShelves(Command):
    """Exchange two shelves or active depots."""

    shelf1: int
    shelf2: int


class ReqLeaderAction(Command):
    """Activate a leader, or discard it."""

    leader: int
    isActivate: bool


class ReqTakeFromMarket(Command):
    """A row or column; white marbles by good; where goods go, the rest is discarded."""

    isRow: bool
    index: int
    replacements: Map = field(default_factory=dict)
    shelves: Boxes = field(default_factory=dict)


class ReqBuyDevCard(Command):
    """The top card of a stack into a slot, paid from these containers."""

    color: str
    level: int
    devSlot: int
    resContainers: Boxes = field(default_factory=dict)


class ProductionRequest(msgspec.Struct):
    """One production: what it takes from where, and its pieces of choice."""

    production: int | UnsetType = UNSET
    id: int | UnsetType = UNSET
    inputContainers: Boxes = field(default_factory=dict)
    inputNonStorableRep: Map = field(default_factory=dict)
    outputRep: Map = field(default_factory=dict)


class ReqActivateProductions(Command):
    """Productions, all at once."""

    prodRequests: list[ProductionRequest]


class ReqEndTurn(Command):
    """The turn is over."""


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
