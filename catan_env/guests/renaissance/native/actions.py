"""The 96 actions: the start of each span of the flat index, and the meaning of an index."""

from catan_env.kernel.jit import table

KEEP_AT, LINE_AT, WHITE_AT, PLACE_AT, BUY_AT = 0, 6, 13, 15, 21
PAY_AT, GAIN_AT, PRODUCE_AT, DONE_ACTION = 57, 69, 74, 80
ACTIVATE_AT, DISCARD_AT, SWAP_AT, END_ACTION = 81, 83, 85, 95
NUM_ACTIONS = 96

PAIRS = table(((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)))  # of the dealt leaders
SWAPS = table(((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)))
MAX_SWAPS = 4

DISCARD_PLACE = 5
SHELF, DEPOT_SOURCE, STRONGBOX, SOURCES = 0, 1, 2, 3
BASE, FIRST_SLOT, FIRST_LEADER, PRODUCTIONS = 0, 1, 4, 6
