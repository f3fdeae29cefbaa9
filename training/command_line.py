"""The command line of a configuration: an option for every field of its dataclass.

The docstring below a field is the help of its option, `--name-with-dashes`.
"""

import ast
import inspect
import json
import sys
import textwrap
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from shlex import join
from typing import Any, TypeVar

import torch

from catan_env.batch.forks import is_forked
from catan_env.extras import BadInput
from catan_env.training.config import read
from catan_env.training.ranges import COUNT, default_of

Kind = TypeVar("Kind")


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
        yield field.name, type_ or str(field.type), default_of(field), docs.get(field.name, "")


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
    defaults = {field.name: default_of(field) for field in fields(kind)}
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


def args_in(kind: type[Kind], wanted: Namespace, **tables: type) -> Kind:
    """The dataclass that a command was given: its file, overridden by its options (see `read`)."""
    return read(kind, wanted.config, given_options(wanted, kind), **tables)


def as_typed(parser: ArgumentParser, given: Sequence[str] | None) -> str:
    """The command as a card shows it."""
    return f"{parser.prog} {join(sys.argv[1:] if given is None else given)}"
