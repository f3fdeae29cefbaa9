"""Frames: a big-endian u16, the length in bytes, then that many bytes of Java's modified UTF-8."""

from typing import Any

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.protocols.jsettlers.fields import from_text, to_text
from catan_env.protocols.jsettlers.messages import BARRED, NUMBERS, SPOKEN, Table

MOST_BYTES = 65535


class FrameCodec:
    r"""A `net.framing.Codec`: messages that `table` does not list become None, to be ignored.

    >>> from catan_env.protocols.jsettlers.messages import FROM_SERVER, RollDice
    >>> codec = FrameCodec(FROM_SERVER)
    >>> codec.encode(RollDice("t"))
    b'\x00\x061031|t'
    >>> codec.decode(bytearray(b"\x00\x0b1026|t,2,15rest"))
    (Turn(game='t', seat=2, state=15), 13)
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def encode(self, message: Any) -> bytes:
        """Return the frame of a message."""
        number = NUMBERS.get(type(message))
        if number is None:
            raise LocalProtocolError(f"{message!r} is not a message of this protocol")
        text = f"{number}|{to_text(message, separator_of(number))}"
        said = to_java(text)
        if len(said) > MOST_BYTES:
            raise LocalProtocolError(f"a message of {len(said)} bytes; allowed are {MOST_BYTES}")
        return len(said).to_bytes(2, "big") + said

    def decode(self, data: bytearray) -> tuple[Any, int] | None:
        """Return the first frame's message and its size; Garbled if it cannot be parsed."""
        if len(data) < 2:
            return None
        size = 2 + int.from_bytes(data[:2], "big")
        if len(data) < size:
            return None
        return self._message(bytes(data[2:size])), size

    def _message(self, said: bytes) -> Any:
        try:
            number, _, text = from_java(said).partition("|")
            layout = self._table.get(int(number))
            return None if layout is None else from_text(layout, text, separator_of(int(number)))
        except (RemoteProtocolError, ValueError) as error:
            return Garbled(f"{error}, in {said[:60]!r}")


def separator_of(number: int) -> str:
    """Return the separator of a message's fields."""
    if number in SPOKEN:
        return "\0"
    return "|" if number in BARRED else ","


def to_java(text: str) -> bytes:
    r"""Modified UTF-8: two bytes for NUL, surrogates one by one.

    >>> to_java("a\0é"), from_java(to_java("a\0é😀"))
    (b'a\xc0\x80\xc3\xa9', 'a\x00é😀')
    """
    units = text.encode("utf-16-be")
    pairs = (units[k : k + 2] for k in range(0, len(units), 2))
    signs = (chr(int.from_bytes(pair, "big")) for pair in pairs)
    said = (sign.encode("utf-8", "surrogatepass") for sign in signs)
    return b"".join(b"\xc0\x80" if one == b"\0" else one for one in said)


def from_java(said: bytes) -> str:
    """Return the text; the inverse of `to_java`; raises UnicodeDecodeError, a ValueError."""
    text = said.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
