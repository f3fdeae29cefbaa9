"""The table of messages of the AM49 JSON protocol: their names, fields and spellings stand here.

`"type"` names the message; what is None is left out; unknown fields are ignored. A server reads
`TO_SERVER` and a client `TO_CLIENT`, which also take the forms of the protocol's text where the
real server speaks otherwise; whoever writes uses the forms of the real server.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from catan_env.guests.renaissance.native.cards import COLOURS, RESOURCES

NAMES = (*RESOURCES, "Faith", "Zero")
"""Marbles and goods, by number."""

Map = dict[str, int]
Boxes = dict[int, Map] | list[dict[int, Map]]
TopCards = dict[str, list[int | None]]


class Message(msgspec.Struct, tag=str, omit_defaults=True):
    """One JSON object, tagged by its type."""


class Command(msgspec.Struct, tag=str):
    """What a player asks for; every map is written: a missing one the real server passes over."""


# Network


class ReqWelcome(Message):
    """Each side sends it on connecting."""


class ResWelcome(Message):
    """The answer to it."""


class ReqHeartbeat(Message):
    """Sent after 12.5 seconds of silence."""


class ResHeartbeat(Message):
    """The answer to it."""


class ReqGoodbye(Message):
    """Leave-taking."""


class ResGoodbye(Message):
    """The answer to it; the connection closes."""


class ErrProtocol(Message):
    """A line that could not be read, in free text."""

    msg: str = ""


# Commands


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

    shelves: Boxes = {}


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
    replacements: Map = {}
    shelves: Boxes = {}


class ReqBuyDevCard(Command):
    """The top card of a stack into a slot, paid from these containers."""

    color: str
    level: int
    devSlot: int
    resContainers: Boxes = {}


class ProductionRequest(msgspec.Struct):
    """One production: what it takes from where, and its pieces of choice."""

    production: int | UnsetType = UNSET
    id: int | UnsetType = UNSET
    inputContainers: Boxes = {}
    inputNonStorableRep: Map = {}
    outputRep: Map = {}


class ReqActivateProductions(Command):
    """Productions, all at once."""

    prodRequests: list[ProductionRequest]


class ReqEndTurn(Command):
    """The turn is over."""


class ReqQuit(Message):
    """Leave the game."""


class ResQuit(Message):
    """The answer to it."""


# Events


class UpdateBookedSeats(Message):
    """How many wait, and who may prepare a game."""

    bookedSeats: int
    canPrepareNewGame: str


class UpdateJoinGame(Message):
    """The next game has so many seats."""

    playersCount: int


class Setup(msgspec.Struct):
    """A player's set-up."""

    chosenLeadersCount: int
    initialResources: int
    initialExcludedResources: list[str]
    hasChosenLeaders: bool
    hasChosenResources: bool


class Player(msgspec.Struct):
    """A player in UpdateGame."""

    nickname: str
    baseProduction: int
    warehouseShelves: list[int]
    strongbox: int
    setup: Setup
    leadersHand: list[int]
    leadersHandCount: int
    devSlots: list[list[int]]
    faithPoints: int
    victoryPoints: int
    active: bool = True


class Colour(msgspec.Struct):
    """A colour of cards."""

    name: str
    ansiColor: str


class ResourceType(msgspec.Struct):
    """A kind of resource."""

    name: str
    ansiColor: str
    isStorable: bool
    isGiveableToPlayer: bool
    isTakeableFromPlayer: bool


class CardEntry(msgspec.Struct):
    """So many cards of a colour and level (0: any)."""

    color: str
    quantity: int
    level: int


class CardRequirement(msgspec.Struct):
    """Cards that a leader asks for."""

    entries: list[CardEntry]


class Requirements(msgspec.Struct):
    """Goods that a card costs or a leader asks for."""

    requirements: Map


class LeaderCard(msgspec.Struct):
    """A leader; `active` is isActive in the protocol's text."""

    id: int
    leaderType: str
    resourceType: str
    victoryPoints: int
    active: bool | UnsetType = UNSET
    isActive: bool | UnsetType = UNSET
    discount: int = 0
    containerId: int = -1
    production: int = -1
    devCardRequirement: CardRequirement | UnsetType | None = UNSET
    resourceRequirement: Requirements | UnsetType | None = UNSET


class DevelopmentCard(msgspec.Struct):
    """A development card."""

    id: int
    color: str
    level: int
    victoryPoints: int
    cost: Requirements
    production: int


class Container(msgspec.Struct, omit_defaults=True):
    """A shelf, a depot, or a strongbox, whose size is -1."""

    id: int
    content: Map
    size: int
    boundedResType: str | None = None


class Recipe(msgspec.Struct):
    """A production; blanks are pieces of any kind but those excluded."""

    id: int
    input: Map
    inputBlanks: int
    inputBlanksExclusions: list[str]
    output: Map
    outputBlanks: int
    outputBlanksExclusions: list[str]
    discardableOutput: bool


class ActionToken(msgspec.Struct, omit_defaults=True):
    """One of Lorenzo's tokens."""

    id: int
    kind: str
    discardedDevCardColor: str | None = None


class VaticanSection(msgspec.Struct):
    """A pope report's section of the track."""

    id: int
    faithPointsBeginning: int
    faithPointsEnd: int
    victoryPoints: int
    activated: bool
    bonusGivenPlayers: list[str]


class YellowTile(msgspec.Struct):
    """A gold space."""

    faithPoints: int
    victoryPoints: int


class FaithTrack(msgspec.Struct):
    """The faith track."""

    vaticanSections: dict[str, VaticanSection]
    yellowTiles: list[YellowTile]
    maxFaith: int = 24


