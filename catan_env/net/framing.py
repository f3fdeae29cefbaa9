"""Bytes in, messages out, and back: one end of a conversation without a socket."""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

Message = TypeVar("Message")


class State(Enum):
    """How far a conversation has come."""

    OPENING = auto()
    """A handshake is under way: nothing may be sent yet."""
    OPEN = auto()
    CLOSED = auto()
    """Nothing more may be sent, and what comes is not read."""


class Codec(Protocol[Message]):
    """How one protocol spells its messages; may remember what earlier ones said."""

    def encode(self, message: Message) -> bytes:
        """The bytes of a message; raises LocalProtocolError."""

    def decode(self, data: bytearray) -> tuple[Message, int] | None:
        """The first message and its size, None while it is not all there.

        Raises RemoteProtocolError where the bytes after it could not be read either.
        """


class End(Protocol[Message]):
    """What a server needs of its end of a conversation, whatever carries the messages."""

    @property
    def state(self) -> State:
        """How far the conversation has come."""

    @property
    def is_amid_message(self) -> bool:
        """Whether the last bytes received begin a message that is not all there."""

    def send(self, message: Message) -> bytes:
        """The bytes of a message; raises LocalProtocolError."""

    def receive(self, data: bytes) -> Iterator[Message]:
        """The messages complete with `data`; raises RemoteProtocolError at the first bad one."""

    def answer(self) -> bytes:
        """What the transport itself has to say since it was last asked: handshakes, pongs."""

    def close(self) -> bytes:
        """The bytes that take leave; none may be sent after them."""


class Connection(Generic[Message]):
    """An `End` over a stream of bytes, with nothing but messages in it.

    `receive` takes the bytes as they come, in pieces of any size, and gives the messages that
    they complete; `send` gives the bytes of a message.
    """

    def __init__(self, codec: Codec[Message]) -> None:
        self._codec = codec
        self._received = bytearray()
        self.state = State.OPEN

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

    def answer(self) -> bytes:
        """Nothing: a stream of messages has no words of its own."""
        return b""

    def close(self) -> bytes:
        """Nothing: the stream just ends."""
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
