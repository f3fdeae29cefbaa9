"""`catan-env table`: play against policies or with other people."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from pathlib import Path

from catan_env.cli.folders import make_folder, only_server_in
from catan_env.cli.parser import PREDICTABLE, check_chosen, player_name, seconds, whole
from catan_env.cli.table_server import TableServer, new_folder
from catan_env.game.chance import new_secret
from catan_env.game.game import Game
from catan_env.game.rules import PRESETS
from catan_env.game.start import board_for, check_table, most_seats, rules_of
from catan_env.net.serve import listen
from catan_env.notation.files import loads, read_text
from catan_env.notation.record import different_names
from catan_env.policy import NAMES, Policy, check_policy
from catan_env.render.replay import replay_data
from catan_env.web.advisers import Adviser, Advisers
from catan_env.web.journal import StoredTable, begin_record, stored_tables
from catan_env.web.late import LatePolicy
from catan_env.web.room import MOST_TABLES
from catan_env.web.seating import Expected, Seating
from catan_env.web.secret import new_link
from catan_env.web.table import STAND_IN, LiveTable
from catan_env.web.turn_clock import check_timeout

SEATS = (2, 3, 4)
LOCAL = "127.0.0.1"
OF_RECORD = {"step": None, "seat": (0,)}
"""The options for continuing from a record, with their defaults."""
OF_NEW_GAME = {
    "people": 1,
    "name": (),
    "rules": "base",
    "board": "spiral",
    "seed": None,
    "first": 0,
}
"""Those of a game that begins."""
OF_PAGES = {"pace": 0.6, "timeout": None, "ask": None}
"""Those of pages in a browser, which a stored table has."""
OF_SERVER = {"host": LOCAL, "port": 0}
"""Those of the pages' server."""
DESCRIPTION = """\
Play at a table. A page opens in the browser; each person has a separate link, which contains
the secret of their seat, and there is one more link for spectators.

The game is stored from its first move: --resume restores the tables of a server that was
stopped, with the same links, and open pages reconnect by themselves.

With --from the policies take the other seats in order, and the random stream continues from the
record's seed.

examples:
  catan-env table --against best greedy builder
  catan-env table --against greedy --rules duel --terminal
  catan-env table --people 2 --against search --host 0.0.0.0 --name Ann Ben
  catan-env table --from game.sgn.json --step 160 --seat 2 --against best
  catan-env table --people 0 --against best greedy random builder --pace 1
  catan-env table --against search --record games; catan-env table --resume games
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The players, the table, and the address that it is served at."""
    add = parser.add_argument
    known = f"{', '.join(NAMES)}, module:Class or a weights file"
    add("--against", nargs="*", metavar="policy",
        help=f"policies: {known}; --against alone: none (default: greedy, where people leave a "
        "seat free)")  # fmt: skip
    add("--from", dest="file", metavar="FILE", help="continue from a record, .sgn.json")
    add("--step", type=whole(0), help="step of its replay page (default: the last)")
    add(
        "--seat",
        type=whole(0, 3),
        nargs="+",
        help="record: the people's seats (default: 0)",
    )
    add("--people", type=whole(0, 4), help="people at the table (default: 1)")
    add("--name", type=player_name, nargs="*", help="the people's names")
    add("--rules", help=f"{', '.join(PRESETS)} (default: base)")
    add("--board", help="spiral, random_tokens, beginner or a board's code (default: spiral)")
    add("--seed", type=whole(0),
        help="seed of the board and all chance, to repeat a game (default: secret)")  # fmt: skip
    add("--first", type=whole(0, 3), help="the seat that begins (default: 0)")
    add("--pace", type=seconds,
        help="seconds that a policy takes for a move (default: 0.6)")  # fmt: skip
    add(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="time for each person's turn, 5 to 3600; then the table chooses for them (default: "
        "unlimited)",
    )
    add("--ask", metavar="policy", help="a policy that gives advice on the page")
    add("--record", metavar="DIR",
        help="store the game there from its first move, as a .sgn.json record (default: a new "
        "folder in ~/.local/state/catan_env/tables)")  # fmt: skip
    add("--resume", metavar="DIR", help="restore the tables that are stored in this folder")
    add("--host",
        help="listening address; 0.0.0.0 admits other machines (default: 127.0.0.1)")  # fmt: skip
    add("--port", type=whole(0, 65535),
        help="0: any free one, or that of the restored tables (default: 0)")  # fmt: skip
    add("--no-open", action="store_true", help="print the links without opening a browser")
    add("--terminal", action="store_true", help="play in this terminal, by numbers")


