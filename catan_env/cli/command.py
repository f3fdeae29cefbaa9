"""The subcommands of `catan-env`, and how one is run.

A subcommand is a module of this folder and a line of `COMMANDS`. It has

    DESCRIPTION              the start of `catan-env NAME --help`
    add_arguments(parser)    its options
    run(chosen) -> int       runs it; the exit status
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module

from catan_env.arena import one_thread
from catan_env.cli.ending import ended
from catan_env.cli.interrupt import LeavingAtInterrupt
from catan_env.cli.parser import Parser
from catan_env.cli.version import ShowVersion
from catan_env.extras import check_current_folder

COMMANDS = {
    "play": "games between policies",
    "table": "play against policies, in a browser or a terminal",
    "page": "one HTML file to play against a policy, without a server",
    "serve": "a server for agent processes",
    "match": "agent processes against each other",
    "agent": "a policy as an agent at a server",
    "replay": "print a saved game, or render it as a web page",
    "puzzles": "puzzles from saved games, as web pages",
    "league": "repeated games between policies and agents, with ratings",
    "mcp": "a game for a language model, over the Model Context Protocol",
    "check": "validate and replay saved games",
    "import": "games of other programs as records",
    "hanabi": "the guest game Hanabi: server, agent, games, replays",
    "renaissance": "the guest game Masters of Renaissance: server, agent, games, replays",
}

MODULES = {"import": "importing"}
"""The module of a command that is not named like it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    with suppress(OSError):  # a policy's module:Class may be in the current folder
        sys.path.insert(0, os.getcwd())
    asked = asked_for(given)
    name = f"catan-env {asked}" if asked in COMMANDS else "catan-env"
    return ended(name, partial(_run, given, arguments is None))


def _run(given: Sequence[str], is_program: bool) -> int:
    with LeavingAtInterrupt(is_program):
        parser = parser_for(given)
        if not given:
            parser.print_help()
            return 0
        try:
            chosen = parser.parse_args(given)
        except SystemExit as done:  # --help, --version and invalid arguments
            return int(done.code or 0)
    check_current_folder()
    status: int = chosen.run(chosen)
    return status


def asked_for(arguments: Sequence[str]) -> str:
    """The subcommand among the arguments; empty if there is none."""
    return next((word for word in arguments if not word.startswith("-")), "")


def parser_for(arguments: Sequence[str]) -> Parser:
    """The parser of the whole line; only the requested subcommand's module is loaded."""
    parser = Parser(prog="catan-env", description="Catan for people who train agents.")
    parser.add_argument("--version", action=ShowVersion, arguments=arguments)
    parser.add_argument("--verbose", action="store_true", help="with --version: for bug reports")
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    asked = asked_for(arguments)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name == asked:
            with one_thread.unless_said():  # around NumPy's import, which reads the setting
                module = import_module(f"catan_env.cli.{MODULES.get(name, name)}")
            command.description = module.DESCRIPTION
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
