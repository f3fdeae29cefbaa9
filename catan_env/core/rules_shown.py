"""The part of an observation that version 2 adds: the rules of the table, and the next roll."""

from math import prod

from catan_env.core.constants import HAND_LIMIT
from catan_env.core.dice import observe_chances
from catan_env.core.observation import LAYOUT, OBSERVATION_SIZE, Field
from catan_env.kernel.jit import inline

ADDED = (
    Field("points_to_win", (1,), "victory points that win the game"),
    Field("hand_limit", (1,), "cards that a hand may hold at a seven without a discard"),
    Field(
        "switches",
        (7,),
        "1 when: seats trade; the bank trades; a seven moves the robber; awards are given; the "
        "bank is endless; the robber is friendly; the dice are balanced",
    ),
    Field("chances", (11,), "chance of each total, 2 to 12, at the next roll, in percent"),
)
ADDED_SIZE = sum(prod(field.shape) for field in ADDED)
LAYOUTS = {1: LAYOUT, 2: LAYOUT + ADDED}
SIZES = {1: OBSERVATION_SIZE, 2: OBSERVATION_SIZE + ADDED_SIZE}
"""Fields and size of an observation, by version."""

_SWITCHES_AT, _CHANCES_AT = 2, 9


@inline
def observe_rules(g, out, row):
    """Write what version 2 adds into `out[row]`: (ADDED_SIZE,) int8. All seats see the same."""
    out[row, 0] = g.points_to_win
    out[row, 1] = HAND_LIMIT + g.larger_hand
    out[row, _SWITCHES_AT] = g.player_trade
    out[row, _SWITCHES_AT + 1] = g.bank_trade
    out[row, _SWITCHES_AT + 2] = g.robber_moves
    out[row, _SWITCHES_AT + 3] = g.awards
    out[row, _SWITCHES_AT + 4] = g.endless_bank
    out[row, _SWITCHES_AT + 5] = g.friendly_robber
    out[row, _SWITCHES_AT + 6] = g.balanced_dice
    observe_chances(g, out, row, _CHANCES_AT)
