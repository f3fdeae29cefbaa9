"""The `catan-env` command.

A command is an entry of `COMMANDS`: the module that has it adds it to the parser with
`add_commands`, and sets `run`, which takes the parsed arguments and returns the exit status.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

BAD_INPUT = 2
COMMANDS = {
    "play": "catan_env.arena.play_command",
    "serve": "catan_env.arena.serve_command",
    "match": "catan_env.arena.serve_command",
    "agent": "catan_env.arena.agent_command",
    "replay": "catan_env.render.commands",
    "check": "catan_env.render.commands",
}


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Say it and exit with status 2."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.path.insert(0, os.getcwd())  # a policy's module:Class may lie where the command is called
    parser = parser_for(given)
    chosen = parser.parse_args(given)
    try:
        status: int = chosen.run(chosen)
    except (ValueError, ImportError) as error:
        parser.error(str(error))
    return status


def parser_for(arguments: Sequence[str]) -> Parser:
    """The parser of the command that is asked for, so that no other is loaded; else of all."""
    parser = Parser(prog="catan-env", description="Catan for people who train agents.")
    commands = parser.add_subparsers(required=True, metavar="command")
    asked = arguments[0] if arguments else ""
    modules = [COMMANDS[asked]] if asked in COMMANDS else dict.fromkeys(COMMANDS.values())
    for module in modules:
        import_module(module).add_commands(commands)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
