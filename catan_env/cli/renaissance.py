"""`catan-env renaissance`: Masters of Renaissance: a server, an agent, games between policies."""

import argparse

from catan_env.arena import one_thread
from catan_env.cli.parser import seconds, whole
from catan_env.net.watchdog import PATIENCE

DESCRIPTION = """\
Masters of Renaissance, one of the guest games: a server for the AM49 JSON protocol, an agent that
plays there, and games between policies.

examples:
  catan-env renaissance serve --port 51015 --database sqlite:///games.db
  catan-env renaissance agent --policy greedy --name ann --seats 2 127.0.0.1 51015
  catan-env renaissance play --policy greedy --policy random --games 20
"""

MOST_SEATS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subcommands, and the options of each."""
    commands = parser.add_subparsers(required=True, metavar="what", dest="what")
    serve = commands.add_parser("serve", help="a server")
    serve.add_argument("--host", default="127.0.0.1", help="address (default: 127.0.0.1)")
    serve.add_argument("--port", type=whole(0, 65535), default=51015,
                       help="0: any free one (default: 51015)")  # fmt: skip
    serve.add_argument("--database", default="sqlite:///renaissance.db", metavar="URL",
                       help="database for the games; sqlite:// saves nothing "
                            "(default: sqlite:///renaissance.db)")  # fmt: skip
    serve.add_argument("--cards", choices=("printed", "am49"), default="printed")
    agent = commands.add_parser("agent", help="a policy as a player at a server")
    agent.add_argument("host")
    agent.add_argument("port", type=whole(1, 65535))
    agent.add_argument(
        "--policy", required=True, help="random, greedy, network, module:Class or .npz"
    )
    agent.add_argument("--name", required=True, help="nickname; it identifies the player on return")
    agent.add_argument(
        "--seats", type=whole(0, 4), default=0, help="if first, prepare a game of N players"
    )
    agent.add_argument("--seed", type=int, default=0, help="seed of the policy (default: 0)")
    agent.add_argument("--patience", type=seconds, default=PATIENCE, metavar="SECONDS",
                       help="seconds without an answer that count as a refusal; 0: never "
                            f"(default: {PATIENCE:g})")  # fmt: skip
    agent.add_argument("--wait", type=seconds, default=60.0, metavar="SECONDS",
                       help="seconds to keep trying a server that is not up, at first and "
                            "when the connection breaks (default: 60)")  # fmt: skip
    play = commands.add_parser("play", help="games between policies")
    play.add_argument("--policy", action="append", required=True, help="one per seat, in order")
    play.add_argument("--games", type=whole(1), default=10, help="games to play (default: 10)")
    play.add_argument("--seed", type=whole(0), default=0, help="first game's seed (default: 0)")
    play.add_argument("--cards", choices=("printed", "am49"), default="printed")


def run(chosen: argparse.Namespace) -> int:
    """Run the chosen subcommand; returns the exit status."""
    runs = {"serve": _serve, "agent": _agent, "play": _play}
    with one_thread.unless_said():
        return runs[chosen.what](chosen)


def _serve(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance import server

    server.run(chosen.host, chosen.port, chosen.database, chosen.cards, _say)
    return 0


def _say(line: str) -> None:
    print(line, flush=True)


def _agent(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance import client
    from catan_env.guests.renaissance.agent import Agent
    from catan_env.guests.renaissance.policies import load_policy
    from catan_env.net.address import check_host

    check_host(chosen.host)
    policy = load_policy(chosen.policy, chosen.seed)
    agent = Agent(chosen.name, policy, chosen.seats, chosen.patience)
    client.play(chosen.host, chosen.port, agent, chosen.wait)
    follower = agent.follower
    if not agent.has_ended:
        print("the server said goodbye before the game was over")
        return 1
    if agent.has_missed_end:
        print("the game is over; the server did not announce its end to us")
        return 0
    winner = int(follower.state["winner"])
    print(f"winner: {follower.names[winner] if winner < len(follower.names) else 'Lorenzo'}")
    return 0


def _play(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance.contest import play_games
    from catan_env.guests.renaissance.policies import find_policy

    if len(chosen.policy) > MOST_SEATS:
        raise ValueError(f"{len(chosen.policy)} policies; allowed are 1 to {MOST_SEATS}")
    for name in chosen.policy:
        find_policy(name)
    for line in play_games(chosen.policy, chosen.games, chosen.seed, chosen.cards):
        print(line)
    return 0
