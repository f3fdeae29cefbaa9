"""A run's configuration: a dataclass whose fields are read from a TOML file."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from catan_env.adapters.promises import PromiseError
from catan_env.training.ranges import check_values, default_of

Kind = TypeVar("Kind")


def read(
    kind: type[Kind], path: str | Path, options: Mapping[str, Any] | None = None, **tables: type
) -> Kind:
    """A dataclass `kind` as the file sets it; ValueError names what it has no field for.

    `options`, given on the command line, override the file. `tables` are the dataclasses of its
    `[[tables]]`, by field.
    """
    with open(path, "rb") as file:
        given: dict[str, Any] = tomllib.load(file)
    for name, value in (options or {}).items():
        before = given.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            value = before | value
        given[name] = value
    _check(path, given, kind)
    for name, row in tables.items():
        if name in given:
            for one in given[name]:
                _check(path, one, row)
            given[name] = [row(**one) for one in given[name]]
    return kind(**given)


def _check(path: str | Path, given: Mapping[str, Any], kind: Any) -> None:
    allowed = [field.name for field in fields(kind)]
    for name in given:
        if name not in allowed:
            raise ValueError(
                f"{str(path)!r} sets {name}, which is not an option; {_like(name, allowed)}"
            )
    check_values(kind, given)


def _like(name: str, allowed: Sequence[str]) -> str:
    similar = get_close_matches(name, allowed)
    return f"similar: {', '.join(similar)}" if similar else f"allowed are {', '.join(allowed)}"


def named(place: str) -> Any:
    """The object called "module:name"; ValueError if there is none."""
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{place!r} is not a module:name ({error})") from None
    except SystemExit:  # uncaught, the run would end like a success
        raise ValueError(f"{place!r}: its module exits when it is imported") from None


def call(option: str, maker: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Return the result of a maker; ValueError with the option's name if it takes no such options.

    An error within the code of a maker that is not of this package stays as it is, and so does one
    of the game.
    """
    try:
        return maker(*given, **options)
    except PromiseError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or not trace.tb_frame.f_globals["__name__"].startswith("catan_env."):
            raise
        raise ValueError(f"{option}: {error}") from None


def check_same(folder: Path, args: Any, begun: dict[str, Any], free: Sequence[str]) -> None:
    """ValueError if a run is resumed with other settings than it began with, except `free` ones.

    `args` is a dataclass. Settings missing from an old checkpoint take their defaults.
    """
    now = asdict(args)
    if unknown := sorted(begun.keys() - now.keys()):
        raise ValueError(
            f"{str(folder)!r} was begun by another version, with {unknown[0]}, which is not an "
            "option; choose another folder"
        )
    begun = {field.name: default_of(field) for field in fields(args)} | begun
    for name in sorted(now.keys() - {*free}):
        if now[name] != begun[name]:
            raise ValueError(
                f"{str(folder)!r} was begun with {name} = {begun[name]}, which is now "
                f"{now[name]}; choose another folder or the old configuration"
            )
