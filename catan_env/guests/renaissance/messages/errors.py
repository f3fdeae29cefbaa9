"""What a command is refused with."""

from catan_env.guests.renaissance.messages.base import Map, Message
from catan_env.guests.renaissance.messages.pieces import CardEntry


class ErrNickname(Message):
    """NOT_SET, ALREADY_SET, TAKEN or NOT_IN_GAME."""

    reason: str


class ErrNewGame(Message):
    """Not the first who waits, or no such number of seats."""

    isInvalidPlayersCount: bool


class ErrAction(Message):
    """The wrong time for it."""

    reason: str


class ErrInitialChoice(Message):
    """The choice of the set-up is made already, or of so many leaders too few."""

    isLeadersChoice: bool
    missingLeadersCount: int


class ErrObjectNotOwned(Message):
    """Something of that id that the player does not have."""

    id: int
    objectType: str


class ErrNoSuchEntity(Message):
    """Something that does not exist: by id, or by code and id -1."""

    originalEntity: str
    id: int
    code: str | None = None


class ErrBuyDevCard(Message):
    """An empty stack, or the wrong slot."""

    isStackEmpty: bool


class ErrCardRequirements(Message):
    """What is missing for a leader."""

    missingDevCards: list[CardEntry] | None = None
    missingResources: Map | None = None


class ErrActiveLeaderDiscarded(Message):
    """An active leader is not discarded."""


class ErrInvalidResourceTransaction(Message):
    """A map holds what it may not."""

    isInput: bool
    isReplacement: bool
    reason: str


class ErrResourceReplacement(Message):
    """The same, as the text calls it."""

    isInput: bool
    isReplacement: bool
    reason: str


class ErrReplacedTransRecipe(Message):
    """Maps do not add up to what the recipe says."""

    isInput: bool
    resType: str
    replacedCount: int
    shelvesChoiceResCount: int
    isIllegalDiscardedOut: bool


class ErrResourceTransfer(Message):
    """A container cannot give or take that."""

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
