"""One message per line: a `Codec` of lines that end with a newline, each read by a spelling."""

from typing import Generic

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.net.spelling import Message, Spelling

NEWLINE = b"\n"


class LineCodec(Generic[Message]):
    r"""An unreadable line is Garbled; a line that is too long ends the conversation.

    An empty line is unreadable; a carriage return before the newline is white space.

    >>> from catan_env.net.spelling import JsonSpelling
    >>> codec = LineCodec(JsonSpelling(dict[str, int]))
    >>> codec.encode({"tile": 4})
    b'{"tile":4}\n'
    >>> codec.decode(bytearray(b'{"tile": 4}\r\n{"ti'))
    ({'tile': 4}, 13)
    """

    def __init__(self, spelling: Spelling[Message]) -> None:
        self._spelling = spelling

    def encode(self, message: Message) -> bytes:
        """Return the message and a newline."""
        said = self._spelling.encode(message)
        if NEWLINE in said:
            raise LocalProtocolError(f"a message of more than one line: {said!r}")
        return said + NEWLINE

    def decode(self, data: bytearray) -> tuple[Message | Garbled, int] | None:
        """Return the first line's message and its size in bytes, newline included."""
        ends = data.find(NEWLINE)
        if (len(data) if ends < 0 else ends) > self._spelling.most_bytes:
            raise RemoteProtocolError(
                f"a line of more than {self._spelling.most_bytes} bytes; "
                f"it begins {bytes(data[:40])!r}"
            )
        return None if ends < 0 else (self._spelling.decode(data[:ends]), ends + 1)
