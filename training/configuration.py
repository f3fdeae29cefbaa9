"""A run's configuration: read out of a TOML file, what it names, and whether it is the same."""

import tomllib
from dataclasses import MISSING, Field, asdict, fields
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


def check_same(folder: Path, args: Any, begun: dict[str, Any], length: str) -> None:
    """ValueError where a run is gone on with that was begun otherwise; its `length` may differ.

    `args` are a dataclass. A setting that there was not yet had the value that it has by default.
    """
    now = asdict(args)
    begun = {field.name: _default(field) for field in fields(args)} | begun
    for name in sorted({*now, *begun} - {length}):
        if now.get(name) != begun[name]:
            raise ValueError(
                f"{str(folder)!r} was begun with {name} = {begun[name]}, which is now "
                f"{now.get(name)}; choose another folder or the old configuration"
            )


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
