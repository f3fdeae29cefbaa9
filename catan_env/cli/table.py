"""`catan-env table`: sit down and play, against policies or with others."""

import argparse
import sys
import webbrowser
from pathlib import Path

from catan_env.cli.parser import seconds, whole
from catan_env.game.game import Game
from catan_env.notation import write_game
from catan_env.notation.record import different_names
from catan_env.policy import NAMES, load_policy
from catan_env.web.table import LiveTable

SEATS = (2, 3, 4)
DESCRIPTION = """\
Sit down at a table. A page opens in the browser; each person has a link of their own, which holds
the secret of their seat, and there is one more link to watch by.

examples:
  catan-env table --against best greedy builder
  catan-env table --against greedy --rules duel --terminal
  catan-env table --people 2 --against search --host 0.0.0.0 --name Ann Ben
  catan-env table --people 0 --against best greedy random builder --pace 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who sits down, at which table, and where it is served."""
    add = parser.add_argument
    known = f"{', '.join(NAMES)}, module:Class or a weights file"
    add("--against", nargs="*", default=["greedy"], metavar="policy",
        help=f"policies: {known} (default: greedy)")  # fmt: skip
    add("--people", type=whole(0, 4), default=1, help="people at the table (default: 1)")
    add("--name", nargs="*", default=[], help="the people's names")
    add("--rules", default="base", help="base, tournament or duel (default: base)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--seed", type=whole(0), help="the game's seed (default: a fresh one)")
    add("--first", type=whole(0, 3), default=0, help="the seat that begins (default: 0)")
    add("--pace", type=seconds, default=0.6,
        help="seconds that a policy takes for a move (default: 0.6)")  # fmt: skip
    add("--ask", metavar="policy", help="a policy that the page may ask for advice")
    add("--record", metavar="DIR", help="keep the game there as a .sgn.json record")
    add("--host", default="127.0.0.1",
        help="where to listen; 0.0.0.0 lets in other machines (default: 127.0.0.1)")  # fmt: skip
    add("--port", type=whole(0, 65535), default=0, help="0: any that is free (default: 0)")
    add("--no-open", action="store_true", help="print the links, and open none")
    add("--terminal", action="store_true", help="play here, by numbers, without a browser")


def run(chosen: argparse.Namespace) -> int:
    """Lay the table and play; returns the exit status."""
    table = _lay(chosen)
    if chosen.terminal:
        from catan_env.web.terminal import play

        play(table, sys.stdin, print)
        _keep(table, chosen.record)
        return 0
    return _serve(table, chosen)


def _lay(chosen: argparse.Namespace) -> LiveTable:
    """The table before its first choice; ValueError says what cannot be."""
    seats = chosen.people + len(chosen.against)
    if seats not in SEATS:
        raise ValueError(
            f"{chosen.people} people and {len(chosen.against)} policies; "
            "allowed are 2, 3 or 4 together"
        )
    if len(chosen.name) > chosen.people:
        raise ValueError(f"{len(chosen.name)} names for {chosen.people} people")
    people = [*chosen.name, *["Guest"] * (chosen.people - len(chosen.name))]
    names = different_names([*people, *map(_short, chosen.against)])
    game = Game(seats, chosen.seed, chosen.rules, chosen.board, chosen.first % seats)
    policies = {
        chosen.people + k: load_policy(name, seed=game.seed + k)
        for k, name in enumerate(chosen.against)
    }
    adviser = (_short(chosen.ask), load_policy(chosen.ask, seed=game.seed)) if chosen.ask else None
    return LiveTable(game, names, policies, adviser)


def _short(policy: str) -> str:
    """A policy's name at the table: a weights file goes by its stem.

    >>> _short("runs/mine.npz"), _short("best")
    ('mine', 'best')
    """
    return Path(policy).stem if policy.endswith(".npz") else policy


def _serve(table: LiveTable, chosen: argparse.Namespace) -> int:
    from catan_env.net.serve import listen
    from catan_env.web.page import keeper, table_page
    from catan_env.web.room import Seating, TableRoom
    from catan_env.web.serve import new_secret, run

    pages = {"/": table_page()}
    keep = keeper(pages, f"/{new_secret()}", lambda ended: _keep(ended, chosen.record))
    secrets = {new_secret(): sight for sight in (*table.people, None)}
    with listen(chosen.host, chosen.port) as listener:
        port = listener.getsockname()[1]
        host = "127.0.0.1" if chosen.host in ("", "0.0.0.0") else chosen.host
        links = {sight: f"http://{host}:{port}/#{secret}" for secret, sight in secrets.items()}
        for sight, link in links.items():
            print(f"{'watch' if sight is None else table.names[sight]}: {link}", flush=True)
        if not chosen.no_open:
            webbrowser.open(next(iter(links.values())))
        room = TableRoom([Seating(table, secrets, keep)], chosen.pace)
        run(room, pages, listener, is_public=chosen.host not in ("127.0.0.1", "localhost", "::1"))
    return 0


def _keep(table: LiveTable, folder: str | None) -> None:
    if folder is not None:
        print(f"record: {write_game(folder, table.game, table.names)}", flush=True)
