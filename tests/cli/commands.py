"""All commands and subcommands as their parsers describe them, for tests that cover each one."""

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

from catan_env.cli.command import COMMANDS, parser_for
from catan_env.cli.parser import OldName

GOOD = {
    "address": "ws://127.0.0.1:1/",
    "file": "here.sgn.json",
    "files": "here.sgn.json",
    "folder": "pages",
    "game": "1",
    "host": "127.0.0.1",
    "name": "ann",
    "out": "out.html",
    "place": "league",
    "policies": "random random",
    "policy": "random",
    "port": "1",
    "record": "here.json",
}
"""The value given for a required argument, by its name."""


class Leaf(NamedTuple):
    """A command without subcommands: its words, and its parser."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def arguments(self) -> list[argparse.Action]:
        """Its arguments, except --help and options by their old names."""
        actions = self.parser._actions
        return [a for a in actions if not isinstance(a, argparse._HelpAction | OldName)]

    def line(self, changed: argparse.Action | None = None, value: str = "") -> list[str]:
        """The shortest line that the parser accepts; with `value` for one of the arguments."""
        line = list(self.words)
        for action in self.arguments:
            if action is not changed and action.required:
                line += [*action.option_strings[:1], *GOOD[action.dest].split()]
            elif action is changed and not action.option_strings:
                line.append(value)
        if changed is not None and changed.option_strings:
            option = changed.option_strings[0]
            line += [f"{option}={value}"] if changed.nargs is None else [option, value]
        return line


def leaves() -> Iterator[Leaf]:
    """Every command without subcommands, and every subcommand."""
    for name in COMMANDS:
        commands = _subparsers(parser_for([name]))
        yield from _leaves((name,), commands[name])


def _leaves(words: tuple[str, ...], parser: Any) -> Iterator[Leaf]:
    inner = _subparsers(parser)
    if not inner:
        yield Leaf(words, parser)
    for name, command in inner.items():
        yield from _leaves((*words, name), command)


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, Any]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}
