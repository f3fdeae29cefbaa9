"""Bytes to messages and back: a stream of JSON objects with one key each, the message's name."""

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import is_normalized, normalize

import msgspec

from catan_env.net.errors import RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.net.spelling import reason_of
from catan_env.protocols.catan_german.legible import legible
from catan_env.protocols.catan_german.messages import (
    NAMES,
    Answer,
    ClientHello,
    Message,
    StatusUpdate,
    body_of,
)
from catan_env.protocols.catan_german.words import with_kinds_counted

MOST_BYTES = 1 << 16
"""Bytes without an end after which a connection is given up."""
MOST_DEPTH = 16
"""The deepest nesting of objects and arrays; the map needs 6."""

_SPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SIGNS = re.compile(rb'\\.|["{}\[\]]', re.DOTALL)


class GermanCodec:
    r"""Reads the messages of `table`, by name: objects with any white space between and in them.

    Any other object is Garbled, and so is text outside of objects, up to the end of its line. Keys
    and texts are normalized to Unicode's composed form. Whole numbers may be written as 1.0 or "1".

    >>> from catan_env.protocols.catan_german.messages import RollDice, said_by_clients
    >>> codec = GermanCodec(said_by_clients("0.1"))
    >>> codec.encode(RollDice()).decode()
    '{"Würfeln":{}}\n'
    >>> codec.decode(bytearray('{"Wu\u0308rfeln" : { } }'.encode()))
    (RollDice(), 20)
    """

    def __init__(self, table: Mapping[str, type[Message]], is_strict: bool = True) -> None:
        self._table = table
        self._is_strict = is_strict
        """False to leave out optional fields that cannot be read, as an agent does."""
        self._at = 0
        self._depth = 0
        self._deepest = 0
        self._is_in_string = False

    def encode(self, message: Message) -> bytes:
        """One line."""
        return msgspec.json.encode({NAMES[type(message)]: body_of(message)}) + b"\n"

    def decode(self, data: bytearray) -> tuple[Message | Garbled, int] | None:
        """The first message and its size; RemoteProtocolError if no other can follow."""
        if self._at == 0:
            self._skip_space(data)
            if not data:
                return None
        if data[:1] != b"{":
            return self._garbage(data)
        return self._line(data) or self._object(data)

    def _line(self, data: bytearray) -> tuple[Message | Garbled, int] | None:
        """The first message if it fills a line, as nearly all do: the fast path."""
        end = data.find(b"\n") if self._at == 0 else -1
        line = bytes(data[:end]) if 0 < end <= MOST_BYTES else b""
        if not line or line.count(b"{") + line.count(b"[") > MOST_DEPTH:
            return None
        try:
            text = line.decode()
            return self._named(text, msgspec.json.decode(text)), end
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None

    def _object(self, data: bytearray) -> tuple[Message | Garbled, int] | None:
        """The first message in any layout."""
        end = self._end_of_object(data)
        self._check_size(len(data) if end is None else end)
        if end is None:
            return None
        deepest = self._deepest
        self._at = self._deepest = 0
        if deepest > MOST_DEPTH:
            return Garbled(f"more than {MOST_DEPTH} objects and arrays in each other"), end
        return self._message(_text(data[:end])), end

    def _skip_space(self, data: bytearray) -> None:
        if data.startswith(_BYTE_ORDER_MARK):
            del data[: len(_BYTE_ORDER_MARK)]
        space = len(data) - len(data.lstrip(_SPACE))
        del data[:space]

    def _garbage(self, data: bytearray) -> tuple[Garbled, int] | None:
        end = data.find(b"\n")
        self._check_size(len(data) if end < 0 else end)
        if end < 0:
            return None
        _text(data[:end])
        return Garbled("a message is an object: {"), end + 1

    def _end_of_object(self, data: bytearray) -> int | None:
        """The index after the brace that closes the first object."""
        at = self._at
        for sign in _SIGNS.finditer(data, at):
            at = sign.end()
            self._pass_sign(data[sign.start()])
            if self._depth == 0:
                return at
        is_half_escape = data[-1:] == b"\\" and at < len(data)
        self._at = len(data) - is_half_escape
        return None

    def _pass_sign(self, sign: int) -> None:
        if sign == ord('"'):
            self._is_in_string = not self._is_in_string
        elif not self._is_in_string and sign != ord("\\"):
            self._depth += 1 if sign in b"{[" else -1
            self._deepest = max(self._deepest, self._depth)

    def _check_size(self, size: int) -> None:
        if size > MOST_BYTES:
            raise RemoteProtocolError(f"a message of more than {MOST_BYTES} bytes")

    def _message(self, text: str) -> Message | Garbled:
        try:
            return self._named(text, msgspec.json.decode(text))
        except msgspec.DecodeError as error:
            return Garbled(reason_of(error, text.encode()))

    def _named(self, text: str, said: Any) -> Message | Garbled:
        try:
            return self._read(_in_our_form(text, said))
        except (msgspec.DecodeError, ValueError) as error:
            return Garbled(str(error))

    def _read(self, said: dict[str, Any]) -> Message | Garbled:
        if len(said) != 1:
            raise ValueError(f"an object has one key, the name of the message, not {len(said)}")
        ((name, body),) = said.items()
        kind = self._table.get(name)
        if kind is None:
            raise ValueError(f"no message here is called {name[:40]!r}")
        if kind is Answer:
            body = {"text": body}
        elif kind is StatusUpdate:
            body = with_kinds_counted(body)
        try:
            return self._converted(body, kind)
        except msgspec.ValidationError as error:
            return Garbled(f"{name}: {error}", name)

    def _converted(self, body: Any, kind: type[Message]) -> Message:
        """The message of that body; ValidationError if there is none in any reading."""
        try:
            return msgspec.convert(body, kind)
        except msgspec.ValidationError:
            pass
        try:
            return msgspec.convert(body, kind, strict=False)
        except msgspec.ValidationError:
            if self._is_strict and kind is not ClientHello:  # its Version has no effect
                raise
        return msgspec.convert(legible(body, kind), kind, strict=False)


def _text(data: bytearray) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RemoteProtocolError(f"no UTF-8: {error.reason} at byte {error.start}") from None


def _in_our_form(text: str, said: Any) -> Any:
    """The parsed value, composed and, where it may have nulls, without them."""
    if "\\" in text or "null" in text or not is_normalized("NFC", text):
        return _composed(_with_body(said))
    return said


def _with_body(said: dict[str, Any]) -> dict[str, Any]:
    """An only key's null is a message without fields."""
    return {name: {} for name in said} if list(said.values()) == [None] else said


def _composed(said: Any) -> Any:
    if isinstance(said, str):
        return normalize("NFC", said)
    if isinstance(said, list):
        return [_composed(part) for part in said]
    if isinstance(said, dict):
        return {
            normalize("NFC", key): _composed(part) for key, part in said.items() if part is not None
        }
    return said
