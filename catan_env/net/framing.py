"""Bytes to messages and back: one end of a conversation, without a socket."""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

Message = TypeVar("Message")


class State(Enum):
    """The stage of a conversation."""

    OPENING = auto()
    """The handshake is in progress: nothing may be sent yet."""
    OPEN = auto()
    CLOSED = auto()
    """Nothing more may be sent, and incoming bytes are ignored."""


class Codec(Protocol[Message]):
    """The encoding of one protocol's messages; may depend on earlier messages."""

    def encode(self, message: Message) -> bytes:
        """Return the bytes of a message; raises LocalProtocolError."""

    def decode(self, data: bytearray) -> tuple[Message, int] | None:
        """Return the first message and its size, or None if it is incomplete.

        Raises RemoteProtocolError if the bytes after it would be unreadable as well.
        """


class End(Protocol[Message]):
    """One end of a conversation as a server uses it, over any transport."""

    @property
    def asides(self) -> int:
        """The number of frames received so far that completed no message, such as pings."""

    @property
    def state(self) -> State:
        """The stage of the conversation."""

    @property
    def is_amid_message(self) -> bool:
        """True if the last bytes received begin a message that is incomplete."""

    def send(self, message: Message) -> bytes:
        """Return the bytes of a message; raises LocalProtocolError."""

    def receive(self, data: bytes) -> Iterator[Message]:
        """Return the messages that `data` completes; RemoteProtocolError at the first bad one."""

    def answer(self) -> bytes:
        """Return the transport's own pending bytes: handshakes, pongs."""

    def close(self) -> bytes:
        """Return the bytes that close the conversation; none may be sent after them."""


class Connection(Generic[Message]):
    """An `End` over a stream of bytes that contains only messages.

    `receive` takes bytes in pieces of any size and returns the messages that they complete;
    `send` returns the bytes of a message.
    """

    asides = 0

    def __init__(self, codec: Codec[Message]) -> None:
        self._codec = codec
        self._received = bytearray()
        self.state = State.OPEN

    @property
    def is_amid_message(self) -> bool:
        """True if the last bytes received begin a message that is incomplete."""
        return bool(self._received)

    def send(self, message: Message) -> bytes:
        """Return the bytes to send."""
        return self._codec.encode(message)

    def receive(self, data: bytes) -> Iterator[Message]:
        """Return the messages that `data` completes; RemoteProtocolError at the first bad one."""
        self._received += data
        return self._messages()

    def answer(self) -> bytes:
        """Return nothing: a plain stream has no handshakes."""
        return b""

    def close(self) -> bytes:
        """Return nothing: the stream just ends."""
        self.state = State.CLOSED
        return b""

    def _messages(self) -> Iterator[Message]:
        while self._received:
            decoded = self._codec.decode(self._received)
            if decoded is None:
                return
            message, size = decoded
            del self._received[:size]
            yield message
