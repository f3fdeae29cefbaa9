"""The worth of what a hint does, in hundredths of a point, for `best` (see `Best._worth`)."""

SHOWS_PLAY = 1100
NUMBER_LATER = 20  # less for each number of the card that is shown
MISLEADS = -300  # the receiver believes something false
TOUCHES_GOOD = 50
TOUCHES_WASTE = -400  # a card that is useless or promised elsewhere
BITS_EXCLUDED = 5  # for each identity
LEAST_USEFUL = 1000  # the worth of a hint that is better than a discard
