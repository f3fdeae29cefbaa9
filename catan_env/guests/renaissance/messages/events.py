"""Events of a game, sent to its players."""

from catan_env.guests.renaissance.messages.base import Hand, Message
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
)


class UpdateBookedSeats(Message):
    """The number of waiting clients, and the one that may prepare a game."""

    bookedSeats: int
    canPrepareNewGame: str | None = None


class UpdateJoinGame(Message):
    """The number of seats of the next game."""

    playersCount: int


class UpdateGame(Message):
    """The whole game, to one player; `players` starts with the current one, in turn order."""

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
    """The leaders of their owner, active ones included; to the owner."""

    player: str
    leaders: Hand = None


class UpdateLeadersHandCount(Message):
    """The number of a player's leaders."""

    player: str
    leadersHandCount: int


class UpdateResourceContainer(Message):
    """The contents of a container."""

    resContainer: Container


class UpdateSetupDone(Message):
    """All players have completed the set-up."""


class UpdateLastRound(Message):
    """The last round has begun."""


class UpdateCurrentPlayer(Message):
    """The current player; the text calls the field nickname."""

    player: str | None = None
    nickname: str | None = None


class UpdateMarket(Message):
    """The marbles."""

    market: Market


class UpdateDevCardGrid(Message):
    """The top cards; in the text they are in topCards.grid."""

    devCardGrid: DevCardGrid | None = None
    topCards: DevCardGrid | None = None


class UpdateDevSlot(Message):
    """The cards in a slot, bottom first; the text calls the fields slot and cards."""

    player: str
    devSlot: int | None = None
    devCards: list[int] | None = None
    slot: int | None = None
    cards: list[int] | None = None


class UpdateActivateLeader(Message):
    """The current player has activated a leader."""

    leader: int


class UpdateFaithPoints(Message):
    """The position of a marker; without a player it is the cross."""

    isBlackCross: bool
    faithPoints: int
    player: str | None = None


class UpdateFaithTrack(Message):
    """The same, by the name of the protocol's text."""

    isBlackCross: bool
    faithPoints: int
    player: str | None = None


class UpdateVictoryPoints(Message):
    """A player's points; those for goods are added at the end only."""

    player: str
    victoryPoints: int


class UpdateVaticanSection(Message):
    """A report was held; in the text, the fields are id and one player."""

    bonusGivenPlayers: list[str] | str | None = None
    vaticanSection: int | None = None
    id: int | None = None


class UpdateActionToken(Message):
    """Lorenzo's token."""

    actionToken: int


class UpdatePlayerStatus(Message):
    """A player has left or returned; the text calls the field nickname."""

    isActive: bool
    player: str | None = None
    nickname: str | None = None


class UpdateGameEnd(Message):
    """The winner; without a name it is Lorenzo."""

    winner: str | None = None


class UpdateAction(Message):
    """A player's request is complete."""

    player: str
    action: str


class ResQuit(Message):
    """The answer to ReqQuit: the player has left the game."""


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
