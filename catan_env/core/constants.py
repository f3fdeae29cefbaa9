"""The terms and numbers of the rulebook.

Case numbers (`C003`) are those of docs/rules.md.
"""

from enum import IntEnum


class Resource(IntEnum):
    """A resource card; the order is that of the binary protocol, counted from 0."""

    BRICK = 0
    GRAIN = 1
    LUMBER = 2
    ORE = 3
    WOOL = 4


class Terrain(IntEnum):
    """A tile's terrain; each of the first five produces the `Resource` of its number (C005).

    Only the small map has tiles of sea (C215).
    """

    HILLS = 0
    FIELDS = 1
    FOREST = 2
    MOUNTAINS = 3
    PASTURE = 4
    DESERT = 5
    SEA = 6


class DevelopmentCard(IntEnum):
    """A development card; the order is that of the binary protocol."""

    KNIGHT = 0
    ROAD_BUILDING = 1
    YEAR_OF_PLENTY = 2
    MONOPOLY = 3
    VICTORY_POINT = 4


class Phase(IntEnum):
    """The kind of decision that the game waits for."""

    PLACE_SETTLEMENT = 0
    PLACE_ROAD = 1
    ROLL = 2
    DISCARD = 3
    ROBBER = 4
    FREE_ROAD = 5
    MAIN = 6
    ANSWER = 7
    OVER = 8


class Placement(IntEnum):
    """The way the first two settlements and roads are placed: by the seats, or by a fixed rule."""

    SEATS = 0
    PIPS = 1
    RANDOM = 2


class Layout(IntEnum):
    """The way a board is laid out at the start of a game."""

    GIVEN = 0
    SPIRAL = 1
    RANDOM_TOKENS = 2


# The same values as plain integers, for the compiled rules.
BRICK, GRAIN, LUMBER, ORE, WOOL = (int(r) for r in Resource)
DESERT, SEA = int(Terrain.DESERT), int(Terrain.SEA)
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = (int(c) for c in DevelopmentCard)
PLACE_SETTLEMENT, PLACE_ROAD, ROLL, DISCARD, ROBBER, FREE_ROAD, MAIN, ANSWER, OVER = (
    int(p) for p in Phase
)
PLACED_BY_SEATS, PLACED_BY_PIPS, PLACED_AT_RANDOM = (int(p) for p in Placement)
GIVEN, SPIRAL, RANDOM_TOKENS = (int(k) for k in Layout)

SEATS = 4  # at most; a game has 2, 3 or 4 (C196-C198)
TILES, VERTICES, EDGES = 19, 54, 72
HARBOURS = 9  # C007
RESOURCES, CARD_KINDS = 5, 5

CARDS_PER_RESOURCE = 19  # C001
MOST_CARDS = 127  # of all resources in all hands together, if the bank is endless
DECK = (14, 2, 2, 2, 5)  # by DevelopmentCard, C002
ROADS, SETTLEMENTS, CITIES = 15, 5, 4  # pieces per seat, C003
ROAD_PIECE, SETTLEMENT_PIECE, CITY_PIECE = 0, 1, 2  # columns of `pieces`

# The prices, by Resource.
ROAD_PRICE = (1, 0, 1, 0, 0)  # C087
SETTLEMENT_PRICE = (1, 1, 1, 0, 1)  # C009
CITY_PRICE = (0, 2, 0, 3, 0)  # C009
CARD_PRICE = (0, 1, 0, 1, 1)  # C133

BANK_RATE = 4  # C109
NO_RATE = 100  # of a bank that does not trade
MOST_OFFERS = 100  # per turn that a table may allow; more are not counted
SEA_TOKEN = 1  # no number token: the place of the sea among tiles by token
GENERIC = 5  # the kind of a 3:1 harbour; 0..4 are the resources
HAND_LIMIT = 7  # C064
PROTECTED_POINTS = 2  # at most, from a friendly robber, C203
LONGEST_ROAD_MINIMUM = 5  # C159
LARGEST_ARMY_MINIMUM = 3  # C181
AWARD = 2  # points of Longest Road and of Largest Army, C008
POINTS_TO_WIN = 10  # C187

NOBODY = -1

# Outcomes of chance, as the engine takes and returns them.
DRAW = -1  # an argument: draw it from the game's own generator
NOTHING = -2  # no chance was involved
HIDDEN = 5  # a stolen or bought card whose kind this view may not contain
