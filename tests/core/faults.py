"""The faults that the compiled checks can find, as numbers."""

(
    NONE,
    # in a position
    RESOURCE_CARDS,
    HAND_SIZE,
    KNOWN_CARDS,
    DEVELOPMENT_CARDS,
    CARD_COUNT,
    NEW_CARDS,
    PIECES,
    TWO_ON_ONE_PLACE,
    DISTANCE,
    BUILT,
    BLOCKED,
    LAID,
    REACH,
    ROAD_SPOTS,
    RATES,
    ROAD_LENGTH,
    POINTS,
    TILE_SETS,
    WHO_DECIDES,
    MASK,
    # in the effect of an action
    YIELD,
    LONGEST_ROAD,
    LARGEST_ARMY,
    WIN,
    # in a seat's view
    VIEW,
    OBSERVATION,
    LEAK,
    # in the future of a position
    REPLAY,
    COPY,
    TURNED,
) = range(31)

NAME = {number: name for name, number in globals().items() if isinstance(number, int)}
