"""Dataclasses as lines of fields: `number|a,b,c`, or with bars between all fields.

A field is an int, a bool (`true`, `false`), a str (empty: a tab) or, as the last, a tuple of these
for all remaining fields. Surplus fields are ignored: later server versions send more.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Turn:
...     game: str
...     seat: int
>>> to_text(Turn("table", 2), ",")
'table,2'
>>> from_text(Turn, "table,2,9", ",")
Turn(game='table', seat=2)
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError

EMPTY = "\t"
BOOLEANS = {"true": True, "false": False}


def to_text(message: Any, separator: str) -> str:
    """Return the fields of a dataclass; LocalProtocolError for text that would be two fields."""
    return separator.join(_said(message, separator))


def from_text(layout: type, text: str, separator: str) -> Any:
    """Return the dataclass for the fields of a line; raises RemoteProtocolError."""
    parts = text.split(separator) if text else []
    values = []
    for at, (name, kind) in enumerate(_kinds(layout)):
        if get_origin(kind) is tuple:
            values.append(tuple(_read(name, get_args(kind)[0], part) for part in parts[at:]))
        elif at < len(parts):
            values.append(_read(name, kind, parts[at]))
        else:
            raise RemoteProtocolError(f"{layout.__name__} lacks its {name}: {text!r}")
    return layout(*values)


@cache
def _kinds(layout: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(layout)
    return tuple((field.name, hints[field.name]) for field in fields(layout))


def _said(message: Any, separator: str) -> Iterator[str]:
    layout: Any = type(message)
    for name, _ in _kinds(layout):
        value = getattr(message, name)
        for part in value if isinstance(value, tuple) else (value,):
            yield _word(name, part, separator)


def _word(name: str, value: Any, separator: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(int(value))
    if separator in value or "|" in value or "\n" in value:
        raise LocalProtocolError(f"{name} is {value!r}, which has a separator in it")
    return value or EMPTY


def _read(name: str, kind: type, part: str) -> Any:
    if kind is str:
        return "" if part == EMPTY else part
    try:
        return BOOLEANS[part] if kind is bool else int(part)
    except (KeyError, ValueError):
        allowed = "true and false" if kind is bool else "whole numbers"
        raise RemoteProtocolError(f"{name} is {part[:40]!r}; allowed are {allowed}") from None
