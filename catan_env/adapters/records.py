"""Records of games as JSON objects, read and checked."""

import json
from collections.abc import Mapping
from typing import Any

from catan_env.kernel.shown import shown


def object_in(text: str) -> dict[str, Any]:
    """The object that a record is; ValueError if the text is another value or no JSON."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"a record is JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"a record is a JSON object, not {type(record).__name__}")
    return record


def check_fields(record: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """Raise ValueError for a field that is missing or of another type.

    >>> check_fields({"seats": True}, {"seats": int})
    Traceback (most recent call last):
    ValueError: a record's 'seats' is True, not int
    """
    for name, kind in kinds.items():
        given = record.get(name)
        if type(given) is not kind:
            raise ValueError(f"a record's {name!r} is {shown(given)}, not {kind.__name__}")
