"""A policy of your own: it has a list of wishes, and chooses at random among equals.

Play it with: catan-env play examples.own_policy:Builder random random
"""

from random import Random

from catan_env import ActionKind, SeatView

WISHES = [
    ActionKind.CITY,
    ActionKind.SETTLEMENT,
    ActionKind.ROAD,
    ActionKind.BUY_DEVELOPMENT_CARD,
    ActionKind.PLAY_KNIGHT,
    ActionKind.BANK_TRADE,
    ActionKind.END_TURN,
    ActionKind.REJECT,
]


class Builder:
    """Plays a random action of the first kind in the list that is legal."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        legal = list(view.legal_actions)
        for kind in WISHES:
            wished = [action.index for action in legal if action.kind == kind]
            if wished:
                return self.random.choice(wished)
        return self.random.choice(legal).index
