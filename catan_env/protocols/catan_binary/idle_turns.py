"""The turns of a seat that is sure of too little to spend."""

from catan_env.game.action import ActionKind
from catan_env.game.view import SeatView

SPENDING = (
    ActionKind.ROAD,
    ActionKind.SETTLEMENT,
    ActionKind.CITY,
    ActionKind.BUY_DEVELOPMENT_CARD,
    ActionKind.BANK_TRADE,
)
MOST_IDLE_TURNS = 10
"""Own turns in a row without a legal expense, after which a seat relies on its likely hand."""


class IdleTurns:
    """A seat's own turns since it last could spend cards."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def are_too_many(self, view: SeatView) -> bool:
        """Count the turn that ends; True, and counted from 0 again, after `MOST_IDLE_TURNS`."""
        could_spend = any(legal.kind in SPENDING for legal in view.legal_actions)
        self.count = 0 if could_spend else (self.count + 1) % MOST_IDLE_TURNS
        return not could_spend and self.count == 0
