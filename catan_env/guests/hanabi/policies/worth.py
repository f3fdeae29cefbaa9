"""The worth of what a hint does, in thousandths of a card shown, for `best` (see `Best._worth`)."""

SHOWS_PLAY = 1100
SHOWS_NEXT = 900  # a card that can be placed after others that all players know
NUMBER_LATER = 20  # less for each number of the card that is shown
IDLE = 100  # more if a card is shown to a receiver that knew of nothing to place
MISLEADS = -20_000  # the receiver believes something false
TOUCHES_GOOD = 100
TOUCHES_WASTE = -100  # a card that is useless or promised elsewhere
TOUCHES_LAST = 400  # more for the last copy of a card
BITS_EXCLUDED = 12  # for each identity
STILL_IN_DANGER = -5000  # a warning after which the next card to be discarded is a last copy, too

# The least worth of a hint that is better than a discard:
LEAST_USEFUL = (1000, 1000, 1000, 1000, 1000, 150, 50, 50, 50)  # by the number of tokens
LEAST_STALLING = 0  # when the deck is short
LEAST_WITHOUT_CHOP = 200  # when all own cards are touched
SPARE_TURNS = 1  # the deck is short if no more turns than this can be lost


def least_useful(tokens: int) -> int:
    """The least worth of a hint that is given with that many tokens."""
    return LEAST_USEFUL[min(tokens, len(LEAST_USEFUL) - 1)]
