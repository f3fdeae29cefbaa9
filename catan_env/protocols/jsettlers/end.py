"""A client's end of a connection to a server of either version."""

from collections.abc import Iterator
from typing import Any

from catan_env.net.framing import Connection
from catan_env.protocols.jsettlers.framing import FrameCodec
from catan_env.protocols.jsettlers.lobby import FIRST_NEWER, Version
from catan_env.protocols.jsettlers.messages import FROM_SERVER, OLDER_FROM_SERVER
from catan_env.protocols.jsettlers.older import Interpreter


class ClientEnd(Connection[Any]):
    """Messages of version 2.7 on the inside, those of the server's version on the wire.

    A server announces its version first; below 2.0 an `Interpreter` translates.
    """

    def __init__(self) -> None:
        super().__init__(FrameCodec(FROM_SERVER))
        self._interpreter: Interpreter | None = None

    def send(self, message: Any) -> bytes:
        """Return the bytes to send; none if an older server has no such message."""
        if self._interpreter is None:
            return super().send(message)
        return b"".join(map(super().send, self._interpreter.say(message)))

    def answer(self) -> bytes:
        """Return what an older server is owed: pieces that are paid for, and its players' chat."""
        if self._interpreter is None:
            return b""
        return b"".join(map(super().send, self._interpreter.owed()))

    def _messages(self) -> Iterator[Any]:
        for message in super()._messages():
            if self._interpreter is not None:
                yield from self._interpreter.hear(message)
                continue
            if isinstance(message, Version) and message.number < FIRST_NEWER:
                self._interpreter, self._codec = Interpreter(), FrameCodec(OLDER_FROM_SERVER)
            yield message


def client_end() -> ClientEnd:
    """Return a client's end of a connection."""
    return ClientEnd()
