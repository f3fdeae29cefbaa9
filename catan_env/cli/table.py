"""`catan-env table`: play against policies or with other people."""

import argparse
import sys
import webbrowser
from collections.abc import Mapping
from itertools import chain, repeat
from pathlib import Path

from catan_env.cli.folders import make_folder
from catan_env.cli.parser import PREDICTABLE, seconds, whole
from catan_env.game.chance import new_secret
from catan_env.game.game import Game
from catan_env.net.serve import listen
from catan_env.notation import write_game
from catan_env.notation.files import loads, read_text
from catan_env.notation.record import different_names
from catan_env.policy import NAMES, Policy, check_policy, load_judge, load_policy
from catan_env.render.replay import replay_data
from catan_env.web.table import Adviser, LiveTable, ShownTable

SEATS = (2, 3, 4)
DESCRIPTION = """\
Play at a table. A page opens in the browser; each person has a separate link, which contains
the secret of their seat, and there is one more link for spectators.

With --from the policies take the other seats in order, and the random stream continues from the
record's seed.
examples:
  catan-env table --against best greedy builder
  catan-env table --against greedy --rules duel --terminal
  catan-env table --people 2 --against search --host 0.0.0.0 --name Ann Ben
  catan-env table --from game.sgn.json --step 160 --seat 2 --against best
  catan-env table --people 0 --against best greedy random builder --pace 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The players, the table, and the address that it is served at."""
    add = parser.add_argument
    known = f"{', '.join(NAMES)}, module:Class or a weights file"
    add("--against", nargs="*", default=["greedy"], metavar="policy",
        help=f"policies: {known} (default: greedy)")  # fmt: skip
    add("--from", dest="file", metavar="FILE", help="continue from a record, .sgn.json")
    add("--step", type=whole(0), help="step of its replay page (default: the last)")
    add(
        "--seat",
        type=whole(0, 3),
        nargs="+",
        default=[0],
        help="record: the people's seats (default: 0)",
    )
    add("--people", type=whole(0, 4), default=1, help="people at the table (default: 1)")
    add("--name", nargs="*", default=[], help="the people's names")
    add("--rules", default="base", help="base, tournament or duel (default: base)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--seed", type=whole(0),
        help="seed of the board and all chance, to repeat a game (default: secret)")  # fmt: skip
    add("--first", type=whole(0, 3), default=0, help="the seat that begins (default: 0)")
    add("--pace", type=seconds, default=0.6,
        help="seconds that a policy takes for a move (default: 0.6)")  # fmt: skip
    add("--ask", metavar="policy", help="a policy that gives advice on the page")
    add("--record", metavar="DIR", help="save the game there as a .sgn.json record")
    add("--host", default="127.0.0.1",
        help="listening address; 0.0.0.0 admits other machines (default: 127.0.0.1)")  # fmt: skip
    add("--port", type=whole(0, 65535), default=0, help="0: any free one (default: 0)")
    add("--no-open", action="store_true", help="print the links without opening a browser")
    add("--terminal", action="store_true", help="play in this terminal, by numbers")


def run(chosen: argparse.Namespace) -> int:
    """Prepare the table and play; returns the exit status."""
    if not chosen.terminal:
        listen(chosen.host, chosen.port).close()  # fail before the game if the address is unusable
    table = _lay(chosen)
    if chosen.terminal:
        from catan_env.web.terminal import play

        play(table, sys.stdin, print)
        _keep(table, chosen.record)
        return 0
    return _serve(table, chosen)


def _lay(chosen: argparse.Namespace) -> LiveTable:
    """The table before its first choice; ValueError if it is impossible."""
    make_folder("--record", chosen.record)
    for name in (*chosen.against, *([chosen.ask] if chosen.ask else ())):
        check_policy(name)
    if chosen.file is not None:
        return _resume(chosen)
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
    secret = new_secret() if chosen.seed is None else None
    if chosen.seed is not None and chosen.people > 1:
        print(PREDICTABLE, file=sys.stderr, flush=True)
    first = chosen.first % seats
    game = Game(seats, chosen.seed, chosen.rules, chosen.board, first, secret=secret)
    seated = dict(zip(range(chosen.people, seats), chosen.against, strict=True))
    return LiveTable(game, names, _policies(seated, game.seed), _adviser(chosen))


def _adviser(chosen: argparse.Namespace) -> Adviser | None:
    return Adviser(load_judge(chosen.ask)) if chosen.ask else None


def _resume(chosen: argparse.Namespace) -> LiveTable:
    """The table of a record, with people and policies in the chosen seats."""
    record = loads(read_text(Path(chosen.file)))
    step = len(replay_data(record)["steps"]) if chosen.step is None else chosen.step
    seats = len(record.players)
    if max(chosen.seat) >= seats:
        raise ValueError(f"--seat {max(chosen.seat)}: the record has the seats 0..{seats - 1}")
    others = [seat for seat in range(seats) if seat not in chosen.seat]
    seated = dict(zip(others, chain(chosen.against, repeat(chosen.against[-1])), strict=False))
    return LiveTable.resumed(record, step, _policies(seated, 0), _adviser(chosen))


def _policies(seated: Mapping[int, str], seed: int) -> dict[int, Policy]:
    """The policies by seat, made from their names."""
    return {seat: load_policy(name, seed=seed + seat) for seat, name in seated.items()}


def _short(policy: str) -> str:
    """A policy's name at the table: the stem of a weights file.

    >>> _short("runs/mine.npz"), _short("best")
    ('mine', 'best')
    """
    return Path(policy).stem if policy.endswith(".npz") else policy


def _serve(table: LiveTable, chosen: argparse.Namespace) -> int:
    from catan_env.net.address import in_url, is_loopback
    from catan_env.web.page import table_page
    from catan_env.web.room import TableRoom
    from catan_env.web.secret import new_secret
    from catan_env.web.serve import run
    from catan_env.web.shelf import STAND_IN, Shelf

    pages = {"/": table_page()}
    shelf = Shelf(pages, lambda ended: _keep(ended, chosen.record), table.adviser)
    secrets = {new_secret(): sight for sight in (*table.people, None)}
    others = chain(chosen.against, repeat(STAND_IN))
    policies = [
        STAND_IN if seat in table.people else next(others) for seat in range(table.game.seats)
    ]
    with listen(chosen.host, chosen.port) as listener:
        port = listener.getsockname()[1]
        host = in_url(chosen.host)
        links = {sight: f"http://{host}:{port}/#{secret}" for secret, sight in secrets.items()}
        for sight, link in links.items():
            print(f"{'watch' if sight is None else table.names[sight]}: {link}", flush=True)
        if not chosen.no_open:
            webbrowser.open(next(iter(links.values())))
        room = TableRoom([shelf.seating(table, secrets, policies)], chosen.pace, shelf.reopen)
        run(room, pages, listener, is_public=not is_loopback(chosen.host))
    return 0


def _keep(table: ShownTable, folder: str | None) -> None:
    if folder is not None:
        print(f"record: {write_game(folder, table.game, table.names)}", flush=True)
