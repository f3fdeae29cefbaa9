"""Messages as JSON objects: typed by msgspec structs, bounded in size and depth, strict UTF-8."""

import re
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from catan_env.net.room import Garbled

Message = TypeVar("Message")

MOST_BYTES = 1 << 16
"""Default limit on the bytes of one message."""
MOST_DEPTH = 32
"""Limit on nested objects and arrays."""

_TRUNCATED = "Input data was truncated"
_HALF_PAIR = re.compile(rb'\\u[dD][89abAB][0-9a-fA-F]{2}"')
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_BUT_BRACKETS = bytes(sign for sign in range(256) if sign not in b"[]{}")
_RISE = {bracket: 1 if bracket in b"[{" else -1 for bracket in b"[]{}"}


class Spelling(Protocol[Message]):
    """Messages to the bytes of one line or one WebSocket frame, and back."""

    most_bytes: int

    def encode(self, message: Message) -> bytes:
        """Return the bytes of a message."""

    def decode(self, data: bytes | bytearray) -> Message | Garbled:
        """Return the message, or Garbled with the error and its position."""


class JsonSpelling(Generic[Message]):
    """`messages` is a msgspec struct or a union of tagged ones: the messages of a protocol.

    Anything else is Garbled, with the path of the field at fault, and with its name where `tag` is
    the field that has it. Each struct defines whether it rejects unknown fields
    (`forbid_unknown_fields`).

    >>> class Move(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    ...     tile: int
    >>> spelling = JsonSpelling(Move)
    >>> spelling.encode(Move(4))
    b'{"type":"move","tile":4}'
    >>> spelling.decode(b'{"type": "move", "tile": 4}')
    Move(tile=4)
    >>> spelling.decode(b'{"type": "move", "tile": "4"}').reason
    'Expected `int`, got `str` - at `$.tile`'
    """

    def __init__(
        self,
        messages: Any,
        most_bytes: int = MOST_BYTES,
        most_depth: int = MOST_DEPTH,
        tag: str | None = None,
    ) -> None:
        self.most_bytes = most_bytes
        self._most_depth, self._tag = most_depth, tag
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(messages)
        self._encoder = msgspec.json.Encoder()
        self._last: tuple[Message | None, bytes] = (None, b"")

    def encode(self, message: Message) -> bytes:
        """Return the message in one line, its fields in the order of the struct.

        An object that is sent to many lines in sequence is encoded once.
        """
        if self._last[0] is not message:
            self._last = message, self._encoder.encode(message)
        return self._last[1]

    def decode(self, data: bytes | bytearray) -> Message | Garbled:
        """Return the message, or Garbled with the error and its position."""
        reason = unreadable(data, self._most_depth)
        if reason:
            return Garbled(reason)
        try:
            message: Message = self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError) as error:
            return Garbled(reason_of(error, data), self._name(data))
        return message

    def _name(self, data: bytes | bytearray) -> str | None:
        """Return the name of a message that lacks a field or has a wrong one."""
        if self._tag is None:
            return None
        try:
            name = msgspec.json.decode(data, type=dict[str, Any]).get(self._tag)
        except msgspec.DecodeError:
            return None
        return name if isinstance(name, str) else None


def unreadable(data: bytes | bytearray, most_depth: int = MOST_DEPTH) -> str:
    """Return the reason why bytes are not parsed as JSON at all, or ''.

    >>> unreadable(b'{"a": [[["[[[["]]]}', most_depth=4)
    ''
    >>> unreadable(b'{"a": [[[1]]]}', most_depth=3)
    'objects and arrays stand in each other more than 3 deep'
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8: {error.reason} at byte {error.start}"
    if data.count(b"[") + data.count(b"{") > most_depth and depth(data) > most_depth:
        return f"objects and arrays stand in each other more than {most_depth} deep"
    return ""


def reason_of(error: Exception, data: bytes | bytearray) -> str:
    r"""Return the text of a decoder's error; msgspec calls some whole messages truncated.

    >>> reason_of(msgspec.DecodeError("Input data was truncated"), b'{"name": "\\ud83d"}')
    'half of a surrogate pair ends a string'
    >>> reason_of(msgspec.DecodeError("Input data was truncated"), b" ")
    'the message is empty'
    """
    if str(error) != _TRUNCATED:
        return str(error)
    if not data.strip():
        return "the message is empty"
    return "half of a surrogate pair ends a string" if _HALF_PAIR.search(data) else str(error)


def depth(data: bytes | bytearray) -> int:
    """Return the nesting depth of objects and arrays, outside strings."""
    plain = b"".join(_ESCAPED.sub(b"", data).split(b'"')[::2])
    brackets = plain.translate(None, _BUT_BRACKETS)
    return max(accumulate(map(_RISE.__getitem__, brackets), initial=0))
