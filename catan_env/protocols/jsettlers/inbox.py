"""What has come from the server and has not been heard yet."""

from collections.abc import Iterator
from math import inf
from typing import Any

from catan_env.net.framing import Connection
from catan_env.protocols.jsettlers.framing import FrameCodec
from catan_env.protocols.jsettlers.messages import FROM_SERVER

IDLE = 0.02
"""Seconds without work after which a message is read as it comes."""


class Inbox:
    """Bytes in, messages out, and the time from which they may have been waiting.

    Who thinks does not read: what is read right afterwards may have come any time since the last
    look, and the server's clock runs from when it was said.
    """

    def __init__(self) -> None:
        self.came = 0.0
        """The earliest time at which what is heard now can have come."""
        self._connection: Connection[Any] = Connection(FrameCodec(FROM_SERVER))
        self._looked = self._busy_until = -inf

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left, not even half a message."""
        return not self._connection.is_amid_message

    def put(self, data: bytes, now: float) -> None:
        """Bytes have been read."""
        was_busy = now - self._busy_until < IDLE
        if self.is_empty:
            self.came = min(now, self._looked) if was_busy else now
        self._looked = now
        self._connection.receive(data)

    def messages(self) -> Iterator[Any]:
        """What is complete, one by one; what is not taken out stays."""
        return self._connection.receive(b"")

    def was_busy(self, until: float) -> None:
        """The agent has thought till then."""
        self._busy_until = until
