"""Parts of messages: players, cards, containers, recipes, the track, the market, the grid.

A map or list that may be empty is also read where it is null or missing.
"""

import msgspec
from msgspec import UNSET, UnsetType

from catan_env.guests.renaissance.messages.base import Hand, Map, TopCards
from catan_env.guests.renaissance.native.cards import LEVELS, NUM_COLOURS


class Setup(msgspec.Struct, kw_only=True):
    """A player's set-up."""

    chosenLeadersCount: int
    initialResources: int
    initialExcludedResources: list[str] | None = None
    hasChosenLeaders: bool
    hasChosenResources: bool


class Player(msgspec.Struct, kw_only=True):
    """A player in UpdateGame."""

    nickname: str
    baseProduction: int
    warehouseShelves: list[int]
    strongbox: int
    setup: Setup
    leadersHand: Hand = None
    leadersHandCount: int
    devSlots: list[list[int] | None] | None = None
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
    """A number of cards of a colour and level (0: any)."""

    color: str
    quantity: int
    level: int


class CardRequirement(msgspec.Struct):
    """Cards that a leader requires."""

    entries: list[CardEntry] | None = None


class Requirements(msgspec.Struct):
    """Goods that a card costs or a leader requires."""

    requirements: Map | None = None


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


class Container(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A shelf, a depot, or a strongbox (size -1)."""

    id: int
    content: Map | None = None
    size: int
    boundedResType: str | None = None


class Recipe(msgspec.Struct, kw_only=True):
    """A production; blanks are pieces of any kind but those excluded."""

    id: int
    input: Map | None = None
    inputBlanks: int
    inputBlanksExclusions: list[str] | None = None
    output: Map | None = None
    outputBlanks: int
    outputBlanksExclusions: list[str] | None = None
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
    bonusGivenPlayers: list[str] | None = None


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
    """The top card of each stack by colour and level; None for an empty stack.

    The protocol's text calls `topCards` grid.
    """

    levelsCount: int = LEVELS
    colorsCount: int = NUM_COLOURS
    topCards: TopCards | UnsetType | None = UNSET
    grid: TopCards | UnsetType | None = UNSET

    @property
    def cards(self) -> TopCards:
        """The cards, by either name."""
        return self.topCards or self.grid or {}
