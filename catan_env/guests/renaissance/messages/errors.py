"""Errors that refuse a command."""

from catan_env.guests.renaissance.messages.base import Map, Message
from catan_env.guests.renaissance.messages.pieces import CardEntry


class ErrNickname(Message):
    """NOT_SET, ALREADY_SET, TAKEN, NOT_IN_GAME or TOO_LONG."""

    reason: str


class ErrNewGame(Message):
    """The client is not first in the waiting list, or the number of seats is invalid."""

    isInvalidPlayersCount: bool


class ErrAction(Message):
    """The command is not allowed at this time."""

    reason: str


class ErrInitialChoice(Message):
    """The choice of the set-up is made already, or has too few leaders."""

    isLeadersChoice: bool
    missingLeadersCount: int


class ErrObjectNotOwned(Message):
    """The player does not own the object of that id."""

    id: int
    objectType: str


class ErrNoSuchEntity(Message):
    """The object does not exist: by id, or by code and id -1."""

    originalEntity: str
    id: int
    code: str | None = None


class ErrBuyDevCard(Message):
    """An empty stack, or the wrong slot."""

    isStackEmpty: bool


class ErrCardRequirements(Message):
    """The missing requirements of a leader."""

    missingDevCards: list[CardEntry] | None = None
    missingResources: Map | None = None


class ErrActiveLeaderDiscarded(Message):
    """An active leader cannot be discarded."""


class ErrInvalidResourceTransaction(Message):
    """A map contains an entry that is not allowed."""

    isInput: bool
    isReplacement: bool
    reason: str


class ErrResourceReplacement(Message):
    """The same, by the name of the protocol's text."""

    isInput: bool
    isReplacement: bool
    reason: str


class ErrReplacedTransRecipe(Message):
    """The sums of the maps differ from the recipe."""

    isInput: bool
    resType: str
    replacedCount: int
    shelvesChoiceResCount: int
    isIllegalDiscardedOut: bool


class ErrResourceTransfer(Message):
    """A container cannot give or take this good."""

    isAdded: bool
    reason: str
    resType: str | None = None


ERRORS = (
    ErrNickname,
    ErrNewGame,
    ErrAction,
    ErrInitialChoice,
    ErrObjectNotOwned,
    ErrNoSuchEntity,
    ErrBuyDevCard,
    ErrCardRequirements,
    ErrActiveLeaderDiscarded,
    ErrInvalidResourceTransaction,
    ErrResourceReplacement,
    ErrReplacedTransRecipe,
    ErrResourceTransfer,
)
