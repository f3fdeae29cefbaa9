"""What the server refuses: it is not asked for again in that turn."""

from typing import Any

from catan_env.game.action import Action, ActionKind
from catan_env.protocols.jsettlers import messages as m

REFUSED_CARD = 4
"""The action of 1046 that refuses a card."""
TRADES = frozenset((ActionKind.OFFER, ActionKind.BANK_TRADE))
PIECES = frozenset((ActionKind.ROAD, ActionKind.SETTLEMENT, ActionKind.CITY))


class Refusals:
    """The actions that were refused in a turn."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        """All of a game, with what the server said."""
        self._actions: set[Action] = set()
        self._turn = -1

    def begin(self, turn: int) -> None:
        """In another turn everything may be tried again."""
        if turn != self._turn:
            self._turn = turn
            self._actions.clear()

    def add(self, action: Action | None, message: Any) -> None:
        """`message` refuses what we said; None: what we said has no answer any more."""
        name = "nothing" if action is None else action.kind.name.lower()
        self.lines.append(f"{name}: {message}")
        if action is not None:
            self._actions.add(action)

    def bars(self, kind: ActionKind) -> bool:
        """Whether an action of that kind was refused in this turn."""
        return any(action.kind == kind for action in self._actions)

    def bars_action(self, action: Action) -> bool:
        """Whether that very action was."""
        return action in self._actions


def is_refusal(message: Any, said: Action | None) -> bool:
    """Whether a message refuses `said`, our request; what refuses an answer of ours does not."""
    kind = None if said is None else said.kind
    if isinstance(message, m.RejectOffer):
        return bool(message.reason) and kind in TRADES
    if isinstance(message, m.CardAction):
        return message.action == REFUSED_CARD
    if isinstance(message, m.CancelBuild):
        return kind in PIECES
    return isinstance(message, m.DeclinedAction)
