"""Binary layouts: the annotations of a frozen dataclass define its bytes, packed, in order.

A field is a word (`U8`, `I8`, `U32`), an IntEnum (one byte), another such dataclass, or

- `Annotated[tuple[T, ...], Times(3)]`: three of them; `Times("cell_count")`: as many as the
  number with that name in an earlier message;
- `Annotated[T | None, When("type", 0)]`: present only if the field `type` has one of the values.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Move:
...     tile: Annotated[tuple[I8, ...], Times(2)]
...     seat: U8
>>> to_bytes(Move((-2, 1), 2))
b'\\xfe\\x01\\x02'
>>> from_bytes(Move, b"\\xfe\\x01\\x02")
Move(tile=(-2, 1), seat=2)
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError

ByteOrder = Literal["big", "little"]


class Word(NamedTuple):
    """An integer of the wire: its `struct` code and its range."""

    code: str
    low: int
    high: int


U8 = Annotated[int, Word("B", 0, 255)]
I8 = Annotated[int, Word("b", -128, 127)]
U32 = Annotated[int, Word("I", 0, 2**32 - 1)]


class Times(NamedTuple):
    """The length of a tuple: a number, or the name of one."""

    number: int | str


class When:
    """The values of another field for which an optional field is present."""

    def __init__(self, field: str, *values: int) -> None:
        self.field = field
        self.values = frozenset(values)


class IncompleteError(Exception):
    """The bytes end before the message does."""


class Cursor:
    """A position in bytes that are being read."""

    __slots__ = ("at", "counts", "data", "prefix")

    def __init__(self, data: Any, at: int, order: ByteOrder, counts: Mapping[str, int]) -> None:
        self.data = data
        self.at = at
        self.prefix = ">" if order == "big" else "<"
        self.counts = counts

    def word(self, code: str) -> int:
        """Return the next word; raises IncompleteError if bytes are missing."""
        size = struct.calcsize(self.prefix + code)
        if len(self.data) - self.at < size:
            raise IncompleteError
        (value,) = struct.unpack_from(self.prefix + code, self.data, self.at)
        self.at += size
        return int(value)

    def byte(self) -> int:
        """Return the next byte; raises IncompleteError at the end."""
        if self.at >= len(self.data):
            raise IncompleteError
        self.at += 1
        value: int = self.data[self.at - 1]
        return value


class Part(NamedTuple):
    """Reads and writes one field, given the fields before it."""

    read: Callable[[Cursor, Mapping[str, Any]], Any]
    write: Callable[[bytearray, str, Any, Mapping[str, Any]], None]


def read(layout: type, cursor: Cursor) -> Any:
    """Return the next value of `layout`; raises IncompleteError or RemoteProtocolError."""
    values: dict[str, Any] = {}
    for name, part in parts_of(layout):
        values[name] = part.read(cursor, values)
    return layout(**values)


def write(out: bytearray, prefix: str, value: Any) -> None:
    """Append the bytes of `value`, words in byte order `prefix`; raises LocalProtocolError."""
    said: dict[str, Any] = vars(value)
    layout: Any = type(value)
    for name, part in parts_of(layout):
        part.write(out, prefix, said[name], said)


def to_bytes(value: Any, order: ByteOrder = "big") -> bytes:
    """Return the bytes of a dataclass."""
    out = bytearray()
    write(out, ">" if order == "big" else "<", value)
    return bytes(out)


def from_bytes(layout: type, data: bytes, order: ByteOrder = "big") -> Any:
    """Return the dataclass that `data` begins with."""
    return read(layout, Cursor(data, 0, order, {}))


@cache
def parts_of(layout: type) -> tuple[tuple[str, Part], ...]:
    """Return the fields of a layout in order."""
    hints = get_type_hints(layout, include_extras=True)
    return tuple((field.name, part_of(field.name, hints[field.name])) for field in fields(layout))


def part_of(name: str, hint: Any) -> Part:
    """Return the reader and writer of a field with this annotation."""
    if get_origin(hint) is Annotated:
        inner, mark = get_args(hint)
        if isinstance(mark, Word):
            return word_part(name, mark)
        if isinstance(mark, Times):
            return tuple_part(name, part_of(name, get_args(inner)[0]), mark.number)
        if isinstance(mark, When):
            return optional_part(name, part_of(name, get_args(inner)[0]), mark)
    elif isinstance(hint, type) and issubclass(hint, IntEnum):
        return enum_part(name, hint)
    elif is_dataclass(hint) and isinstance(hint, type):
        return Part(lambda cursor, _: read(hint, cursor), lambda out, p, v, _: write(out, p, v))
    raise TypeError(f"the field {name!r} has the annotation {hint!r}, which is not a layout")


def word_part(name: str, word: Word) -> Part:
    """An integer."""

    def write_word(out: bytearray, prefix: str, value: Any, _: Mapping[str, Any]) -> None:
        if not word.low <= value <= word.high:
            raise LocalProtocolError(f"{name} is {value}; allowed are {word.low}..{word.high}")
        out += struct.pack(prefix + word.code, value)

    if word.code == "B":
        return Part(lambda cursor, _: cursor.byte(), write_word)
    return Part(lambda cursor, _: cursor.word(word.code), write_word)


def enum_part(name: str, kind: type[IntEnum]) -> Part:
    """A byte of an IntEnum."""
    members = {int(member): member for member in kind}

    def read_enum(cursor: Cursor, _: Mapping[str, Any]) -> IntEnum:
        value = cursor.byte()
        try:
            return members[value]
        except KeyError:
            allowed = ", ".join(f"{member.name} {member}" for member in kind)
            raise RemoteProtocolError(f"{name} is {value}; allowed are {allowed}") from None

    return Part(read_enum, lambda out, _, value, __: out.append(kind(value)))


def tuple_part(name: str, item: Part, count: int | str) -> Part:
    """Several values in sequence."""

    def how_many(counts: Mapping[str, int]) -> int:
        return count if isinstance(count, int) else counts[count]

    def read_all(cursor: Cursor, said: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(item.read(cursor, said) for _ in range(how_many(cursor.counts)))

    def write_all(out: bytearray, prefix: str, values: Any, said: Mapping[str, Any]) -> None:
        if isinstance(count, int) and len(values) != count:
            raise LocalProtocolError(f"{name} has {len(values)} items; allowed are {count}")
        for value in values:
            item.write(out, prefix, value, said)

    return Part(read_all, write_all)


def optional_part(name: str, inner: Part, when: When) -> Part:
    """A value that is present only for certain values of an earlier field."""

    def read_optional(cursor: Cursor, said: Mapping[str, Any]) -> Any:
        return inner.read(cursor, said) if said[when.field] in when.values else None

    def write_optional(out: bytearray, prefix: str, value: Any, said: Mapping[str, Any]) -> None:
        if (said[when.field] in when.values) != (value is not None):
            raise LocalProtocolError(f"{name} is {value} with {when.field} {said[when.field]!r}")
        if value is not None:
            inner.write(out, prefix, value, said)

    return Part(read_optional, write_optional)
