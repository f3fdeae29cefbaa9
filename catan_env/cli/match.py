"""`catan-env match`: agents against each other on the same boards, several games in parallel."""

import argparse

from catan_env.cli import tournament
from catan_env.cli.parser import formerly, whole
from catan_env.machine import usable_processors

DESCRIPTION = """\
Play agents against each other, several games in parallel: each board is played once in every
rotation in which the seats differ.

example:
  catan-env match --agent "catan-env agent --policy builder" --agent "./my_agent" --games 100
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table's options, and the number of tables."""
    tournament.add_arguments(parser)
    add = parser.add_argument
    add("--games", type=whole(1), default=100, help="games to play (default: 100)")
    workers = add("--workers", type=whole(1), default=len(usable_processors()), metavar="N",
        help="games in parallel (default: one per processor)")  # fmt: skip
    formerly("--jobs", workers, parser)
    parser.set_defaults(port=0, rotate=True, paired=True)


run = tournament.run
