"""The generated tables of docs/renaissance.md.

`python -m catan_env.guests.renaissance.page docs/renaissance.md` updates the page.
"""

import re
import sys
import types
import typing
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import msgspec

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.action import SPANS
from catan_env.guests.renaissance.native.layout import LAYOUT, SEAT_FIELDS

MARK = re.compile(r"<!-- (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def tables() -> dict[str, str]:
    """Each table by the name of its marker on the page."""
    return {
        "actions": actions(),
        "observation": observation(),
        "seat": seat(),
        "network": messages(m.NETWORK),
        "commands": messages(m.COMMANDS),
        "events": messages(m.EVENTS),
        "errors": messages(m.ERRORS),
    }


def filled(page: str) -> str:
    """The page with its tables regenerated."""
    made = tables()
    return MARK.sub(lambda mark: f"<!-- {mark[1]} -->\n{made[mark[1]]}\n<!-- end -->", page)


def actions() -> str:
    """The spans of the flat index."""
    rows = [f"| {start} | {size} | {kind.value} | {text} |" for kind, start, size, text in SPANS]
    return "\n".join(["| from | size | action | |", "|---|---|---|---|", *rows])


def observation() -> str:
    """The fields of the observation; a seat's are one row."""
    rows, at = [], 0
    for field in LAYOUT:
        size = prod(field.shape)
        name = re.fullmatch(r"seat_(\d)_present", field.name)
        if name:
            width = sum(prod(one.shape) for one in SEAT_FIELDS)
            rows.append(f"| {at} | {width} | seat_{name[1]} | the table below |")
        if not field.name.startswith("seat_"):
            rows.append(f"| {at} | {size} | {field.name} | {field.meaning} |")
        at += size
    return "\n".join(["| from | size | field | |", "|---|---|---|---|", *rows])


def seat() -> str:
    """The fields of one seat, with offsets from its start."""
    rows, at = [], 0
    for field in SEAT_FIELDS:
        rows.append(f"| {at} | {prod(field.shape)} | {field.name} | {field.meaning} |")
        at += prod(field.shape)
    return "\n".join(["| from | size | field | |", "|---|---|---|---|", *rows])


def messages(structs: tuple[type[msgspec.Struct], ...]) -> str:
    """Messages with their fields and descriptions."""
    rows = []
    for struct in structs:
        hints = typing.get_type_hints(struct)
        fields = ", ".join(f"{name}: {_spelled(hints[name])}" for name in struct.__struct_fields__)
        said = (struct.__doc__ or "").splitlines()[0]
        rows.append(f"| {struct.__name__} | {fields} | {said} |")
    return "\n".join(["| type | fields | |", "|---|---|---|", *rows])


def _spelled(hint: Any) -> str:
    """A type as written on the page."""
    if isinstance(hint, types.UnionType):
        kinds = [one for one in typing.get_args(hint) if one not in (type(None), msgspec.UnsetType)]
        optional = "" if len(kinds) == len(typing.get_args(hint)) else "?"
        return " or ".join(_spelled(one) for one in kinds) + optional
    arguments = [_spelled(one) for one in typing.get_args(hint)]
    if typing.get_origin(hint) in (list, Sequence):
        return f"[{arguments[0]}]"
    if typing.get_origin(hint) is dict:
        return "{" + f"{arguments[0]}: {arguments[1]}" + "}"
    return {"str": "s", "int": "i", "bool": "b"}.get(hint.__name__, hint.__name__)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
