"""Accounts of the same game that differ in their interpretation of a server's silence.

A server handles messages in order. When an awaited message does not come, the follower continues
with an account that draws a conclusion from that, and saves the one that still waits: a late
message continues it, any other message refutes it.
"""

from collections import deque

from catan_env.game.action import Action
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.account import Account
from catan_env.protocols.catan_binary.messages import Kick, Message, Turn
from catan_env.protocols.catan_binary.offers import is_movement


class Alternative:
    """An account, and this seat's messages since that the account cannot follow yet."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self._unsaid: deque[tuple[Action, list[Message]]] = deque()
        self._is_unproven = False
        """True if a turn has ended without an answer: either this seat's message was late, as this
        account assumes, or the server does not answer. Servers that announce do."""

    @property
    def is_behind(self) -> bool:
        """True if the account has yet to follow a message of this seat."""
        return bool(self._unsaid)

    @property
    def is_confirmed(self) -> bool:
        """True if all messages that this account waited for have come."""
        is_waiting = self.is_behind or self.account.awaited is not None
        return not is_waiting and not self._is_unproven

    def copy(self) -> "Alternative":
        """Return an independent copy of the alternative."""
        alternative = Alternative(self.account.copy())
        alternative._unsaid = self._unsaid.copy()
        alternative._is_unproven = self._is_unproven
        return alternative

    def say(self, action: Action, messages: list[Message]) -> None:
        """Follow this seat's `messages`, which are its `action`."""
        self._unsaid.append((action, messages))
        self._catch_up()

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        ends_turn = isinstance(message, Turn | Kick)
        if ends_turn and self.account.is_own_trade_open and self.account.announced is not True:
            self._is_unproven = True
        self.account.hear(message)
        if ends_turn:
            self._unsaid.clear()  # sent too late
        if is_movement(self.account.view, message):
            self._is_unproven = False
        self._catch_up()

    def hear_late(self, message: Message) -> None:
        """Follow a message after other accounts have concluded that it would not come.

        Raises RemoteProtocolError if the message that this alternative awaits should have come
        first.
        """
        if self.account.is_refuted_by(message):
            raise RemoteProtocolError("the awaited message did not come")
        self.hear(message)

    def go_without(self) -> None:
        """Conclude from silence that the awaited message does not come."""
        self.account.go_without()
        self._catch_up()

    def _catch_up(self) -> None:
        while self._unsaid and self.account.is_asked:
            self.account.say(*self._unsaid.popleft())
