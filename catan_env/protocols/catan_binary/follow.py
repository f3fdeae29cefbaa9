"""A seat's view of the game, followed from the messages that its agent hears and says."""

from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.account import Account
from catan_env.protocols.catan_binary.given_up import GivenUp
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Begin,
    End,
    Message,
    Setup,
    Trade,
    name_of,
)
from catan_env.protocols.catan_binary.opening import check_begin, view_at_start


class Follower:
    """Keeps `view` as the server keeps its game, from MSG_BEGIN to MSG_END.

    `hear` takes what the server sent, `say` what this seat sends. Raises RemoteProtocolError for
    a message that cannot follow. `announced` says whether the server announces what a seat cannot
    compute; None finds out.
    """

    def __init__(self, announced: bool | None = None) -> None:
        self._announced = announced
        self._account: Account | None = None
        self.begin: Begin | None = None
        self.is_over = False
        self.winner: int | None = None
        self._given_up: GivenUp | None = None
        self._to_say_again: list[tuple[Action, list[Message]]] = []

    @property
    def account(self) -> Account:
        """What the seat makes of the game; there is none before MSG_SETUP."""
        if self._account is None:
            raise RemoteProtocolError("the game went on before MSG_BEGIN and MSG_SETUP")
        return self._account

    @property
    def view(self) -> SeatView:
        """What the seat knows; there is none before MSG_SETUP."""
        return self.account.view

    @property
    def is_asked(self) -> bool:
        """Whether this seat has to decide now, and knows all that it can before it does."""
        return self._is_playing and self.account.is_asked

    @property
    def awaits_announcement(self) -> bool:
        """Whether something is due that a server of the literal dialect may never say."""
        return self._is_playing and self.account.awaits_announcement

    @property
    def _is_playing(self) -> bool:
        return self._account is not None and not self.is_over

    def watch(self, view: SeatView) -> None:
        """Follow a game from the middle of a turn on, in which nothing is pending."""
        self._account = Account(view, self._announced)
        self._account.turn_is_open = True

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        if self.is_over:
            return
        try:
            self._hear(message)
        except ValueError as error:
            raise RemoteProtocolError(f"{name_of(message)} cannot follow: {error}") from None

    def hear_nothing(self) -> None:
        """What is due does not come."""
        if self.awaits_announcement and self.account.announced is not True:
            self._given_up = GivenUp(self.account.copy())
            self.account.go_without()
            self._say_again()

    def say(self, action: Action, messages: list[Message]) -> None:
        """This seat says `messages`, which are its `action`."""
        if self._given_up is not None:
            self._given_up.said.append((action, messages))
        self.account.say(action, messages)

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
            self._take_back(message)
            self.account.hear(message)
            self._say_again()

    def _set_up(self, message: Setup) -> None:
        assert self.begin is not None, "the codec lets no MSG_SETUP through before MSG_BEGIN"
        if self._account is not None:
            raise RemoteProtocolError("MSG_SETUP came twice")
        self._account = Account(view_at_start(self.begin, message), self._announced)

    def _take_back(self, message: Message) -> None:
        """What was assumed when nothing came, if it comes now."""
        given_up, self._given_up = self._given_up, None
        if given_up is None or not given_up.is_answered_by(message):
            return
        self._account = given_up.before
        if isinstance(message, Trade):
            self._account.announced = True
        self._to_say_again = given_up.said

    def _say_again(self) -> None:
        """What this seat said before a late announcement, once that is complete."""
        if not self.account.awaits_announcement and not self.account.is_own_trade_open:
            said, self._to_say_again = self._to_say_again, []
            for action, messages in said:
                self.say(action, messages)
