"""`catan-env league`: policies that meet again and again, in a ledger that lasts."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from catan_env.arena.league import League
from catan_env.arena.ledger import Ledger, LedgerError
from catan_env.cli.ending import FAILED, stoppable
from catan_env.cli.parser import whole
from catan_env.cli.progress import Progress
from catan_env.game.game import Game
from catan_env.policy import load_policy

DESCRIPTION = """\
Let policies meet in a league. PLACE is a folder, or the URL of a database (SQLAlchemy's).

examples:
  catan-env league init mine --seats 2 --rules duel
  catan-env league add mine greedy
  catan-env league add mine nets/mine.npz --name mine
  catan-env league run mine --games 1000
  catan-env league standings mine
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The league's commands."""
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, (summary, do, options) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("place", metavar="PLACE", help="the league's folder, or a URL")
        command.set_defaults(do=do)
        if options is not None:
            options(command)


def run(chosen: argparse.Namespace) -> int:
    """Do what the command line says."""
    is_new = chosen.do is _init
    if "://" not in chosen.place and not Path(chosen.place).is_dir():
        if not is_new:
            raise LedgerError(f"{chosen.place}: there is no such folder")
        Path(chosen.place).mkdir(parents=True)
    ledger = Ledger(chosen.place)
    if not (is_new or ledger.exists):
        raise LedgerError(f"{chosen.place}: no league is here; catan-env league init begins one")
    status: int = chosen.do(chosen, ledger)
    return status


def _add_init(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--seats", type=whole(2, 4), default=4, help="of a table (default: 4)")
    add("--rules", default="base", help="base, tournament or duel (default: base)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--seed", type=whole(0), default=0, help="of all boards and dice (default: 0)")
    add("--max-turns", type=whole(1), default=1000, help="of a game (default: 1000)")


def _add_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", help="a policy's name, module:Class, or a weights file (.npz)")
    parser.add_argument("--name", help="what standings call it (default: the policy)")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=whole(1), default=100, help="to play (default: 100)")


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="of the entrant")


def _add_number(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=whole(1), help="its number")


def _init(chosen: argparse.Namespace, ledger: Ledger) -> int:
    if ledger.exists:
        raise LedgerError(f"{chosen.place}: there is a league already")
    facts = {name: getattr(chosen, name) for name in ("seats", "rules", "board", "seed")}
    Game(chosen.seats, chosen.seed, chosen.rules, chosen.board)  # says what cannot be played
    ledger.create({**facts, "max_turns": chosen.max_turns})
    return 0


def _add(chosen: argparse.Namespace, ledger: Ledger) -> int:
    load_policy(chosen.policy)
    is_file = chosen.policy.endswith(".npz")
    policy = str(Path(chosen.policy).resolve()) if is_file else chosen.policy
    ledger.add(chosen.name or Path(chosen.policy).name.removesuffix(".npz"), policy)
    return 0


def _remove(chosen: argparse.Namespace, ledger: Ledger) -> int:
    ledger.remove(chosen.name)
    return 0


def _run(chosen: argparse.Namespace, ledger: Ledger) -> int:
    with Progress(chosen.games, "game") as progress, stoppable() as ending:
        for _ in League(ledger).run(chosen.games):
            progress.advance()
    _standings(chosen, ledger)
    return ending.status


def _standings(_: argparse.Namespace, ledger: Ledger) -> int:
    rows = League(ledger).standings()
    width = max([len("entrant"), *(len(row.name) for row in rows)])
    print(f"{'entrant':{width}}  rating   games  win rate  95 % interval")
    for row in rows:
        low, high = (100 * bound for bound in row.interval)
        rate = 100 * row.wins / row.games
        print(
            f"{row.name:{width}}  {row.rating:6.0f}  {row.games:6}  {rate:6.1f} %  "
            f"{low:5.1f} - {high:5.1f}"
        )
    return 0


def _games(_: argparse.Namespace, ledger: Ledger) -> int:
    names = {entrant.id: entrant.name for entrant in ledger.entrants()}
    for kept in ledger.games():
        outcome = kept.outcome
        players = ", ".join(names[entrant] for entrant in outcome.seats)
        end = "nobody" if outcome.winner is None else names[outcome.winner]
        print(f"{kept.number:6}  {players}: {end} won in turn {outcome.turns}")
    return 0


def _show(chosen: argparse.Namespace, ledger: Ledger) -> int:
    print(ledger.record(chosen.game), end="")
    return 0


def _export(_: argparse.Namespace, ledger: Ledger) -> int:
    entrants = [vars(entrant) for entrant in ledger.entrants()]
    print(json.dumps({**ledger.facts, "entrants": entrants}))
    for kept in ledger.games():
        print(json.dumps({**kept.outcome.to_json(), "meeting": kept.meeting.number}))
    return 0


def _check(_: argparse.Namespace, ledger: Ledger) -> int:
    faults = list(League(ledger).faults())
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{sum(1 for _ in ledger.games())} games, {len(faults)} at fault")
    return FAILED if faults else 0


Do = Callable[[argparse.Namespace, Ledger], int]
Options = Callable[[argparse.ArgumentParser], None]
COMMANDS: dict[str, tuple[str, Do, Options | None]] = {
    "init": ("begin a league", _init, _add_init),
    "add": ("let a policy play", _add, _add_add),
    "remove": ("let it play no more; its games stay", _remove, _add_name),
    "run": ("play games", _run, _add_run),
    "standings": ("who is best", _standings, None),
    "games": ("every game, a line each", _games, None),
    "show": ("a game's record", _show, _add_number),
    "export": ("entrants and outcomes as JSON, a line each", _export, None),
    "check": ("replay every record to the state that was kept", _check, None),
}
