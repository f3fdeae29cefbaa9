"""`catan-env renaissance`: a server, an agent, games between policies, and replays."""

import argparse
from pathlib import Path
from typing import Any

from catan_env.arena import one_thread
from catan_env.cli.output import check_output
from catan_env.cli.parser import player_name, seconds, whole
from catan_env.cli.reading import naming
from catan_env.net.watchdog import PATIENCE
from catan_env.terminal import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from catan_env.guests.renaissance.agent import Agent

DESCRIPTION = """\
Masters of Renaissance, one of the guest games: a server for the AM49 JSON protocol, an agent that
plays there, games between policies, and replays.

examples:
  catan-env renaissance serve --port 51015 --database sqlite:///games.db
  catan-env renaissance agent --policy greedy --name ann --seats 2 127.0.0.1 51015
  catan-env renaissance serve --watch
  catan-env renaissance play --policy greedy --policy random --games 20
  catan-env renaissance play --policy greedy --policy greedy --games 1 --record game.json
  catan-env renaissance replay game.json --html game.html
"""

PORT = 51015
MOST_SEATS = 4
CARDS = "cards as printed, or of the AM49 server's data (default: printed)"
POLICIES = "random, greedy, network, search, module:Class or .npz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subcommands, and the options of each."""
    commands = parser.add_subparsers(required=True, metavar="command", dest="action")
    serve = _command(commands, "serve", "a server")
    serve.add_argument("--host", default="127.0.0.1", help="address (default: 127.0.0.1)")
    serve.add_argument("--port", type=whole(0, 65535), default=PORT,
                       help=f"0: any free one (default: {PORT})")  # fmt: skip
    serve.add_argument("--database", default="sqlite:///renaissance.db", metavar="URL",
                       help="database for the games; sqlite:// saves nothing "
                            "(default: sqlite:///renaissance.db)")  # fmt: skip
    serve.add_argument("--cards", choices=("printed", "am49"), default="printed", help=CARDS)
    serve.add_argument("--watch", type=whole(0, 65535), nargs="?", const=0, metavar="PORT",
                       help="show the games in a browser (default port: any free one)")  # fmt: skip
    agent = _command(commands, "agent", "a policy as a player at a server")
    agent.add_argument("host", help="the server's address")
    agent.add_argument("port", type=whole(1, 65535), help="its port")
    agent.add_argument("--policy", required=True, metavar="NAME", help=POLICIES)
    agent.add_argument(
        "--name",
        type=player_name,
        required=True,
        help="nickname; it identifies the player on return",
    )
    agent.add_argument("--seats", type=whole(0, 4), default=0, metavar="N",
                       help="if first, prepare a game of N players; 0: prepare none "
                            "(default: 0)")  # fmt: skip
    agent.add_argument("--seed", type=whole(0), default=0, help="seed of the policy (default: 0)")
    agent.add_argument("--patience", type=seconds, default=PATIENCE, metavar="SECONDS",
                       help="seconds without an answer that count as a refusal; 0: never "
                            f"(default: {PATIENCE:g})")  # fmt: skip
    agent.add_argument("--wait", type=seconds, default=60.0, metavar="SECONDS",
                       help="seconds to keep trying a server that is not up, at first and "
                            "when the connection breaks (default: 60)")  # fmt: skip
    play = _command(commands, "play", "games between policies")
    play.add_argument("--policy", action="append", required=True, metavar="NAME",
                      help=f"one per seat, in order: {POLICIES}")  # fmt: skip
    play.add_argument("--playouts", type=whole(1), metavar="N",
                      help="playouts per decision of `search` (default: 160)")  # fmt: skip
    play.add_argument("--games", type=whole(1), default=10, help="games to play (default: 10)")
    play.add_argument("--seed", type=whole(0), default=0, help="first game's seed (default: 0)")
    play.add_argument("--cards", choices=("printed", "am49"), default="printed", help=CARDS)
    play.add_argument("--record", metavar="FILE", help="save the first game to a file")
    replay = _command(commands, "replay", "a saved game as text, or as a web page")
    replay.add_argument("file", metavar="FILE", help="a game saved by `play --record`")
    replay.add_argument("--html", metavar="OUT", help="write a web page instead")


def _command(commands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    """The parser of a subcommand."""
    about = f"Masters of Renaissance: {summary}."
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=about)
    return parser


def run(chosen: argparse.Namespace) -> int:
    """Run the chosen subcommand; returns the exit status."""
    runs = {"serve": _serve, "agent": _agent, "play": _play, "replay": _replay}
    with one_thread.unless_said():
        return runs[chosen.action](chosen)


def _serve(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance import server

    server.run(chosen.host, chosen.port, chosen.database, chosen.cards, chosen.watch, _say)
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
    if not agent.has_ended:
        print("the server said goodbye before the game was over")
        return 1
    print(ending_of(agent))
    return 0


def ending_of(agent: "Agent") -> str:
    """The line to print about a game that has ended."""
    from catan_env.guests.renaissance import LORENZO, NOBODY

    winner = int(agent.follower.state["winner"])
    if agent.has_missed_end or winner == NOBODY:
        return "the game is over; the server did not announce its end to us"
    name = "Lorenzo" if winner == LORENZO else agent.follower.names[winner]
    return f"winner: {printable(name)}"


def _play(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance.contest import play_all, results
    from catan_env.guests.renaissance.policies import find_policy
    from catan_env.guests.renaissance.record import dumps
    from catan_env.notation.record import different_names
    from catan_env.notation.whole_files import write_whole

    if len(chosen.policy) > MOST_SEATS:
        raise ValueError(f"{len(chosen.policy)} policies; allowed are 1 to {MOST_SEATS}")
    for name in chosen.policy:
        find_policy(name)
    if chosen.playouts and "search" not in chosen.policy:
        raise ValueError(f"--playouts is for search, not {', '.join(chosen.policy)}")
    if chosen.record:
        check_output(chosen.record)
    played = play_all(chosen.policy, chosen.games, chosen.seed, chosen.cards, chosen.playouts)
    for line in results(chosen.policy, played):
        print(line)
    if chosen.record:
        text = dumps(played[0][1], different_names(chosen.policy))
        write_whole(Path(chosen.record), text)
    return 0


def _replay(chosen: argparse.Namespace) -> int:
    from catan_env.guests.renaissance.record import loads
    from catan_env.notation.files import read_text

    text = read_text(chosen.file)
    if chosen.html:
        check_output(chosen.html, chosen.file)
    with naming(chosen.file):
        game, names = loads(text)
    if chosen.html:
        from catan_env.guests.renaissance.watch.replay import replay_html
        from catan_env.notation.whole_files import write_whole

        page = replay_html(game, names)
        write_whole(Path(chosen.html), page)
        print(f"{chosen.html}: {len(game.events)} events, {len(page.encode()) // 1000} kB")
        return 0
    from catan_env.guests.renaissance.watch.frames import lines_of

    for line in lines_of(game, [printable(name) for name in names]):
        print(line)
    return 0
