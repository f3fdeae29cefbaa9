"""`catan-env hanabi`: the guest Hanabi; a server, an agent, games between policies, replays."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from catan_env.arena import one_thread
from catan_env.cli.ending import FAILED, in_one_line, stoppable
from catan_env.cli.output import check_output
from catan_env.cli.parser import check_chosen, formerly, player_name, seconds, whole
from catan_env.cli.reading import naming
from catan_env.net.watchdog import PATIENCE
from catan_env.terminal import printable

DESCRIPTION = """\
Hanabi, one of the guest games.

examples:
  catan-env hanabi serve --dialect strict
  catan-env hanabi agent --policy best --start-when 3 ws://127.0.0.1:4444/
  catan-env hanabi play --policy best --players 3 --games 100
  catan-env hanabi play --policy search --among best --players 3 --games 100
  catan-env hanabi play --policy best --record game.json
  catan-env hanabi replay game.json --seat 0 --step
  catan-env hanabi replay game.json --html game.html
  catan-env hanabi cross-play iggi piers best hat --players 3 --games 100
"""
POLICIES = (
    "random, iggi, piers, best, hat (three to five), search (among best), network, "
    "learnt (two players), module:Class or a weights file (.npz)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions, and the options of each."""
    actions = parser.add_subparsers(required=True, metavar="command", dest="action")
    for name, (summary, options) in ACTIONS.items():
        options(actions.add_parser(name, help=summary, description=f"Hanabi: {summary}."))


