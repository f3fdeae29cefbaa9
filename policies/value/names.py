"""What the value function weighs, by name, and each name's place.

A pip is one chance in 36 of a card a roll. Points, pips and cards are counted for the seat itself;
for the others the sum of what is public, by `ENEMY`, is taken off.
"""

NAMES = (
    # what everybody sees of a seat
    "point",
    "brick",  # a pip of it
    "grain",
    "lumber",
    "ore",
    "wool",
    "kind",  # a resource of which there is any
    "robbed",  # what a pip under the robber is worth of one that is not
    "rate",  # a pip, for each card that trading its resource with the bank costs less than 4
    "spot",  # a pip of the best place for a settlement on the seat's roads
    "spots",  # a second such place
    "near",  # a pip of the best place one road further
    "road",  # of the longest trail
    "ahead",  # a road more than any other seat has in its trail, three at most
    "knight_played",
    # what the seat alone knows
    "card",  # of the first seven in the hand
    "over",  # a card above them
    "city",  # the share that the hand holds of its cost
    "settlement",
    "development",
    "laying",
    "steep",  # how much more the last card counts than the first
    "knight",  # development cards held
    "progress",
    "unseen",  # one just bought
    # the others
    "enemy",
    "leader",  # a point of the one with most
    "enemy_card",
    "enemy_development",
    # trade
    "greed",  # what must be gained to offer or accept, of a card
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
