"""A control variate for the dice: their part of the noise is subtracted from the advantages.

Much of what happens between a seat's decision and its next is the result of the dice, for which no
decision was better. Dice do not depend on anything before, so every function that is linear in
(what they did) - (what they do on average), a residual, has the mean 0: subtracted from a
decision's advantage it leaves the mean unchanged and removes noise (a control variate, as in White
and Bowling, 2009). The network learns the coefficients: the value of a card of each resource in
each hand, and the value of being able to pay for a city now.
"""

from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.core import doors
from catan_env.core.actions import ROLL_ACTION
from catan_env.core.board import TILE_VERTEX_SET
from catan_env.core.constants import (
    CARD_PRICE,
    CITY_PRICE,
    HAND_LIMIT,
    RESOURCES,
    ROAD_PRICE,
    SETTLEMENT_PRICE,
)
from catan_env.core.dice import OUTCOMES, total_of
from catan_env.core.state import doorway

Array = np.ndarray[Any, Any]
TOTALS = np.arange(2, 13)
PROBS = ((6 - np.abs(TOTALS - 7)) / 36).astype(np.float32)
"""The probability of each total of two fair dice."""
SEVEN = int(np.flatnonzero(TOTALS == 7)[0])
OUTCOME_TOTALS = np.array([total_of(outcome) for outcome in range(OUTCOMES)])
PRICES = np.array([ROAD_PRICE, SETTLEMENT_PRICE, CITY_PRICE, CARD_PRICE], np.int8)
EFFECTS = RESOURCES + len(PRICES) + 2
"""Effects of a total on a seat: cards of each resource, whether it can pay for each purchase, cards
discarded for a seven, and having rolled the seven."""


class Dice:
    """The residuals of the dice in a batch of Catan; `size` numbers per game and seat.

    ValueError if the batch is of another game.
    """

    def __init__(self, batch: Batch) -> None:
        if not isinstance(batch, Batch):
            raise ValueError(
                f"the control variate needs a batch of Catan, not of {type(batch).__module__}"
            )
        self.batch, self.size = batch, batch.seats * EFFECTS
        self._rows = np.zeros(0, np.int64)
        self._effects = np.zeros((0, batch.seats, EFFECTS, len(PROBS)), np.float32)
        self._chances = np.zeros((0, len(PROBS)), np.float32)

    def expect(self, actions: Array) -> None:
        """Compute the effects of each total in the games whose dice these `actions` roll."""
        batch = self.batch
        self._rows = np.flatnonzero(actions == ROLL_ACTION)
        states = batch.states[self._rows]
        self._effects = effects_of(states, batch.seats)
        self._chances = chances_of(states) if batch.rules.balanced_dice else fair(len(states))

    def residuals(self) -> tuple[Array, Array]:
        """The games whose dice were rolled in the last step, and the effects beyond their mean.

        (k,) and (k, seats, EFFECTS) float32. Cards are those that the tiles produce, whether the
        bank has them or not.
        """
        total = self.batch.states["roll"][self._rows] - TOTALS[0]
        rolled = total >= 0  # false where an action was refused
        rows = np.flatnonzero(rolled)
        happened = self._effects[rows, :, :, total[rolled]]
        mean = np.einsum("kset,kt->kse", self._effects[rolled], self._chances[rolled])
        return self._rows[rolled], happened - mean


def fair(n: int) -> Array:
    """The chances of each total with fair dice: (n, 11) float32."""
    return np.broadcast_to(PROBS, (n, len(PROBS)))


def chances_of(states: Array) -> Array:
    """The chances of each total in games with balanced dice: (n, 11) float32."""
    weights = np.zeros((len(states), OUTCOMES), np.int64)
    games = doorway(states)
    for i, row in enumerate(weights):
        doors.write_dice_weights(games, i, row)
    chances: Array = weights @ (OUTCOME_TOTALS[:, None] == TOTALS) / weights.sum(axis=1)[:, None]
    return chances.astype(np.float32)


def effects_of(states: Array, seats: int) -> Array:
    """The effects of each total of the dice on each seat: (n, seats, EFFECTS, 11) float32."""
    result = np.zeros((len(states), seats, EFFECTS, len(TOTALS)), np.float32)
    gains = cards_given(states, seats)
    hands = states["hand"][:, :seats].astype(np.float32)
    result[:, :, :RESOURCES] = gains
    after = hands[..., None] + gains
    for kind, price in enumerate(PRICES):
        asked = np.flatnonzero(price)
        can_pay = (after[:, :, asked] >= price[asked, None]).all(axis=2)
        result[:, :, RESOURCES + kind] = can_pay
    held = hands.sum(axis=2)
    limit = HAND_LIMIT + states["larger_hand"][:, None]
    is_owed = (held > limit) & (states["robber_moves"] != 0)[:, None]
    result[:, :, -2, SEVEN] = np.where(is_owed, held // 2, 0)
    result[np.arange(len(states)), states["turn_seat"], -1, SEVEN] = 1
    return result


def cards_given(states: Array, seats: int) -> Array:
    """The cards of each resource produced for each seat by each total: (n, seats, 5, 11)."""
    yields = due(states)[:, :seats]
    yields[np.arange(len(states)), :, states["robber"]] = 0
    by_token = states["token"][:, :, None] == TOTALS
    by_kind = states["terrain"][:, None, :] == np.arange(RESOURCES)[:, None]
    of_kind = (yields[:, :, None] * by_kind[:, None]).astype(np.float32)
    result: Array = of_kind @ by_token[:, None].astype(np.float32)
    return result


def due(states: Array) -> Array:
    """The cards that each tile yields to each seat: (n, 4, 19) uint8."""
    settlements, cities = (states[name][:, :, None] for name in ("settlements", "cities"))
    result: Array = np.bitwise_count(settlements & TILE_VERTEX_SET)
    return result + 2 * np.bitwise_count(cities & TILE_VERTEX_SET)