def run(chosen: argparse.Namespace) -> int:
    """Prepare the table and play; returns the exit status."""
    _check_options(chosen)
    make_folder("--record", chosen.record)
    if chosen.resume is not None:
        return _serve_again(chosen)
    _set_defaults(chosen)
    _check(chosen)
    if not chosen.terminal:
        return _serve(chosen)
    from catan_env.web.terminal import play

    table = _lay(chosen, Advisers())
    if chosen.record is not None:
        table.journal = begin_record(Path(chosen.record), table.game, table.names)
        print(f"record: {table.journal.path}", flush=True)
    play(table, sys.stdin, print)
    if table.journal is not None:
        table.journal.finish(table.game)
    return 0


def _check_options(chosen: argparse.Namespace) -> None:
    """Raise ValueError for an option without effect on what was chosen."""

    def only(where: str, *names: str) -> None:
        options = {"from" if name == "file" else name: getattr(chosen, name) for name in names}
        check_chosen(where, {f"--{option}": value for option, value in options.items()})

    if chosen.terminal:
        only("without --terminal", "resume", *OF_PAGES, *OF_SERVER)
    if chosen.resume is not None:
        only("without --resume", "against", "file", *OF_RECORD, *OF_NEW_GAME, *OF_PAGES, "record")
    elif chosen.file is None:
        only("with --from", *OF_RECORD)
    else:
        only("without --from", *OF_NEW_GAME)


def _set_defaults(chosen: argparse.Namespace) -> None:
    """Set the options that were not given."""
    for name, value in {**OF_RECORD, **OF_NEW_GAME, **OF_PAGES, **OF_SERVER}.items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    if chosen.against is None:
        chosen.against = _default_against(chosen)


def _default_against(chosen: argparse.Namespace) -> list[str]:
    """The policies at a table for which none were named: one, if it has a seat to spare."""
    is_full = chosen.file is None and chosen.people >= most_seats(rules_of(chosen.rules))
    return [] if is_full else [STAND_IN]


def _check(chosen: argparse.Namespace) -> None:
    """Raise ValueError, ImportError or OSError if the table is impossible; compile nothing."""
    check_timeout(chosen.timeout)
    for name in (*chosen.against, *([chosen.ask] if chosen.ask else ())):
        check_policy(name)
    if chosen.file is not None:
        return
    seats = chosen.people + len(chosen.against)
    if seats not in SEATS:
        raise ValueError(
            f"{chosen.people} people and {len(chosen.against)} policies; "
            "allowed are 2, 3 or 4 together"
        )
    if len(chosen.name) > chosen.people:
        raise ValueError(f"{len(chosen.name)} names for {chosen.people} people")
    rules = rules_of(chosen.rules)
    board, _ = board_for(chosen.board, rules)
    check_table(seats, rules, board)


def _lay(chosen: argparse.Namespace, advisers: Advisers) -> LiveTable:
    """The table before its first choice; ValueError if it is impossible."""
    adviser = advisers.named(chosen.ask)
    if chosen.file is not None:
        return _continue(chosen, adviser)
    seats = chosen.people + len(chosen.against)
    names = _names(chosen)
    secret = new_secret() if chosen.seed is None else None
    if chosen.seed is not None and chosen.people > 1:
        print(PREDICTABLE, file=sys.stderr, flush=True)
    first = chosen.first % seats
    game = Game(seats, chosen.seed, chosen.rules, chosen.board, first, secret=secret)
    seated = dict(zip(range(chosen.people, seats), chosen.against, strict=True))
    return LiveTable(game, names, _policies(seated, game.seed), adviser)


def _names(chosen: argparse.Namespace) -> tuple[str, ...]:
    """The names at a new table, by seat."""
    people = [*chosen.name, *["Guest"] * (chosen.people - len(chosen.name))]
    return different_names([*people, *map(_short, chosen.against)])


