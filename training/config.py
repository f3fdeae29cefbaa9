"""A run's configuration: a dataclass whose fields are read from a TOML file and the command line.

Every field is an option, `--name-with-dashes`; the docstring below a field is its help.
"""

import ast
import inspect
import json
import sys
import textwrap
import tomllib
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, asdict, fields
from difflib import get_close_matches
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch

from catan_env import extras
from catan_env.batch.forks import is_forked
from catan_env.extras import BadInput

Args = TypeVar("Args")


class Range(NamedTuple):
    """The allowed numbers of an option, both ends included."""

    least: float
    most: float = inf
    is_above: bool = False
    """True if `least` is not allowed itself."""

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int | float) or isinstance(number, bool):
            return False
        is_above = number > self.least if self.is_above else number >= self.least
        return is_above and number <= self.most and abs(number) < inf

    def __str__(self) -> str:
        if self.least == -inf:
            return "finite numbers"
        if self.most < inf:
            return f"{self.least:g}..{self.most:.10g}"
        return f"numbers above {self.least:g}" if self.is_above else f"{self.least:g} or more"


COUNT, NOT_NEGATIVE, FRACTION = Range(1), Range(0), Range(0, 1)
POSITIVE, ANY = Range(0, is_above=True), Range(-inf)
SEED = Range(0, 2**31 - 1)
"""Programs make further seeds from one: NumPy's have 32 bits, those of games and torch 64."""
Ranges = Mapping[str, Range]
"""The allowed numbers by option."""


def in_ranges(names: Mapping[Range, str]) -> Ranges:
    """The ranges by option, from the options of each, separated by spaces."""
    return {name: allowed for allowed, listed in names.items() for name in listed.split()}


def check_values(kind: Any, given: Mapping[str, Any]) -> None:
    """Raise ValueError if a value is of another type than its field, or not in `kind.RANGES`."""
    for field in fields(kind):
        if field.name in given:
            default, allowed = _default(field), kind.RANGES.get(field.name, ANY)
            if fault := fault_of(given[field.name], default, allowed):
                raise ValueError(f"{field.name} is {given[field.name]!r}; allowed are {fault}")


