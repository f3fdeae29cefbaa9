"""The legible part of a message: what remains without optional fields that cannot be read."""

from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Struct, ValidationError
from msgspec.structs import fields

from catan_env.protocols.catan_german.messages import COUNTS


class _Field(NamedTuple):
    name: str
    kind: Any
    """Its type, without None."""
    may_be_absent: bool


def legible(said: Any, kind: Any) -> Any:
    """The parsed value without the optional fields and elements that a `kind` cannot have.

    `[]` for an object is `{}`, and a number for a text is its shortest text. Counts of cards stay
    whole: without one of its kinds a hand would be another one.

    >>> from catan_env.protocols.catan_german.messages import Hello, RobberMoved
    >>> legible({"Version": [], "Protokoll": 0.1}, Hello)
    {'Protokoll': '0.1'}
    >>> legible({"Spieler": 1, "Ort": "A", "Ziel": "?"}, RobberMoved)
    {'Spieler': 1, 'Ort': 'A'}
    """
    if kind is str and type(said) in (int, float):
        return str(said)
    if get_origin(kind) is tuple and isinstance(said, list):
        return [legible(part, get_args(kind)[0]) for part in said]
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return said
    said = {} if said == [] else said
    if not isinstance(said, dict) or issubclass(kind, COUNTS):
        return said
    found = {field.name: _part(said[field.name], field)
             for field in _fields(kind) if field.name in said}  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


@cache
def _fields(kind: type[Struct]) -> tuple[_Field, ...]:
    return tuple(
        _Field(field.encode_name, _without_none(field.type), not field.required)
        for field in fields(kind)
    )


def _without_none(kind: Any) -> Any:
    """The only other member of an optional type; else the type itself."""
    others = [part for part in get_args(kind) if part is not NoneType]
    return others[0] if NoneType in get_args(kind) and len(others) == 1 else kind


def _part(said: Any, field: _Field) -> Any:
    """The legible part of a field; None if it can be left out and has none."""
    value = legible(said, field.kind)
    if not field.may_be_absent or _is_readable(value, field.kind):
        return value
    if get_origin(field.kind) is tuple and isinstance(value, list):
        return [part for part in value if _is_readable(part, get_args(field.kind)[0])]
    return None


def _is_readable(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, strict=False)
    except ValidationError:
        return False
    return True
