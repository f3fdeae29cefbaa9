"""The server's refusals: a refused action is not requested again in that turn."""

from typing import Any

from catan_env.game.action import Action, ActionKind
from catan_env.protocols.jsettlers import messages as m

REFUSED_CARD = 4
"""The action of `CardAction` (1046) that refuses a card."""
TRADES = frozenset((ActionKind.OFFER, ActionKind.BANK_TRADE))
PIECES = frozenset((ActionKind.ROAD, ActionKind.SETTLEMENT, ActionKind.CITY))


class Refusals:
    """The actions that were refused in a turn."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        """All refusals of a game, with the server's message."""
        self._actions: set[Action] = set()
        self._turn = -1

    def begin(self, turn: int) -> None:
        """Allow everything again in a new turn."""
        if turn != self._turn:
            self._turn = turn
            self._actions.clear()

    def add(self, action: Action | None, message: Any) -> None:
        """Count our last message as refused by `message`; None: an answer no longer matters."""
        name = "nothing" if action is None else action.kind.name.lower()
        self.lines.append(f"{name}: {message}")
        if action is not None:
            self._actions.add(action)

    def bars(self, kind: ActionKind) -> bool:
        """True if an action of that kind was refused in this turn."""
        return any(action.kind == kind for action in self._actions)

    def bars_action(self, action: Action) -> bool:
        """True if this very action was refused in this turn."""
        return action in self._actions


def is_refusal(message: Any, said: Action | None) -> bool:
    """True if a message refuses `said`, our request; refusals of our answers do not count."""
    kind = None if said is None else said.kind
    if isinstance(message, m.RejectOffer):
        return bool(message.reason) and kind in TRADES
    if isinstance(message, m.CardAction):
        return message.action == REFUSED_CARD
    if isinstance(message, m.CancelBuild):
        return kind in PIECES
    return isinstance(message, m.DeclinedAction)