def fault_of(value: Any, default: Any, allowed: Range) -> str:
    """Return the values allowed instead of this one, by its option's default; "" if it is one."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "true and false"
    if isinstance(default, int | float):
        if value not in allowed:
            return str(allowed)
        is_whole = isinstance(value, int) or isinstance(default, float)
        return "" if is_whole else "whole numbers"
    if isinstance(default, list):
        return _fault_of_list(value, default)
    words = "names in quotes" if isinstance(default, str) else "tables: [section] or {name = value}"
    return "" if isinstance(value, type(default)) else words


def _fault_of_list(value: Any, default: list[Any]) -> str:
    """As `fault_of`, for an option that is a list of names, or of tables."""
    is_table = bool(default) and not isinstance(default[0], str)
    kind, words = (dict, "[[tables]]") if is_table else (str, "lists of names, such as ['random']")
    is_right = isinstance(value, list) and all(isinstance(one, kind) for one in value)
    return "" if is_right else words


def read(
    kind: type[Args], path: str | Path, options: Mapping[str, Any] | None = None, **tables: type
) -> Args:
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


def call(option: str, maker: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Return the result of a maker; ValueError with the option's name if it takes no such options.

    An error within the code of a maker that is not of this package stays as it is.
    """
    try:
        return maker(*given, **options)
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
    begun = {field.name: _default(field) for field in fields(args)} | begun
    for name in sorted(now.keys() - {*free}):
        if now[name] != begun[name]:
            raise ValueError(
                f"{str(folder)!r} was begun with {name} = {begun[name]}, which is now "
                f"{now[name]}; choose another folder or the old configuration"
            )


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def docs_of(kind: type) -> dict[str, str]:
    """The docstring below each field of a dataclass, by the field's name."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    docs: dict[str, str] = {}
    name = ""
    for statement in definition.body:
        if isinstance(statement, ast.AnnAssign):
            name = ast.unparse(statement.target)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and name:
            docs[name] = inspect.cleandoc(str(statement.value.value))
    return docs


def options_of(kind: Any) -> Iterator[tuple[str, str, Any, str]]:
    """Name, type, default and help of each field of a dataclass."""
    docs = docs_of(kind)
    for field in fields(kind):
        type_ = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "")
        yield field.name, type_ or str(field.type), _default(field), docs.get(field.name, "")


RUN = "folder", "of the run; an existing run is resumed"
"""The target of most commands, and its help."""


def parser_of(
    name: str, about: str | None, kind: Any, target: tuple[str, str] = RUN
) -> ArgumentParser:
    """The parser of `python -m catan_env.training.NAME CONFIG TARGET`, with the options of `kind`.

    `target` is the name of a path and its help; `--threads` is torch's.
    """
    path, text = target
    program = f"python -m catan_env.training.{name}"
    parser = ArgumentParser(
        prog=program,
        usage=f"{program} CONFIG.toml {path.upper()} [--option VALUE ...]",
        description=about,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, help="TOML file; examples are in training/configs")
    parser.add_argument(path, type=Path, help=text)
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (default: 1)")
    add_options(parser, kind)
    return parser


def add_options(parser: ArgumentParser, kind: Any) -> None:
    """An option for every field of `kind`; one that is given overrides the configuration."""
    group = parser.add_argument_group("configuration", "each overrides the TOML file's setting")
    for name, type_, default, text in options_of(kind):
        shown = f"{text} (default: {_shown(default)})".replace("%", "%%").lstrip()
        option = f"--{name.replace('_', '-')}"
        if isinstance(default, dict):
            group.add_argument(option, nargs="+", type=_pair, metavar="NAME=VALUE", help=shown)
        elif isinstance(default, list) and default and not isinstance(default[0], str | int):
            continue  # tables, in the file only
        elif isinstance(default, list):
            kind_of = type(default[0]) if default else str
            group.add_argument(option, nargs="*", type=kind_of, metavar="NAME", help=shown)
        else:
            group.add_argument(option, type=type(default), metavar=type_.upper(), help=shown)


def _shown(default: Any) -> str:
    if isinstance(default, list | dict) or default == "":
        return "none" if not default else str(default)
    return str(default)


def _pair(given: str) -> tuple[str, Any]:
    """`seats=2` as ("seats", 2): a value is JSON if it can be, otherwise text."""
    name, _, value = given.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def given_options(wanted: Namespace, kind: Any) -> dict[str, Any]:
    """The options of `kind` that were given on the command line."""
    found = {field.name: getattr(wanted, field.name, None) for field in fields(kind)}
    defaults = {field.name: _default(field) for field in fields(kind)}
    return {
        name: dict(value) if isinstance(defaults[name], dict) else value
        for name, value in found.items()
        if value is not None
    }


def parsed(parser: ArgumentParser, given: Sequence[str] | None) -> Namespace:
    """The options given, or those of the command line; torch uses `--threads` from now on."""
    wanted = parser.parse_args(given)
    if wanted.threads < 1:
        raise BadInput(f"{parser.prog}: --threads is {wanted.threads}; allowed are {COUNT}")
    if wanted.threads > 1 and is_forked():
        raise BadInput(
            f"{parser.prog}: --threads is {wanted.threads}; a forked process can compute with 1: "
            "OpenMP's threads are not forked (start it with multiprocessing's 'spawn')"
        )
    torch.set_num_threads(wanted.threads)
    return wanted


def args_in(kind: type[Args], wanted: Namespace, **tables: type) -> Args:
    """The dataclass that a command was given: its file, overridden by its options (see `read`)."""
    return read(kind, wanted.config, given_options(wanted, kind), **tables)


@contextmanager
def ends_in_one_line(parser: ArgumentParser) -> Iterator[None]:
    """A fault of a configuration, a file or a folder ends the command with one line."""
    with extras.ends_in_one_line(parser.prog):
        yield


def check_seed(seed: int) -> None:
    """Raise ValueError if it is not a seed of a program."""
    if seed not in SEED:
        raise ValueError(f"--seed is {seed}; allowed are {SEED}")


def as_typed(parser: ArgumentParser, given: Sequence[str] | None) -> str:
    """The command as a card shows it."""
    return " ".join([parser.prog, *(sys.argv[1:] if given is None else given)])
