"""The bridge that seats a policy at a server: bytes in, policy asked, bytes out."""

from collections.abc import Callable, Iterator
from typing import TextIO

from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.net.framing import Connection
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import BinaryCodec, Message
from catan_env.protocols.catan_binary.speech import to_messages

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""

DIALECT = "CATAN_ENV_DIALECT"
"""The environment variable in which our server says its dialect to the agents that it starts."""


class Agent:
    """One seat of a game; `decide` is asked whenever it is this seat's decision.

    `receive` takes bytes of any length and gives the bytes to send. `announced` says whether the
    server announces what a seat cannot compute; None finds out. What is heard is written to `log`.
    """

    def __init__(
        self, decide: Decide, announced: bool | None = None, log: TextIO | None = None
    ) -> None:
        self._decide = decide
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
    def awaits_announcement(self) -> bool:
        """Whether `hear_nothing` is due when nothing comes for a while."""
        return self._follower.awaits_announcement

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
        """Go on as `receive` does when an awaited announcement does not come."""
        self._follower.hear_nothing()
        yield from self._play()

    def _play(self) -> Iterator[bytes]:
        """Decide as long as it is this seat's decision."""
        while self._follower.is_asked:
            view = self._follower.view
            action = Action.from_index(int(self._decide(view)))
            messages = to_messages(view, action)
            self._follower.say(action, messages)
            yield b"".join(map(self._connection.send, messages))
