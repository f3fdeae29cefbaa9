"""The states of a JSettlers game that occur in a classic game, and their phases."""

from catan_env.core.constants import Phase

ROLL, MAIN = 15, 20
PAID = frozenset((30, 31, 32))
"""A piece is paid for and not yet placed."""
ROBBER, DISCARDS, VICTIM = 33, 50, 51
FREE_ROADS = frozenset((40, 41))
PLENTY, MONOPOLY = 52, 53
OVER = 1000

PHASES = {
    5: Phase.PLACE_SETTLEMENT,
    6: Phase.PLACE_ROAD,
    10: Phase.PLACE_SETTLEMENT,
    11: Phase.PLACE_ROAD,
    MAIN: Phase.MAIN,
    ROBBER: Phase.ROBBER,
    40: Phase.FREE_ROAD,
    41: Phase.FREE_ROAD,
}
"""The decision of the seat on turn in a state; in ROLL a separate message asks for it."""
SET_UP = frozenset((5, 6, 10, 11))
SECOND_ROUND = frozenset((10, 11))
CHOICES = frozenset((PLENTY, MONOPOLY))
ASKED = frozenset((*PHASES, *CHOICES, ROLL))
"""States that ask the seat on turn; other messages ask for discards and victims."""
