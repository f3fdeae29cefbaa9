"""The bridge that seats a policy at a server: bytes in, policy asked, bytes out."""

from collections.abc import Callable, Iterator
from typing import TextIO

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import SeatView
from catan_env.net.framing import Connection
from catan_env.net.watchdog import PATIENCE
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import BinaryCodec, Message
from catan_env.protocols.catan_binary.pending import Awaited
from catan_env.protocols.catan_binary.speech import to_messages

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""

GRACE = 0.5
"""Seconds to wait for an announcement while it is not known whether this server makes any."""

DIALECT = "CATAN_ENV_DIALECT"
"""The environment variable in which our server says its dialect to the agents that it starts."""


class Agent:
    """One seat of a game; `decide` is asked whenever it is this seat's decision.

    `receive` takes bytes of any length and gives the bytes to send. `announced` says whether the
    server announces what a seat cannot compute; None finds out. What is heard is written to `log`.
    After `patience` seconds of silence on its own turn the agent goes on without an answer (0: it
    waits without a limit).
    """

    def __init__(
        self,
        decide: Decide,
        announced: bool | None = None,
        log: TextIO | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._decide = decide
        self._patience = patience
        self._follower = Follower(announced)
        self._log = log
        self._connection: Connection[Message] = Connection(BinaryCodec(order=None))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._follower.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self._follower.winner

    @property
    def silence(self) -> float | None:
        """Seconds of silence after which `hear_nothing` is due; None while nothing is awaited.

        Another seat has a clock of its own to answer in. MSG_ROLL and MSG_ROB are waited for
        without a limit: what could be said instead is a kick if the server is only slow.
        """
        awaited, begin = self._follower.awaited, self._follower.begin
        if awaited is None:
            return None
        if awaited in (Awaited.LOSSES, Awaited.BANK) and not self._follower.account.announced:
            return GRACE
        others = begin.timeout_secs if begin is not None and awaited is Awaited.PARTNER else 0
        return others + self._patience if self._patience else None

    @property
    def follower(self) -> Follower:
        """What the agent knows."""
        return self._follower

    def receive(self, data: bytes) -> Iterator[bytes]:
        """Hear what the server sent; what to send, a piece for each decision.

        Raises RemoteProtocolError.
        """
        for message in self._connection.receive(data):
            if self._log is not None:
                print(message, file=self._log, flush=True)
            self._follower.hear(message)
            yield from self._play()

    def hear_nothing(self) -> Iterator[bytes]:
        """Go on as `receive` does when nothing came for `silence` seconds."""
        self._follower.hear_nothing()
        yield from self._play()

    def _play(self) -> Iterator[bytes]:
        """Decide as long as it is this seat's decision."""
        while self._follower.is_asked:
            view = self._follower.view
            action = self._decided(view)
            messages = to_messages(view, action)
            self._follower.say(action, messages)
            yield b"".join(map(self._connection.send, messages))

    def _decided(self, view: SeatView) -> Action:
        """The policy's action, unless one that cannot be told from an earlier one is under way."""
        account = self._follower.account
        if account.has_to_pass and view.phase == Phase.MAIN:
            return Action.end_turn()
        action = Action.from_index(int(self._decide(view)))
        if action.kind == ActionKind.OFFER and account.has_open_offer:
            return Action.end_turn()
        return action
