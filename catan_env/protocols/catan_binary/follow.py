"""A seat's view of the game, followed from the messages that its agent receives and sends."""

from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.account import Account
from catan_env.protocols.catan_binary.alternatives import Alternative
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Begin,
    End,
    Message,
    Setup,
    name_of,
)
from catan_env.protocols.catan_binary.opening import check_begin, view_at_start
from catan_env.protocols.catan_binary.pending import Awaited

MOST_ALTERNATIVES = 8
"""Conclusions from silence that can be undone at the same time; beyond that the oldest is final."""


class Follower:
    """Updates `view` in step with the server's game, from MSG_BEGIN to MSG_END.

    `hear` takes the server's messages, `say` this seat's. Raises RemoteProtocolError for a
    message that cannot follow. `announced`: the server announces what a seat cannot compute; None
    detects it. `is_ours`: it is known to be the server of this package. Conclusions of
    `hear_nothing` are undone if the awaited message comes after all.
    """

    def __init__(self, announced: bool | None = None, is_ours: bool = False) -> None:
        self._announced, self._is_ours = announced, is_ours
        self._alternatives: list[Alternative] = []
        """Accounts of the game: those that wait for late messages first, the one in use last."""
        self.begin: Begin | None = None
        self.is_over = False
        self.winner: int | None = None

    @property
    def account(self) -> Account:
        """The account in use; there is none before MSG_SETUP."""
        return self._current.account

    @property
    def view(self) -> SeatView:
        """The seat's knowledge of the game; there is none before MSG_SETUP."""
        return self.account.view

    @property
    def is_asked(self) -> bool:
        """True if it is this seat's decision, and everything it can learn before it is known."""
        return self._is_playing and not self._current.is_behind and self.account.is_asked

    @property
    def awaited(self) -> Awaited | None:
        """The awaited message, possibly never sent, that holds up this seat's turn."""
        return self.account.awaited if self._is_playing else None

    @property
    def _current(self) -> Alternative:
        if not self._alternatives:
            raise RemoteProtocolError("the game continued before MSG_BEGIN and MSG_SETUP")
        return self._alternatives[-1]

    @property
    def _is_playing(self) -> bool:
        return bool(self._alternatives) and not self.is_over

    def watch(self, view: SeatView) -> None:
        """Return a follower of a game from mid-turn on, with no message pending."""
        self._follow(view)
        self.account.turn_is_open = True

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        if self.is_over:
            return
        try:
            self._hear(message)
        except ValueError as error:
            raise RemoteProtocolError(f"{name_of(message)} cannot follow: {error}") from None

    def has_to_refuse(self, message: Message) -> bool:
        """True if a message just heard offers this seat a trade that the rules exclude."""
        return self._is_playing and self.account.has_to_refuse(message)

    def hear_nothing(self) -> None:
        """Continue without an awaited message that has not come for a while."""
        if self.awaited is not None:
            self._go_without()

    def say(self, action: Action, messages: list[Message]) -> None:
        """Follow this seat's `messages`, which are its `action`, legal by the current account.

        Another account by which it is not is dropped: that server would refuse the action.
        """
        *others, current = self._alternatives
        current.say(action, messages)
        self._alternatives = [o for o in others if _may_say(o, action, messages)] + [current]

    def _hear(self, message: Message) -> None:
        if isinstance(message, Begin):
            check_begin(message)
            self.begin = message
        elif isinstance(message, Setup):
            self._set_up(message)
        elif isinstance(message, End):
            self.is_over = True
            self.winner = None if message.winner_id == NO_SEAT else message.winner_id
        else:
            self._hear_in_game(message)

    def _set_up(self, message: Setup) -> None:
        assert self.begin is not None, "the codec lets no MSG_SETUP through before MSG_BEGIN"
        if self._alternatives:
            raise RemoteProtocolError("MSG_SETUP came twice")
        self._follow(view_at_start(self.begin, message))

    def _follow(self, view: SeatView) -> None:
        self._alternatives = [Alternative(Account(view, self._announced, self._is_ours))]

    def _hear_in_game(self, message: Message) -> None:
        """Drop the alternatives that the message refutes; the first confirmed one is the truth."""
        current, refuted = self._current, None
        left: list[Alternative] = []
        for alternative in self._alternatives:
            try:
                if alternative is current:
                    alternative.hear(message)
                else:
                    alternative.hear_late(message)
            except (RemoteProtocolError, ValueError) as error:
                refuted = error
            else:
                left.append(alternative)
                if alternative.is_confirmed:
                    break
        if refuted is not None and not left:
            raise refuted
        self._alternatives = left
        if self.awaited is Awaited.LOSSES and self.account.announced is False:
            self._go_without()

    def _go_without(self) -> None:
        """Draw a conclusion from silence, and save the account as it was."""
        self._alternatives.append(self._current.copy())
        self._current.go_without()
        del self._alternatives[:-MOST_ALTERNATIVES]


def _may_say(alternative: Alternative, action: Action, messages: list[Message]) -> bool:
    """Let an alternative follow this seat's action; False if it is not legal there."""
    try:
        alternative.say(action, messages)
    except ValueError:
        return False
    return True