def add_serve(parser: argparse.ArgumentParser) -> None:
    """The options of the server and its games."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    add("--port", type=whole(0, 65535), default=4444, help="0: any free one (default: 4444)")
    add("--dialect", choices=("spec", "implemented", "strict"), default="spec",
        help="as the protocol's specification says, as its server is implemented, or strict: "
             "hidden cards are not sent (default: spec)")  # fmt: skip
    add("--players", type=whole(1, 12),
        help="exact number of players: 1 to 5, strict 2 to 5, implemented 1 to 12 "
             "(default: any of these)")  # fmt: skip
    add("--seed", type=whole(0), help="seed of the decks")
    add("--order", help="fifty ids, first dealt first, separated by commas or spaces")
    timeout = add("--timeout", type=seconds, default=0.0,
        help="seconds per turn, after which the player has left; 0: none (default: 0)")  # fmt: skip
    formerly("--turn-timeout", timeout, parser)
    add("--games", type=whole(0), default=0, help="exit after N games (default: never)")


def add_agent(parser: argparse.ArgumentParser) -> None:
    """The address of the server, and the policy that plays there."""
    add = parser.add_argument
    add("address", nargs="?", default="ws://127.0.0.1:4444/",
        help="the server's URL (default: ws://127.0.0.1:4444/)")  # fmt: skip
    add("--policy", required=True, metavar="NAME", help=POLICIES)
    add("--name", type=player_name, help="lower case without spaces (default: drawn)")
    add("--wait", type=seconds, default=60.0, metavar="SECONDS",
        help="seconds to keep trying a server that is not up yet (default: 60)")  # fmt: skip
    add("--start-when", type=whole(0), default=0, metavar="N",
        help="start the game after joining as the Nth player (default: never)")  # fmt: skip
    add("--patience", type=seconds, default=PATIENCE, metavar="SECONDS",
        help="seconds without an answer after which a request counts as refused; 0: never "
             f"(default: {PATIENCE:g})")  # fmt: skip
    add("--seed", type=whole(0), default=0, help="seed of a randomized policy (default: 0)")


def add_play(parser: argparse.ArgumentParser) -> None:
    """The policy, and the number and rules of its games."""
    add = parser.add_argument
    add("--policy", default="best", metavar="NAME", help=f"{POLICIES} (default: best)")
    add("--players", type=whole(2, 5), default=2, help="players of a game (default: 2)")
    add("--games", type=whole(1), default=1, help="a single game is shown (default: 1)")
    add("--among", metavar="NAME",
        help="the policy of the other seats, which also plays the same games alone: its mean score "
             "and the gain are printed")  # fmt: skip
    add("--playouts", type=whole(1), metavar="N",
        help="playouts per decision of `search` (default: 4000)")  # fmt: skip
    add("--seats", type=whole(1, 5), metavar="N",
        help="with --among, the seats of --policy (default: 1)")  # fmt: skip
    add("--seed", type=whole(0), default=0, help="first game's seed (default: 0)")
    add("--rules", default="official",
        help="official, server, Hanabi-Small, Hanabi-Very-Small (default: official)")  # fmt: skip
    record = add("--record", metavar="FILE", help="save the single game to a file")
    formerly("--save", record, parser)


def add_replay(parser: argparse.ArgumentParser) -> None:
    """The saved game, and the part of it to show."""
    add = parser.add_argument
    add("record", metavar="FILE", help="a game saved by `play --record`, or one of hanab.live")
    add("--seat", type=whole(0, 4), help="as seen by this seat (default: all cards)")
    add("--from", dest="first", type=whole(0), metavar="N",
        help="start after N actions (default: 0)")  # fmt: skip
    add("--to", dest="last", type=whole(0), metavar="N", help="stop after N actions")
    add("--step", action="store_true", help="wait for Enter before each action")
    add("--html", metavar="OUT", help="write the game as a web page instead of showing it")
    add("--hanab-live", metavar="FILE", help="write the game as hanab.live's JSON instead")


def add_cross_play(parser: argparse.ArgumentParser) -> None:
    """The policies, and the games of each pair."""
    add = parser.add_argument
    add("policies", nargs="+", metavar="POLICY", help=POLICIES)
    add("--players", type=whole(2, 5), default=2,
        help="one for the column's policy, the others for the row's (default: 2)")  # fmt: skip
    add("--games", type=whole(2), default=100, help="games of each pair (default: 100)")
    add("--seed", type=whole(0), default=0, help="first game's seed (default: 0)")
    add("--rules", default="official", help="as of `play` (default: official)")
    add("--other-play", action="store_true", help="every seat sees permuted colours")


ACTIONS = {
    "serve": ("a WebSocket server", add_serve),
    "agent": ("a policy as a player at a server", add_agent),
    "play": ("games of a policy with itself, and their mean score", add_play),
    "replay": ("a saved game, position by position", add_replay),
    "cross-play": ("a table of policies with each other", add_cross_play),
}


def run(chosen: argparse.Namespace) -> int:
    """Run the chosen action; returns the exit status."""
    if chosen.action == "agent":  # before NumPy is imported
        os.environ["CATAN_ENV_ENGINE"] = "native,python"
        os.environ.update(one_thread.ONE_THREAD)
    runs = {
        "serve": run_serve,
        "agent": run_agent,
        "play": run_play,
        "replay": run_replay,
        "cross-play": run_cross_play,
    }
    with one_thread.unless_said():
        return runs[chosen.action](chosen)


def run_serve(chosen: argparse.Namespace) -> int:
    """Serve until all games are over, or the server is stopped."""
    from catan_env.guests.hanabi.wire.deploy import say, serve_room
    from catan_env.guests.hanabi.wire.dialect import DIALECTS
    from catan_env.guests.hanabi.wire.room import HanabiRoom
    from catan_env.net.address import in_url
    from catan_env.net.serve import listen

    order = None
    if chosen.order:
        words = chosen.order.replace(",", " ").split()
        if not all(word.isascii() and word.isdecimal() for word in words):
            raise ValueError(f"--order {chosen.order!r}; allowed are whole numbers")
        order = list(map(int, words))
    room = HanabiRoom(
        DIALECTS[chosen.dialect], players=chosen.players, seed=chosen.seed, order=order,
        turn_timeout=chosen.timeout, games=chosen.games,
    )  # fmt: skip
    with listen(chosen.host, chosen.port) as listener:
        host, port = in_url(chosen.host), listener.getsockname()[1]
        say(f"serving Hanabi ({chosen.dialect}) at ws://{host}:{port}/")
        with stoppable() as ending:
            serve_room(room, listener)
    return ending.status


def run_agent(chosen: argparse.Namespace) -> int:
    """Play one game; FAILED if the server refuses us or closes before the end."""
    from catan_env.guests.hanabi.wire.deploy import free_name, play_at, say
    from catan_env.net.errors import RemoteProtocolError

    name = chosen.name or free_name()
    try:
        score = play_at(
            chosen.address,
            chosen.policy,
            name,
            chosen.start_when,
            chosen.seed,
            patience=chosen.patience,
            wait=chosen.wait,
            report=_report,
        )
    except RemoteProtocolError as error:
        print(f"catan-env hanabi agent: {in_one_line(error)}", file=sys.stderr)
        return FAILED
    say(f"score {score}")
    return 0


def _report(reason: str) -> None:
    line = printable(f"a response of the server cannot be read: {reason}")
    print(line, file=sys.stderr, flush=True)


def run_play(chosen: argparse.Namespace) -> int:
    """Show one game, or print the mean score of many."""
    if not chosen.among:
        check_chosen("with --among", {"--seats": chosen.seats})
    if chosen.record:
        if chosen.games > 1 or chosen.among:
            raise ValueError("--record saves a single game: leave out --games and --among")
        check_output(chosen.record)
    policy = _searching(chosen) if chosen.playouts else chosen.policy
    if chosen.among:
        _rate_among(chosen, policy)
    elif chosen.games > 1:
        _rate(chosen, policy)
    else:
        _show(chosen, policy)
    return 0


def _searching(chosen: argparse.Namespace) -> Any:
    """`search` with the chosen number of playouts."""
    if chosen.policy != "search":
        raise ValueError(f"--playouts is for search, not {chosen.policy}")
    search = import_module("catan_env.guests.hanabi.policies.search")
    return search.searching(chosen.playouts)


def _rate_among(chosen: argparse.Namespace, policy: Any) -> None:
    """Print the mean score with other policies, and what the policy gains there."""
    from catan_env.guests.hanabi.rating import rate_among

    if chosen.games < 2:
        raise ValueError(f"--among needs --games of at least 2, not {chosen.games}")
    gain = rate_among(
        policy, chosen.among, chosen.players, chosen.games, chosen.seed, chosen.rules,
        seats=min(chosen.seats or 1, chosen.players),
    )  # fmt: skip
    print(f"{chosen.policy} among {chosen.among}, {chosen.players} players: {gain}")


def _rate(chosen: argparse.Namespace, policy: Any) -> None:
    """Print the mean score of the policy with itself."""
    from catan_env.guests.hanabi.rating import rate

    rating = rate(policy, chosen.players, chosen.games, chosen.seed, chosen.rules)
    print(f"{chosen.policy}, {chosen.players} players: {rating}")


def _show(chosen: argparse.Namespace, policy: Any) -> None:
    """Show a game, and save it if chosen."""
    from catan_env.adapters.contest import play_game
    from catan_env.guests.hanabi.event import Event
    from catan_env.guests.hanabi.game import Game
    from catan_env.guests.hanabi.policies import as_policy, decide
    from catan_env.guests.hanabi.record import dumps
    from catan_env.kernel.numbers import wrapped_seed
    from catan_env.notation.whole_files import write_whole

    game = Game(chosen.players, chosen.seed, chosen.rules)
    policies = [
        as_policy(policy, wrapped_seed(chosen.seed + seat)) for seat in range(chosen.players)
    ]
    begun = [str(game)]  # shown with the first event: a policy may fail before it

    def show(game: Game, event: Event) -> None:
        print(*begun, event, game, sep="\n")
        begun.clear()

    play_game(game, policies, decide, watch=show)
    print(f"score {game.score}")
    if chosen.record:
        write_whole(Path(chosen.record), dumps(game))


def run_replay(chosen: argparse.Namespace) -> int:
    """Show a saved game from one position to another, or write it in another form."""
    from catan_env.guests.hanabi import hanab_live
    from catan_env.notation.files import read_text

    _check_part(chosen)
    text = read_text(chosen.record)
    for path in filter(None, (chosen.hanab_live, chosen.html)):
        check_output(path, chosen.record)
    positions = _positions(chosen.record, text, hanab_live.is_live(text))
    if chosen.hanab_live or chosen.html:
        *_, game = positions
        names = hanab_live.read(text).names if hanab_live.is_live(text) else hanab_live.NAMES
        _write(game, names, chosen)
    else:
        _show_positions(positions, chosen)
    return 0


def _check_part(chosen: argparse.Namespace) -> None:
    """Raise ValueError for an option of the shown part if the whole game is written."""
    part = {
        "--seat": chosen.seat,
        "--from": chosen.first,
        "--to": chosen.last,
        "--step": chosen.step,
    }
    if chosen.html or chosen.hanab_live:
        check_chosen("without --html and --hanab-live", part)


def _positions(path: str, text: str, is_live: bool) -> Iterator[Any]:
    """The positions of a saved game, of hanab.live or our own."""
    from catan_env.guests.hanabi import hanab_live, record

    with naming(path):
        yield from hanab_live.positions(text) if is_live else record.positions(text)


def _write(game: Any, names: Any, chosen: argparse.Namespace) -> None:
    """Write a game in the chosen forms."""
    from catan_env.guests.hanabi import hanab_live, replay_page
    from catan_env.notation.whole_files import write_whole

    if chosen.hanab_live:
        write_whole(Path(chosen.hanab_live), hanab_live.dumps(game, names))
    if chosen.html:
        write_whole(Path(chosen.html), replay_page.page_of(game, names))


def _show_positions(positions: Iterable[Any], chosen: argparse.Namespace) -> None:
    """Print the chosen positions, and the event that leads to each; with --step, one at a time."""
    first, last = chosen.first or 0, chosen.last
    if last is not None and last < first:
        raise ValueError(f"--from {first} --to {last}: there is no position between them")
    for game in positions:
        count = len(game.events)
        if not first <= count <= (count if last is None else last):
            continue
        if count > first:
            if chosen.step and not sys.stdin.readline():
                return
            print(game.events[-1])
        print(game if chosen.seat is None else game.view(chosen.seat), flush=chosen.step)
        if game.is_over:
            print(f"score {game.score}")
    if count < first:
        raise ValueError(f"--from {first}: the game has {count} actions")


def run_cross_play(chosen: argparse.Namespace) -> int:
    """Print the mean scores of all pairs."""
    from catan_env.guests.hanabi.cross_play import cross_play

    matrix = cross_play(
        chosen.policies, chosen.players, chosen.games, chosen.seed, chosen.rules,
        other_play=chosen.other_play,
    )  # fmt: skip
    print(matrix)
    return 0
