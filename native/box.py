"""`catan_fill_box`: a game of Catan before its start, for programs without Python."""

import numpy as np

from catan_env.batch.start import template_of
from catan_env.core.constants import SEATS
from catan_env.game.rules import Rules

FEWEST_SEATS = 2

DECLARATION = """\
/* Write a game of 2, 3 or 4 seats before its start: all pieces and cards in the box.
 *
 * The rules are `base`; others are set by fields, such as `points_to_win`. The board is laid out by
 * the seed when the game begins, as a spiral of numbers. */
void catan_fill_box(catan_game *box, int64_t seats, uint64_t seed);
"""
DEFINITION = """\
void catan_fill_box(catan_game *box, int64_t seats, uint64_t seed) {
    static const unsigned char boxes[][sizeof(catan_game)] = {
%s};
    const unsigned char *filled = boxes[seats - %d];
    unsigned char *bytes = (unsigned char *)box;
    for (size_t k = 0; k < sizeof *box; k++) bytes[k] = filled[k];
    box->seed = seed;
}
"""


def definition() -> str:
    """The C source of the function."""
    boxes = [
        template_of(seats, Rules.base(), "spiral", 0) for seats in range(FEWEST_SEATS, SEATS + 1)
    ]
    rows = (", ".join(map(str, box.view(np.uint8))) for box in boxes)
    return DEFINITION % ("".join(f"        {{{row}}},\n" for row in rows), FEWEST_SEATS)
