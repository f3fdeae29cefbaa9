"""The types of message fields, checked when messages are encoded.

NumPy's scalars print and compare like numbers, but some encoders refuse them and others write
`np.True_` for `true`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

PLAIN = (int, bool, str, float, bytes, NoneType)


@contextmanager
def checked(*encoders: type[Any]) -> Iterator[Counter[str]]:
    """Check everything that these classes encode by assertions; the messages by their class."""
    seen: Counter[str] = Counter()
    originals = [(encoder, encoder.encode) for encoder in encoders]
    for encoder, original in originals:

        def encode(self: Any, message: Any, original: Any = original) -> bytes:
            seen[type(message).__name__] += 1
            assert not (found := list(faults(message, type(message)))), (message, found)
            data: bytes = original(self, message)
            return data

        encoder.encode = encode
    try:
        yield seen
    finally:
        for encoder, original in originals:
            encoder.encode = original


def faults(value: Any, hint: Any, where: str = "") -> Iterator[str]:
    """The places where a value does not have the annotated type.

    >>> list(faults({1: [2, True]}, dict[int, list[int]]))
    ['[1][1]: True is bool, not int']
    """
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from faults(value, given[0], where)
    elif origin in (Union, UnionType):
        if all(list(faults(value, one, where)) for one in given):
            yield f"{where}: {value!r} ({type(value).__name__}) is none of {hint}"
    elif origin is Literal:
        if not any(type(value) is type(one) and value == one for one in given):
            yield f"{where}: {value!r} is none of {given}"
    elif isinstance(value, Enum) and isinstance(hint, type) and isinstance(value, hint):
        return
    elif origin is not None or hint in (Any, object, dict, list, tuple):
        yield from _faults_of_many(value, origin or hint, given, where)
    elif isinstance(hint, type) and hint in PLAIN:
        if type(value) is not hint:
            yield f"{where}: {value!r} is {type(value).__name__}, not {hint.__name__}"
    elif type(value) is not hint and not isinstance(value, hint):
        yield f"{where}: {value!r} is not a {hint}"
    else:
        for name, kind in _hints(type(value)).items():
            yield from faults(getattr(value, name), kind, f"{where}.{name}")


def _faults_of_many(value: Any, origin: Any, given: tuple[Any, ...], where: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        key, item = given or (Any, Any)
        for one, content in value.items():
            yield from faults(one, key, f"{where}[key]")
            yield from faults(content, item, f"{where}[{one!r}]")
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        each = [kind for kind in given if kind is not Ellipsis] or [Any]
        kinds = each if len(each) == len(value) and len(each) > 1 else each[:1] * len(value)
        for number, (one, kind) in enumerate(zip(value, kinds, strict=True)):
            yield from faults(one, kind, f"{where}[{number}]")
    elif origin is not Any and origin is not object:
        yield f"{where}: {value!r} is not a {origin}"
    elif type(value) not in PLAIN:
        if _hints(type(value)):
            yield from faults(value, type(value), where)
        else:
            yield f"{where}: {value!r} is {type(value).__name__}"


@cache
def _hints(layout: type[Any]) -> dict[str, Any]:
    """The annotated fields of a struct or dataclass; none for anything else."""
    names = getattr(layout, "__struct_fields__", getattr(layout, "__dataclass_fields__", ()))
    hints = get_type_hints(layout, include_extras=True) if names else {}
    return {name: hints[name] for name in names}