class Market(msgspec.Struct):
    """Marbles by row, and the slide."""

    grid: list[list[str]]
    replaceableResType: str
    slide: str


class DevCardGrid(msgspec.Struct):
    """The top card of each stack by colour and level; None where there is none."""

    levelsCount: int
    colorsCount: int
    topCards: TopCards


class TextGrid(msgspec.Struct):
    """The grid as the protocol's text has it."""

    grid: dict[str, list[Any]]


class UpdateGame(Message):
    """Everything, to one player; `players` starts with the current one and follows turn order."""

    players: list[Player]
    devCardColors: list[Colour]
    resourceTypes: list[ResourceType]
    leaderCards: list[LeaderCard]
    developmentCards: list[DevelopmentCard]
    resContainers: list[Container]
    productions: list[Recipe]
    faithTrack: FaithTrack
    market: Market
    devCardGrid: DevCardGrid
    isSetupDone: bool
    devSlotsCount: int
    currentPlayer: str
    inkwellPlayer: str
    blackPoints: int
    lastRound: bool
    ended: bool
    isMandatoryActionDone: bool
    actionTokens: list[ActionToken] | None = None
    winnerPlayer: str | None = None


class UpdateLeadersHand(Message):
    """The leaders that its owner holds, active ones too; to the owner."""

    player: str
    leaders: list[int]


class UpdateLeadersHandCount(Message):
    """How many that are."""

    player: str
    leadersHandCount: int


class UpdateResourceContainer(Message):
    """What a container holds."""

    resContainer: Container


class UpdateSetupDone(Message):
    """All have chosen."""


class UpdateLastRound(Message):
    """The last round has begun."""


class UpdateCurrentPlayer(Message):
    """Whose turn it is; the text says nickname."""

    player: str | None = None
    nickname: str | None = None


class UpdateMarket(Message):
    """The marbles."""

    market: Market


class UpdateDevCardGrid(Message):
    """The top cards; the text has them in topCards.grid."""

    devCardGrid: DevCardGrid | None = None
    topCards: TextGrid | None = None


class UpdateDevSlot(Message):
    """The cards in a slot, bottom first; the text says slot and cards."""

    player: str
    devSlot: int | None = None
    devCards: list[int] | None = None
    slot: int | None = None
    cards: list[int] | None = None


class UpdateActivateLeader(Message):
    """A leader of the current player is active."""

    leader: int


class UpdateFaithPoints(Message):
    """Where a marker stands; no player when it is the cross."""

    isBlackCross: bool
    faithPoints: int
    player: str | None = None


class UpdateFaithTrack(Message):
    """The same, as the text calls it."""

    isBlackCross: bool
    faithPoints: int
    player: str | None = None


class UpdateVictoryPoints(Message):
    """Points of a player; goods are counted at the end only."""

    player: str
    victoryPoints: int


class UpdateVaticanSection(Message):
    """A report was held; the text says id and one player."""

    bonusGivenPlayers: list[str] | str
    vaticanSection: int | None = None
    id: int | None = None


class UpdateActionToken(Message):
    """Lorenzo's token."""

    actionToken: int


class UpdatePlayerStatus(Message):
    """Whether a player is there; the text says nickname."""

    isActive: bool
    player: str | None = None
    nickname: str | None = None


class UpdateGameEnd(Message):
    """Who has won; nobody named is Lorenzo."""

    winner: str | None = None


class UpdateAction(Message):
    """What a player asked for is done."""

    player: str
    action: str


# Errors


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


NETWORK = (
    ReqWelcome,
    ResWelcome,
    ReqHeartbeat,
    ResHeartbeat,
    ReqGoodbye,
    ResGoodbye,
    ErrProtocol,
)
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
EVENTS = (
    UpdateBookedSeats,
    UpdateJoinGame,
    UpdateGame,
    UpdateLeadersHand,
    UpdateLeadersHandCount,
    UpdateResourceContainer,
    UpdateSetupDone,
    UpdateLastRound,
    UpdateCurrentPlayer,
    UpdateMarket,
    UpdateDevCardGrid,
    UpdateDevSlot,
    UpdateActivateLeader,
    UpdateFaithPoints,
    UpdateFaithTrack,
    UpdateVictoryPoints,
    UpdateVaticanSection,
    UpdateActionToken,
    UpdatePlayerStatus,
    UpdateGameEnd,
    UpdateAction,
    ResQuit,
)
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


def union(*structs: type[msgspec.Struct]) -> Any:
    """A union of tagged structs, as a decoder takes it."""
    made: Any = structs[0]
    for struct in structs[1:]:
        made = made | struct
    return made


TO_SERVER = union(*NETWORK, *COMMANDS)
TO_CLIENT = union(*NETWORK, *EVENTS, *ERRORS)


def good_of(name: str) -> int | None:
    """The number of a good, faith or white marble by its name; None when there is none.

    >>> good_of("Coin"), good_of("servant"), good_of("Faith"), good_of("Gold")
    (0, 2, 4, None)
    """
    name = name[:1].upper() + name[1:]
    return NAMES.index(name) if name in NAMES else None


def colour_of(name: str) -> int | None:
    """The number of a colour by its name; None when there is none."""
    return COLOURS.index(name) if name in COLOURS else None


def boxes_of(given: Boxes) -> dict[int, Map]:
    """Containers by id, whichever way they were spelled."""
    if isinstance(given, dict):
        return given
    merged: dict[int, Map] = {}
    for one in given:
        for container, content in one.items():
            box = merged.setdefault(container, {})
            for name, count in content.items():
                box[name] = box.get(name, 0) + count
    return merged


def counts_of(goods: Any) -> Map:
    """A map of the goods that there are any of."""
    return {NAMES[good]: int(count) for good, count in enumerate(goods) if count}
