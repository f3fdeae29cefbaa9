"""Our policies against the built-in robots of a running JSettlers server.

    python -m benchmarks.versus_jsettlers --policy best --cookie KEY --games 100 127.0.0.1 8880

The server is a third-party program, neither part of this package nor started by it. Its properties
must make it invite third-party robots to its games (docs/jsettlers.md). Every game is written to
`--json` as it ends, and a run restarted with the same file resumes there. A game lost by the
connection or by the server's clock is a lost game; one that was reset or deleted, or whose seat
another player took, is not counted. Games in progress when enough have ended are finished and
counted, and so are those in progress after `--minutes`: leaving them out would favour short games.
"""

import argparse
import math
import os
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks.versus_jsettlers.contest import Contest, Server
from benchmarks.versus_jsettlers.games import Games
from benchmarks.versus_jsettlers.report import text
from benchmarks.versus_jsettlers.silent import Silent
from catan_env.arena.jsettlers import TimeBudget
from catan_env.arena.seat import rehearse
from catan_env.cli.parser import Parser, formerly, seconds, whole
from catan_env.extras import ends_in_one_line
from catan_env.policy import Policy, load_policy
from catan_env.protocols.jsettlers.agent import DecideWithin, check_words


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    parser = Parser(prog="python -m benchmarks.versus_jsettlers", description=__doc__)
    add = parser.add_argument
    add("host")
    add("port", type=whole(1, 65535))
    add("--policy", default="best", help="ours: a name, module:Class or .npz (default: best)")
    add("--cookie", required=True, help="the server's jsettlers.bots.cookie")
    add("--games", type=whole(1), default=100, help="of our agents, together (default: 100)")
    add("--minutes", type=float, default=math.inf, help="begin no game after that time")
    add("--agents", type=whole(1, 4), default=1, help="connections (default: 1)")
    add("--name", default="catan_env", help="of our agents, before their numbers")
    thought = parser.add_mutually_exclusive_group()
    thought.add_argument("--seconds", type=seconds, help="of search per decision")
    thought.add_argument(
        "--playouts", type=whole(1), help="of search per decision: the same on any machine"
    )
    add("--silent", action="store_true", help="make no offers to other seats")
    add("--seed", type=whole(0), default=0, help="of a random policy (default: 0)")
    add("--json", type=Path, default=Path("runs/jsettlers.jsonl"),
        help="file of games, one per line, continued if it exists (default: runs/jsettlers.jsonl)"
        )  # fmt: skip
    record = add("--record", type=Path, help="save each game as our seat's record in this folder")
    formerly("--records", record, parser)
    return parser.parse_args()


def searching(wanted: argparse.Namespace) -> Policy:
    """The policy, with the limits of its search; ValueError for limits of a policy without any."""
    policy: Any = load_policy(wanted.policy, wanted.seed)
    limits = {"--seconds": ("seconds", wanted.seconds), "--playouts": ("playouts", wanted.playouts)}
    for option, (attribute, limit) in limits.items():
        if limit is not None:
            if not hasattr(policy, attribute):
                raise ValueError(f"{option}: {wanted.policy!r} does not search")
            setattr(policy, attribute, limit)
    return policy


def run(wanted: argparse.Namespace) -> None:
    """Play and report; ValueError if no server accepts our agents."""
    check_words(**{"--name": wanted.name, "--cookie": wanted.cookie})
    budget = TimeBudget(searching(wanted))
    rehearse(load_policy(wanted.policy, wanted.seed))
    decide: DecideWithin = Silent(budget.act) if wanted.silent else budget.act
    server = Server(wanted.host, wanted.port, wanted.cookie)
    names = [f"{wanted.name}{number + 1}" for number in range(wanted.agents)]
    games = Games(wanted.json, wanted.games, wanted.minutes, wanted.record)
    try:
        with closing(games), suppress(KeyboardInterrupt):
            Contest(server, names, decide, games).play()
    finally:
        if games.results:
            name = f"{wanted.policy}{' without offers' if wanted.silent else ''}"
            print(text(name, games.results))
            shortened = f"{budget.shortened} of {budget.decisions} decisions"
            print(f"in this run {shortened} were shortened")


def main() -> None:
    """Play and report; a failure is one line and status 2."""
    wanted = arguments()
    with ends_in_one_line("versus_jsettlers"):
        run(wanted)


if __name__ == "__main__":
    main()
