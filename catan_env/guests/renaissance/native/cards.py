"""The cards of Masters of Renaissance, as tables of numbers.

Goods are always in the order coin, stone, servant, shield; colours are alphabetical. A card's id
is its row. The AM49 server's own data differ from the printed faces in the cards of `AM49`, and
allow faith as the choice of its production leaders (rules case R055).
"""

from typing import Any

import numpy as np

from catan_env.kernel.jit import table

GOODS = 4
COIN, STONE, SERVANT, SHIELD, FAITH, WHITE = range(6)
RESOURCES = ("Coin", "Stone", "Servant", "Shield")
COLOURS = ("Blue", "Green", "Purple", "Yellow")
NUM_COLOURS = len(COLOURS)
LEVELS = 3
STACK = 4  # cards of one colour and level
BASE_INPUTS = 2  # goods that the base production takes

DISCOUNT, DEPOT, PRODUCTION, WHITE_MARBLE = range(4)
KINDS = ("discount", "depot", "production", "white")

MARBLES = (COIN, COIN, STONE, STONE, SERVANT, SERVANT, SHIELD, SHIELD, FAITH, *(WHITE,) * 4)
ROWS, COLUMNS = 3, 4

START_GOODS = table((0, 1, 1, 2))  # by seat
START_FAITH = table((0, 0, 1, 1))

# Columns of a development card's row.
COLOUR, LEVEL, POINTS, COST, INPUT, OUTPUT, CARD_FAITH, CARD_WIDTH = 0, 1, 2, 3, 7, 11, 15, 16

# fmt: off
DEVELOPMENT = (
    #  colour, level, points, cost: coin stone servant shield, input, output, faith
    (1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1),  # 0
    (2, 1, 1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),  # 1
    (0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),  # 2
    (3, 1, 1, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1),  # 3
    (1, 1, 2, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0),  # 4
    (2, 1, 2, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0),  # 5
    (0, 1, 2, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0),  # 6
    (3, 1, 2, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0),  # 7
    (1, 1, 3, 0, 0, 0, 3, 0, 0, 2, 0, 1, 1, 0, 1, 0),  # 8
    (2, 1, 3, 0, 0, 3, 0, 2, 0, 0, 0, 0, 1, 1, 1, 0),  # 9
    (0, 1, 3, 3, 0, 0, 0, 0, 2, 0, 0, 1, 0, 1, 1, 0),  # 10
    (3, 1, 3, 0, 3, 0, 0, 0, 0, 0, 2, 1, 1, 1, 0, 0),  # 11
    (1, 1, 4, 2, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 0, 1),  # 12
    (2, 1, 4, 0, 2, 2, 0, 1, 0, 0, 1, 0, 2, 0, 0, 1),  # 13
    (0, 1, 4, 2, 0, 2, 0, 0, 1, 0, 1, 0, 0, 2, 0, 1),  # 14
    (3, 1, 4, 0, 2, 0, 2, 1, 0, 1, 0, 0, 0, 0, 2, 1),  # 15
    (1, 2, 5, 0, 0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 2),  # 16
    (2, 2, 5, 0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2),  # 17
    (0, 2, 5, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2),  # 18
    (3, 2, 5, 0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2),  # 19
    (1, 2, 6, 0, 0, 2, 3, 0, 0, 1, 1, 0, 3, 0, 0, 0),  # 20
    (2, 2, 6, 2, 0, 3, 0, 1, 0, 1, 0, 0, 0, 0, 3, 0),  # 21
    (0, 2, 6, 3, 2, 0, 0, 1, 1, 0, 0, 0, 0, 3, 0, 0),  # 22
    (3, 2, 6, 0, 3, 0, 2, 0, 1, 0, 1, 3, 0, 0, 0, 0),  # 23
    (1, 2, 7, 0, 0, 0, 5, 2, 0, 0, 0, 0, 2, 0, 0, 2),  # 24
    (2, 2, 7, 0, 0, 5, 0, 0, 2, 0, 0, 2, 0, 0, 0, 2),  # 25
    (0, 2, 7, 5, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 2),  # 26
    (3, 2, 7, 0, 5, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 2),  # 27
    (1, 2, 8, 3, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 2, 1),  # 28
    (2, 2, 8, 0, 0, 3, 3, 0, 1, 0, 0, 0, 0, 2, 0, 1),  # 29
    (0, 2, 8, 3, 3, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 1),  # 30
    (3, 2, 8, 0, 3, 3, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1),  # 31
    (1, 3, 9, 0, 0, 0, 6, 2, 0, 0, 0, 0, 3, 0, 0, 2),  # 32
    (2, 3, 9, 0, 0, 6, 0, 0, 2, 0, 0, 3, 0, 0, 0, 2),  # 33
    (0, 3, 9, 6, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 2),  # 34
    (3, 3, 9, 0, 6, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 2),  # 35
    (1, 3, 10, 0, 0, 2, 5, 1, 0, 1, 0, 0, 2, 0, 2, 1),  # 36
    (2, 3, 10, 2, 0, 5, 0, 0, 1, 0, 1, 2, 0, 2, 0, 1),  # 37
    (0, 3, 10, 5, 2, 0, 0, 1, 0, 0, 1, 0, 2, 2, 0, 1),  # 38
    (3, 3, 10, 0, 5, 2, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1),  # 39
    (1, 3, 11, 0, 0, 0, 7, 0, 0, 1, 0, 1, 0, 0, 0, 3),  # 40
    (2, 3, 11, 0, 0, 7, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3),  # 41
    (0, 3, 11, 7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 3),  # 42
    (3, 3, 11, 0, 7, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 3),  # 43
    (1, 3, 12, 4, 0, 0, 4, 0, 1, 0, 0, 3, 0, 0, 1, 0),  # 44
    (2, 3, 12, 0, 0, 4, 4, 1, 0, 0, 0, 0, 3, 1, 0, 0),  # 45
    (0, 3, 12, 4, 4, 0, 0, 0, 0, 1, 0, 1, 0, 0, 3, 0),  # 46
    (3, 3, 12, 0, 4, 4, 0, 0, 0, 0, 1, 0, 1, 3, 0, 0),  # 47
)

