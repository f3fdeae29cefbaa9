"""What the value function weighs: a name and a number each, tuned by play.

A pip is one chance in 36 of a card a roll. Points, pips and cards are counted for the seat itself;
for the others the sum of what is public, by `ENEMY`, is taken off.
"""

import numpy as np

WEIGHTS = {
    # what everybody sees of a seat
    "point": 4.0,
    "brick": 1.0,  # a pip of it
    "grain": 1.1,
    "lumber": 1.0,
    "ore": 1.1,
    "wool": 0.9,
    "kind": 1.5,  # a resource of which there is any
    "robbed": 0.4,  # what a pip under the robber is worth of one that is not
    "rate": 0.15,  # a pip, for each card that trading its resource with the bank costs less than 4
    "spot": 0.35,  # a pip of the best place for a settlement on the seat's roads
    "spots": 0.5,  # a second such place
    "near": 0.15,  # a pip of the best place one road further
    "road": 0.1,  # of the longest trail
    "ahead": 0.3,  # a road more than any other seat has in its trail, three at most
    "knight_played": 1.0,
    # what the seat alone knows
    "card": 0.4,  # of the first seven in the hand
    "over": -0.3,  # a card above them
    "city": 2.0,  # the share that the hand holds of its cost
    "settlement": 2.0,
    "development": 0.8,
    "laying": 0.5,
    "steep": 0.7,  # how much more the last card counts than the first
    "knight": 0.7,  # development cards held
    "progress": 1.6,
    "unseen": 1.8,  # one just bought
    # the others
    "enemy": 0.5,
    "leader": 0.5,  # a point of the one with most
    "enemy_card": 0.3,
    "enemy_development": 1.0,
    # trade
    "greed": 0.5,  # what must be gained to offer or accept, of a card
}
NAMES = tuple(WEIGHTS)
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


def as_array() -> np.ndarray:
    """The weights in the order of their names: (n,) float64."""
    return np.array(list(WEIGHTS.values()), np.float64)
