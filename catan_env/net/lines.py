"""Messages one a line: a `Codec` of lines that end with a newline, each read by a spelling."""

from typing import Generic

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.net.spelling import Message, Spelling

NEWLINE = b"\n"


class LineCodec(Generic[Message]):
    r"""A line that cannot be read is Garbled; one that does not end ends the conversation.

    Empty lines are passed over, and a carriage return before the newline counts as white space.

    >>> from catan_env.net.spelling import JsonSpelling
    >>> codec = LineCodec(JsonSpelling(dict[str, int]))
    >>> codec.encode({"tile": 4})
    b'{"tile":4}\n'
    >>> codec.decode(bytearray(b'\n{"tile": 4}\r\n{"ti'))
    ({'tile': 4}, 14)
    """

    def __init__(self, spelling: Spelling[Message]) -> None:
        self._spelling = spelling

    def encode(self, message: Message) -> bytes:
        """The message and a newline."""
        said = self._spelling.encode(message)
        if NEWLINE in said:
            raise LocalProtocolError(f"a message of more than one line: {said!r}")
        return said + NEWLINE

    def decode(self, data: bytearray) -> tuple[Message | Garbled, int] | None:
        """The first line's message and the bytes up to the next line."""
        begins = len(data) - len(data.lstrip())
        ends = data.find(NEWLINE, begins)
        if (len(data) if ends < 0 else ends) - begins > self._spelling.most_bytes:
            raise RemoteProtocolError(
                f"a line of more than {self._spelling.most_bytes} bytes; "
                f"it begins {bytes(data[begins : begins + 40])!r}"
            )
        if ends < 0:
            del data[:begins]
            return None
        return self._spelling.decode(data[begins:ends]), ends + 1
