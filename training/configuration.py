"""Reading a run's configuration out of a TOML file, and what it names."""

import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

Args = TypeVar("Args")


def read(kind: type[Args], path: str | Path, **tables: type) -> Args:
    """A dataclass `kind` as the file says it; ValueError names what it has no field for.

    `tables` are the dataclasses of its `[[tables]]`, by field.
    """
    with open(path, "rb") as file:
        given: dict[str, Any] = tomllib.load(file)
    _check(path, given, kind)
    for name, row in tables.items():
        for one in given.get(name, []):
            _check(path, one, row)
        if name in given:
            given[name] = [row(**one) for one in given[name]]
    return kind(**given)


def _check(path: str | Path, given: dict[str, Any], kind: type) -> None:
    allowed = [field.name for field in fields(kind)]
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise ValueError(
            f"{str(path)!r} says {', '.join(unknown)}; allowed are {', '.join(allowed)}"
        )


def named(place: str) -> Any:
    """What "module:name" names; ValueError where there is no such thing."""
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{place!r} is no module:name ({error})") from None
