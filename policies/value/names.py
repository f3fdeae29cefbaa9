"""The weights of the value function by name, and the index of each name.

A pip is one chance in 36 of a card per roll. Points, pips and cards are counted for the seat
itself. Subtracted are the mean of the other seats' values (public features, cards and development
cards), times `ENEMY`, in which a seat that is gone counts as 0, and `LEADER` per point of the best
of them.
"""

NAMES = (
    # public features of a seat
    "point",
    "brick",  # per pip
    "grain",
    "lumber",
    "ore",
    "wool",
    "kind",  # per resource with any pips
    "robbed",  # the value of a pip under the robber, relative to a free one
    "rate",  # per pip, for each card below 4 in the bank's rate for its resource
    "spot",  # per pip of the best place for a settlement on the seat's roads
    "spots",  # a second such place
    "near",  # per pip of the best place one road further
    "road",  # per road of the longest trail
    "ahead",  # per road more than any other seat's trail, at most three
    "knight_played",
    # private features of the seat
    "card",  # per card in the hand up to the limit of a discard
    "over",  # per card above them
    "city",  # the fraction of its cost in the hand
    "settlement",
    "development",
    "laying",
    "steep",  # the extra weight of the last card over the first
    "knight",  # development cards in hand
    "progress",
    "unseen",  # one just bought
    # the other seats
    "enemy",
    "leader",  # a point of the leading one
    "enemy_card",
    "enemy_development",
    # trade
    "greed",  # the gain required to offer or accept, in cards
)
(
    POINT,
    BRICK_PIP,
    GRAIN_PIP,
    LUMBER_PIP,
    ORE_PIP,
    WOOL_PIP,
    KIND,
    ROBBED,
    RATE,
    SPOT,
    SPOTS,
    NEAR,
    ROAD_LENGTH,
    AHEAD,
    KNIGHT_PLAYED,
    CARD,
    OVER_LIMIT,
    CITY,
    SETTLEMENT,
    DEVELOPMENT,
    LAYING,
    STEEP,
    KNIGHT_HELD,
    PROGRESS,
    UNSEEN,
    ENEMY,
    LEADER,
    ENEMY_CARD,
    ENEMY_DEVELOPMENT,
    GREED,
) = range(len(NAMES))
