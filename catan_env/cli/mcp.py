"""`catan-env mcp`: a game for a language model, as a server of the Model Context Protocol."""

import argparse

from catan_env.policy import NAMES, check_policy
from catan_env.text.service import TextGame

DESCRIPTION = """\
Serve one game over standard input and output, for a program that speaks the Model Context Protocol.
Its tools are new_game, state, act, history and advice.

examples:
  catan-env mcp
  catan-env mcp --advice best
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The policy that advises."""
    known = f"{', '.join(NAMES)}, module:Class or a weights file"
    parser.add_argument(
        "--advice",
        default="greedy",
        metavar="policy",
        help=f"the policy that advises: {known} (default: greedy)",
    )


def run(chosen: argparse.Namespace) -> int:
    """Serve until the input ends."""
    check_policy(chosen.advice)
    from catan_env.text.mcp import server

    server(TextGame(chosen.advice)).run("stdio")
    return 0
