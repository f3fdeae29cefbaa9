"""`catan-env page`: one HTML file to play against a policy, without a server."""

import argparse
from pathlib import Path

from catan_env.alone import alone_html
from catan_env.cli.output import check_output
from catan_env.cli.parser import player_name, seconds, whole
from catan_env.game.rules import Rules
from catan_env.notation.whole_files import write_whole

RULES = (
    "base", "tournament", "duel", "german_0.2", "jsettlers", "colonist", "colonist_1v1", "small",
)  # fmt: skip
"""The rules whose pages play as the live table does."""
DESCRIPTION = """\
Write a page on which a person plays against a policy. It is one file: it opens by a double click,
needs no server and no connection, and can be passed on. The rules and the policy are in it, as
WebAssembly.

Reloading the page continues the game. At its end there are a replay, the record, and a rematch
with every seat moved by one.

examples:
  catan-env page best -o play.html
  catan-env page runs/mine/weights.npz -o play.html --seats 2 --rules duel
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The policy, the file, and the table."""
    add = parser.add_argument
    add("policy", help="greedy, best, or a weights file (.npz) of the kind 'pointer' or 'rerank'")
    add("-o", "--out", metavar="FILE", default="play.html", help="the page (default: play.html)")
    add("--seats", type=whole(2, 4), default=4, help="seats, one of them yours (default: 4)")
    add("--rules", default="base", help=f"{', '.join(RULES)} (default: base)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--name", type=player_name, default="Guest", help="the person's name (default: Guest)")
    add("--pace", type=seconds, default=0.6,
        help="seconds that a policy takes for a move (default: 0.6)")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Write the page; returns the exit status."""
    rules = Rules.named(chosen.rules)
    if chosen.rules not in RULES:
        allowed = ", ".join(map(repr, RULES))
        raise ValueError(f"a page has no rules {chosen.rules!r}; allowed are {allowed}")
    check_output(chosen.out, chosen.policy)
    page = alone_html(
        chosen.policy, chosen.seats, rules, chosen.board, chosen.name, chosen.pace
    )  # fmt: skip
    write_whole(Path(chosen.out), page)
    print(f"{chosen.out}: {len(page.encode()) // 1000} kB; open it in a browser")
    return 0