def _continue(chosen: argparse.Namespace, adviser: Adviser | None) -> LiveTable:
    """The table of a record, with people and policies in the chosen seats."""
    record = loads(read_text(Path(chosen.file)))
    step = len(replay_data(record)["steps"]) if chosen.step is None else chosen.step
    seats = len(record.players)
    if max(chosen.seat) >= seats:
        raise ValueError(f"--seat {max(chosen.seat)}: the record has the seats 0..{seats - 1}")
    others = [seat for seat in range(seats) if seat not in chosen.seat]
    seated = dict(zip(others, _opponents(chosen), strict=False))
    return LiveTable.resumed(record, step, _policies(seated, 0), adviser)


def _opponents(chosen: argparse.Namespace) -> Iterator[str]:
    """The policies that play, in order of their seats; the last one plays all further seats."""
    return chain(chosen.against, repeat(chosen.against[-1] if chosen.against else STAND_IN))


def _policies(seated: Mapping[int, str], seed: int) -> dict[int, Policy]:
    """The policies by seat, loaded when they first decide."""
    return {seat: LatePolicy(name, seed + seat) for seat, name in seated.items()}


def _short(policy: str) -> str:
    """A policy's name at the table: the stem of a weights file.

    >>> _short("runs/mine.npz"), _short("best")
    ('mine', 'best')
    """
    return Path(policy).stem if policy.endswith(".npz") else policy


def _serve(chosen: argparse.Namespace) -> int:
    """Serve a new table: its page opens before the table is ready."""
    host = chosen.host
    with listen(host, chosen.port) as listener:
        advisers = Advisers()
        table = _lay(chosen, advisers) if chosen.file is not None else None
        folder = Path(chosen.record) if chosen.record is not None else new_folder()
        names = _names(chosen) if table is None else table.names
        people = list(range(chosen.people)) if table is None else table.people
        secrets = {new_link(): sight for sight in (*people, None)}
        others = _opponents(chosen)
        policies = [STAND_IN if seat in people else next(others) for seat in range(len(names))]
        server = TableServer(host, listener, folder, advisers, chosen.ask, chosen.pace)

        def prepare() -> Seating:
            laid = table or _lay(chosen, advisers)
            return server.shelf.seating(laid, secrets, policies, timeout=chosen.timeout)

        with only_server_in(folder):
            server.room.prepare(Expected(list(secrets), ["the game"]), prepare)
            server.announce(secrets, names)
            server.run(next(iter(secrets)), chosen.no_open)
    return 0


def _serve_again(chosen: argparse.Namespace) -> int:
    """Serve the tables that are stored in a folder, with the same links."""
    folder = Path(chosen.resume)
    stored = stored_tables(folder, _leave_out)
    if not stored:
        raise ValueError(f"--resume {folder}: no table is stored there")
    last = stored[0].links
    host, port = chosen.host or last.host, chosen.port or last.port
    with only_server_in(folder), listen(host, port) as listener:
        server = TableServer(host, listener, folder, Advisers(), last.ask, last.pace)
        tables = _that_fit(stored)
        for record, links, players, _ in tables:
            prepare = partial(server.shelf.restored, record, links)
            server.room.prepare(Expected(list(links.secrets), ["the game"]), prepare)
            server.announce(links.secrets, players)
        server.run(next(iter(tables[0].links.secrets)), chosen.no_open)
    return 0


def _that_fit(stored: Sequence[StoredTable]) -> list[StoredTable]:
    """The tables that a server holds, those in progress first; the others are reported."""
    tables = sorted(stored, key=lambda table: table.is_over)
    left = tables[MOST_TABLES:]
    ended = sum(table.is_over for table in left)
    for table in left[: len(left) - ended]:
        _leave_out(f"{table.record}: in progress, but a server holds {MOST_TABLES} tables")
    if ended:
        text = f"ended games that are left out: {ended}; a server holds {MOST_TABLES} tables"
        print(text, file=sys.stderr, flush=True)
    return tables[:MOST_TABLES]


def _leave_out(reason: str) -> None:
    print(f"a table is left out: {reason}", file=sys.stderr, flush=True)
