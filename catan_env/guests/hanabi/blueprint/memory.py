"""The memory of a convention table's picture of one game (policies.conventions), a block of bytes.

Cards are bits, as in `native.memory`; the cards of a hand that hints have touched are bits, too,
by place.
"""

from typing import Any

import numpy as np

from catan_env.guests.hanabi.native.memory import MOST_CARDS, PLACES, SEATS
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.kernel.memory import new_blocks

_i8, _i64 = np.int8, np.int64
SUITS = 6

PICTURE = np.dtype(
    [
        ("possible", _i64, (SEATS, PLACES + 1)),  # identities left by hints and conventions
        ("hinted", _i64, (SEATS, PLACES + 1)),  # identities left by hints alone
        ("touched", _i64, (SEATS,)),  # places
        ("placeable", _i64),  # cards that can be placed now,
        ("useless", _i64),  # never,
        ("last", _i64),  # or are the last of their kind
        ("expected", _i64),  # cards that can be placed now, or after others that all players know
        ("trial_possible", _i64, (PLACES + 1,)),  # a hand after a hint that is being considered
        ("trial_hinted", _i64, (PLACES + 1,)),
        ("trial_touched", _i64),
        ("left", _i8, (MOST_CARDS,)),  # by kind: copies that the acting seat does not see,
        ("unseen", _i64),  # and the kinds that have any
        ("gone", _i8, (MOST_CARDS,)),  # by kind: discards
        ("tops", _i8, (SUITS,)),
    ],
    align=True,
)


def block_of(picture: Picture) -> Any:
    """A picture as a block: (1,) `PICTURE`."""
    block = new_blocks(1, PICTURE)
    row = block[0]
    row["gone"][: len(picture.gone)] = picture.gone
    row["tops"][: len(picture.tops)] = picture.tops
    row["placeable"], row["useless"] = picture.placeable, picture.useless
    row["last"], row["expected"] = picture.last, picture.expected
    for seat, hand in enumerate(picture.hands):
        for place, slot in enumerate(hand):
            row["possible"][seat, place] = slot.possible
            row["hinted"][seat, place] = slot.hinted
            row["touched"][seat] |= int(slot.touched) << place
    return block
