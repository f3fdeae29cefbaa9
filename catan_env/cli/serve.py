"""`catan-env serve`: a server that starts agents and seats them."""

import argparse

from catan_env.cli import tournament
from catan_env.cli.parser import whole

DESCRIPTION = """\
Play a tournament of the binary protocol, or the German one: start an agent for each seat as
"CMD... HOST PORT", enforce the limits that MSG_BEGIN announces, and print the results.

examples:
  catan-env serve --agent "catan-env agent --policy builder" --agent "./my_agent" --games 10
  catan-env serve --agent "catan-env agent --policy random" --agent wait --port 4000
  catan-env serve --protocol german --seats 3 --port 4000 \\
      --agent "catan-env agent --protocol german --policy best --name Ada"

The last one has a lobby: clients that connect to the port take the remaining places.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table's options, the port, and the number of games."""
    tournament.add_arguments(parser)
    add = parser.add_argument
    add("--port", type=whole(0, 65535), default=0, help="0: any free one (default: 0)")
    add("--games", type=whole(1), default=1, help="games to play (default: 1)")
    add("--rotate", action="store_true", help="seats rotate from game to game")
    parser.set_defaults(workers=1, paired=False)


run = tournament.run
