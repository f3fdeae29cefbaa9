"""Requests of one seat in a turn: the last action, its further messages, the cards it owes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from catan_env.game.action import Action, ActionKind


@dataclass
class Pending:
    """The last request of this turn, until the next one.

    >>> pending = Pending()
    >>> pending.choose(["a", "b"]), pending.refuse(), pending.choose(["a", "b"])
    ('a', None, 'b')
    """

    action: Action | None = None
    """The action last requested, None if there was none."""
    further: list[Any] = field(default_factory=list)
    """Its remaining messages, for when the server asks for them."""
    choice: Any = None
    """The last message of `choose`, until it is refused or another action is requested."""
    refused: list[Any] = field(default_factory=list)
    """The choices that were refused in this turn."""
    victims: Sequence[int] = ()
    """The seats that the server lets us rob."""
    owed: int = 0
    """The number of cards that the server wants us to discard."""
    unconfirmed: int = 0
    """The cards we discard, until the server has announced them."""

    def is_of(self, kind: ActionKind) -> bool:
        """True if an action of that kind was requested last."""
        return self.action is not None and self.action.kind == kind

    def request(self, action: Action, further: Sequence[Any]) -> None:
        """Note another action, and the messages to send after its first."""
        self.action, self.further, self.choice = action, list(further), None

    def choose(self, possible: Sequence[Any]) -> Any:
        """The first of these messages that was not refused in this turn."""
        untried = [choice for choice in possible if choice not in self.refused]
        self.choice = (untried or possible)[0]
        return self.choice

    def refuse(self) -> None:
        """Note that the server refused the request or its last choice."""
        self.unconfirmed = 0
        self.further.clear()
        if self.choice is not None:
            self.refused.append(self.choice)
            self.choice = None

    def discard(self) -> int:
        """The number of cards owed, which are now to be announced."""
        self.unconfirmed, self.owed = self.owed, 0
        return self.unconfirmed

    def discarded(self) -> None:
        """Note that the server took cards from us: no more are owed."""
        self.owed = self.unconfirmed = 0