# Columns of a leader's row; two required sets of cards: colour, level (0: any), count (0: none).
KIND, GOOD, LEADER_POINTS, FAITH_OPEN, NEEDS, NEEDS_GOODS = 0, 1, 2, 3, 4, 10
AMOUNT, LEADER_WIDTH = 14, 15
NEEDS_AT_MOST = 2
LEADERS = (
    #  kind, good, points, may choose faith, needs cards, needs goods, discount or places
    (DISCOUNT, SERVANT, 2, 0, 1, 0, 1, 3, 0, 1, 0, 0, 0, 0, 1),  # 0
    (DISCOUNT, SHIELD, 2, 0, 0, 0, 1, 2, 0, 1, 0, 0, 0, 0, 1),  # 1
    (DISCOUNT, STONE, 2, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1),  # 2
    (DISCOUNT, COIN, 2, 0, 2, 0, 1, 3, 0, 1, 0, 0, 0, 0, 1),  # 3
    (DEPOT, STONE, 3, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2),  # 4
    (DEPOT, SERVANT, 3, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 2),  # 5
    (DEPOT, SHIELD, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 2),  # 6
    (DEPOT, COIN, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2),  # 7
    (WHITE_MARBLE, SERVANT, 5, 0, 0, 0, 1, 3, 0, 2, 0, 0, 0, 0, 0),  # 8
    (WHITE_MARBLE, SHIELD, 5, 0, 1, 0, 2, 2, 0, 1, 0, 0, 0, 0, 0),  # 9
    (WHITE_MARBLE, STONE, 5, 0, 0, 0, 2, 3, 0, 1, 0, 0, 0, 0, 0),  # 10
    (WHITE_MARBLE, COIN, 5, 0, 1, 0, 1, 2, 0, 2, 0, 0, 0, 0, 0),  # 11
    (PRODUCTION, SHIELD, 4, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),  # 12
    (PRODUCTION, SERVANT, 4, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),  # 13
    (PRODUCTION, STONE, 4, 0, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),  # 14
    (PRODUCTION, COIN, 4, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),  # 15
)
# fmt: on

# The AM49 server's differences: card, first column, values.
AM49 = (
    (0, INPUT, (3, 0, 0, 0)),
    (10, OUTPUT, (1, 1, 1, 0)),
    (18, COST, (1, 0, 0, 0)),
    (19, COST, (0, 1, 0, 0)),
)

DECKS = ("printed", "am49")


def development_table(cards: str = "printed") -> np.ndarray[Any, np.dtype[np.int8]]:
    """All development cards: (48, CARD_WIDTH) int8."""
    rows = np.array(DEVELOPMENT, np.int8)
    if cards == "am49":
        for card, column, values in AM49:
            rows[card, column : column + GOODS] = values
    return rows


def leader_table(cards: str = "printed") -> np.ndarray[Any, np.dtype[np.int8]]:
    """All leaders: (16, LEADER_WIDTH) int8."""
    rows = np.array(LEADERS, np.int8)
    if cards == "am49":
        rows[rows[:, KIND] == PRODUCTION, FAITH_OPEN] = 1
    return rows


# Lorenzo's tokens: the colour of two cards to discard, or one of these effects.
CROSS_1_AND_SHUFFLE, CROSS_2 = 4, 5
TOKENS = table((CROSS_1_AND_SHUFFLE, CROSS_2, CROSS_2, 0, 1, 2, 3))
NUM_TOKENS = 7

NUM_CARDS, NUM_LEADERS = len(DEVELOPMENT), len(LEADERS)
