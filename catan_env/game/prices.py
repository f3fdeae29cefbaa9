"""The prices of pieces and development cards, by the action that buys them."""

from catan_env.core.constants import CARD_PRICE, CITY_PRICE, ROAD_PRICE, SETTLEMENT_PRICE
from catan_env.game.action import ActionKind

PRICES = {
    ActionKind.SETTLEMENT: SETTLEMENT_PRICE,
    ActionKind.CITY: CITY_PRICE,
    ActionKind.ROAD: ROAD_PRICE,
    ActionKind.BUY_DEVELOPMENT_CARD: CARD_PRICE,
}
"""Resource cards, by Resource."""
