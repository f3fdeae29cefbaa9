"""Bytes in, messages out, and back: a connection without a socket."""

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

Message = TypeVar("Message")


class Codec(Protocol[Message]):
    """How one protocol spells its messages; may remember what earlier ones said."""

    def encode(self, message: Message) -> bytes:
        """The bytes of a message; raises LocalProtocolError."""

    def decode(self, data: bytearray) -> tuple[Message, int] | None:
        """The first message and its size, None while it is not all there.

        Raises RemoteProtocolError.
        """


class Connection(Generic[Message]):
    """One end of a conversation.

    `receive` takes the bytes as they come, in pieces of any size, and gives the messages that
    they complete; `send` gives the bytes of a message.
    """

    def __init__(self, codec: Codec[Message]) -> None:
        self._codec = codec
        self._received = bytearray()

    @property
    def is_amid_message(self) -> bool:
        """Whether the last bytes received begin a message that is not all there."""
        return bool(self._received)

    def send(self, message: Message) -> bytes:
        """The bytes to send."""
        return self._codec.encode(message)

    def receive(self, data: bytes) -> Iterator[Message]:
        """The messages complete with `data`; raises RemoteProtocolError at the first bad one."""
        self._received += data
        return self._messages()

    def _messages(self) -> Iterator[Message]:
        while self._received:
            decoded = self._codec.decode(self._received)
            if decoded is None:
                return
            message, size = decoded
            del self._received[:size]
            yield message
