"""The flat action index: 848 actions in named spans, and the packed mask's words.

Each span (or part of one) fills one word of the packed mask, at most 60 bits of it; the words
follow each other in the order of the index, so that the k-th set bit of a packed mask is the
k-th legal index of a byte mask.
"""

import numpy as np

from catan_env.core.constants import RESOURCES, TILES, VERTICES
from catan_env.kernel.jit import table

ROLL_ACTION = 0
END_TURN_ACTION = 1
BUY_ACTION = 2
KNIGHT_ACTION = 3
ROAD_BUILDING_ACTION = 4
ACCEPT_ACTION = 5
REJECT_ACTION = 6
YEAR_OF_PLENTY_START = 7  # 15 pairs a <= b
MONOPOLY_START = 22  # by resource
DISCARD_START = 27  # by resource
BANK_TRADE_START = 32  # give * 4 + slot of get
SETTLEMENT_START = 52  # by vertex
CITY_START = 106  # by vertex
ROAD_START = 160  # by edge
ROBBER_START = 232  # tile * 4 + relative seat of the victim, 0 for none
OFFER_START = 308  # ((to - 1) * 3 + n - 1) * 60 + give * 12 + slot of get * 3 + m - 1
NUM_ACTIONS = 848

OFFER_MOST = 3  # most cards of one resource on each side of an offer in the index
OFFER_BLOCK = 60  # offers of one count n to one seat

# The packed mask: word k contains actions WORD_STARTS[k] .. WORD_STARTS[k] + WORD_SIZES[k] - 1.
WORDS = 16
WORD_SIZES = (52, VERTICES, VERTICES, 36, 36, 40, 36) + (OFFER_BLOCK,) * 9
WORD_STARTS = tuple(sum(WORD_SIZES[:k]) for k in range(WORDS))
WORD_START = table(WORD_STARTS)
ROBBER_SPLIT = 10  # tiles in the first of the robber's two words

SIMPLE_WORD, SETTLEMENT_WORD, CITY_WORD, ROAD_WORD, ROBBER_WORD, OFFER_WORD = 0, 1, 2, 3, 5, 7

# The word and the bit of each index in the packed mask.
WORD_OF = table([k for k in range(WORDS) for _ in range(WORD_SIZES[k])], np.int8)
BIT_OF = table([j for k in range(WORDS) for j in range(WORD_SIZES[k])], np.int8)

PAIRS = tuple((a, b) for a in range(RESOURCES) for b in range(a, RESOURCES))
PAIR_TABLE = table(PAIRS)
OTHER_RESOURCE = table([[r for r in range(RESOURCES) if r != give] for give in range(RESOURCES)])
# By the set of resources that can be given and the set that can be received: 20 bank trade bits.
BANK_TRADES = table(
    [
        [
            sum(
                1 << (4 * give + get - (get > give))
                for give in range(RESOURCES)
                for get in range(RESOURCES)
                if get != give and gives >> give & 1 and gets >> get & 1
            )
            for gets in range(1 << RESOURCES)
        ]
        for gives in range(1 << RESOURCES)
    ],
    np.int32,
)
# By the set of resources of which n can be given: the offers of n, 12 bits per resource.
OFFERS = table(
    [
        sum(0xFFF << (12 * give) for give in range(RESOURCES) if gives >> give & 1)
        for gives in range(1 << RESOURCES)
    ]
)
# The 10 tile bits of half a robber word, spread to every fourth bit.
SPREAD = table([sum((tiles >> t & 1) << (4 * t) for t in range(10)) for tiles in range(1 << 10)])

assert WORD_STARTS[-1] + WORD_SIZES[-1] == NUM_ACTIONS
assert WORD_STARTS[ROBBER_WORD] + 4 * TILES == OFFER_START
