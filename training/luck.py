"""The luck of the dice, which is taken out of what decisions turned out to be worth.

Much of what happens between a seat's decision and its next is what the dice gave, and no decision
is better for it. Dice fall without regard to anything before, so whatever a network makes of
(what they gave) - (what they give on average) has the mean 0: taken from what a decision earned,
it leaves the mean as it is and less noise (a control variate, as in White and Bowling, 2009).
The network learns how much: what a card of each resource is worth to it in each hand at the table,
and what it is worth that somebody can now pay for a city.
"""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core.actions import ROLL_ACTION
from catan_env.core.board import TILE_VERTEX_SET
from catan_env.core.constants import RESOURCES

Array = np.ndarray[Any, Any]
TOTALS = np.arange(2, 13)
ODDS = ((6 - np.abs(TOTALS - 7)) / 36).astype(np.float32)
"""How likely two dice show each total."""
SEVEN = 5
"""The place of the seven among them."""
COSTS = np.array([[1, 0, 1, 0, 0], [1, 1, 1, 0, 1], [0, 2, 0, 3, 0], [0, 1, 0, 1, 1]], np.int8)
"""What a road, a settlement, a city and a development card cost, by resource."""
KINDS = RESOURCES + len(COSTS) + 2
"""What may befall a seat: cards of each resource, that it can pay for something, that a seven takes
cards of it, and that it rolls the seven."""


class Dice:
    """What befell the seats of a batch of Catan by the dice, in place of what could be expected.

    ValueError where the batch is of another game.
    """

    def __init__(self, batch: Batch) -> None:
        if not isinstance(batch, Batch):
            raise ValueError(f"these dice are Catan's; {type(batch).__module__} has none of them")
        self.batch, self.size = batch, batch.seats * KINDS
        self._rows = np.zeros(0, np.int64)
        self._befalls = np.zeros((0, batch.seats, KINDS, len(ODDS)), np.float32)

    def foresee(self, actions: Array) -> None:
        """Note what each total would do in the games whose dice these `actions` roll."""
        batch = self.batch
        self._rows = np.flatnonzero(actions == ROLL_ACTION)
        self._befalls = befalls(batch.states[self._rows], batch.seats)

    def surprises(self) -> tuple[Array, Array]:
        """The games whose dice were rolled in the step just made, and by how much it surprised.

        (k,) and (k, seats, KINDS) float32. Cards are those that the tiles give, whether the bank
        has them or not.
        """
        total = self.batch.states["roll"][self._rows] - TOTALS[0]
        rolled = total >= 0  # not so where an action was refused
        rows = np.flatnonzero(rolled)
        happened = self._befalls[rows, :, :, total[rolled]]
        return self._rows[rolled], happened - self._befalls[rolled] @ ODDS


def befalls(states: Array, seats: int) -> Array:
    """What each total of the dice would do to each seat: (n, seats, KINDS, 11) float32."""
    result = np.zeros((len(states), seats, KINDS, len(TOTALS)), np.float32)
    gains = cards_given(states, seats)
    hands = states["hand"][:, :seats].astype(np.float32)
    result[:, :, :RESOURCES] = gains
    after = hands[..., None] + gains
    for kind, cost in enumerate(COSTS):
        asked = np.flatnonzero(cost)
        can_pay = (after[:, :, asked] >= cost[asked, None]).all(axis=2)
        result[:, :, RESOURCES + kind] = can_pay
    held = hands.sum(axis=2)
    result[:, :, -2, SEVEN] = np.where(held > 7, held // 2, 0)
    result[np.arange(len(states)), states["turn_seat"], -1, SEVEN] = 1
    return result


def cards_given(states: Array, seats: int) -> Array:
    """The cards of each resource that the tiles give each seat by each total: (n, seats, 5, 11)."""
    yields = due(states)[:, :seats]
    yields[np.arange(len(states)), :, states["robber"]] = 0
    by_token = states["token"][:, :, None] == TOTALS
    by_kind = states["terrain"][:, None, :] == np.arange(RESOURCES)[:, None]
    of_kind = (yields[:, :, None] * by_kind[:, None]).astype(np.float32)
    result: Array = of_kind @ by_token[:, None].astype(np.float32)
    return result


def due(states: Array) -> Array:
    """How many cards each seat is due from each tile that yields: (n, 4, 19) uint8."""
    settlements, cities = (states[name][:, :, None] for name in ("settlements", "cities"))
    result: Array = np.bitwise_count(settlements & TILE_VERTEX_SET)
    return result + 2 * np.bitwise_count(cities & TILE_VERTEX_SET)
