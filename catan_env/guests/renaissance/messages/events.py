"""What players hear of a game."""

from catan_env.guests.renaissance.messages.base import Message
from catan_env.guests.renaissance.messages.pieces import (
    ActionToken,
    Colour,
    Container,
    DevCardGrid,
    DevelopmentCard,
    FaithTrack,
    LeaderCard,
    Market,
    Player,
    Recipe,
    ResourceType,
    TextGrid,
)


class UpdateBookedSeats(Message):
    """How many wait, and who may prepare a game."""

    bookedSeats: int
    canPrepareNewGame: str


class UpdateJoinGame(Message):
    """The next game has so many seats."""

    playersCount: int


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


class ResQuit(Message):
    """The answer to it."""


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
