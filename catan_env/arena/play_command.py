"""`catan-env play`: games between policies, and a table of who won."""

import argparse
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from catan_env.arena.match import Match, Result
from catan_env.arena.report import report
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.picture import LETTERS
from catan_env.notation import write_game
from catan_env.policy import NAMES

INTERRUPTED = 130
CLEAR = "\x1b[2J\x1b[H"
PLAY = """\
Play games between policies and print a table of who won. The seats rotate from game to game, so
that no policy always begins.

examples:
  catan-env play random builder random random
  catan-env play builder builder --games 1000 --rules duel
  catan-env play builder random mymodule:MyPolicy --show
  catan-env play builder random --games 10 --record games
"""


def add_commands(commands: Any) -> None:
    """Add `play` to the subparsers of a command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = commands.add_parser(
        "play", help="games between policies", description=PLAY, formatter_class=raw
    )
    add = parser.add_argument
    add("policies", nargs="+", metavar="policy",
        help=f"2 to 4 of them, one a seat: {', '.join(NAMES)}, or module:Class")  # fmt: skip
    add("--games", type=int, help="games to play (default: 100; 1 with --show)")
    add("--seed", type=int, default=0,
        help="the first game's seed; the others count on from it (default: 0)")  # fmt: skip
    add(
        "--rules",
        default="base",
        help="base, tournament, duel, german_0.1 or german_0.2 (default: base)",
    )
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--max-turns", type=int, default=1000,
        help="turns after which a game is cut off (default: 1000)")  # fmt: skip
    add("--record", metavar="DIR", help="keep every game there as a .sgn.json record")
    add("--show", action="store_true", help="watch the first game")
    add("--delay", type=float, default=0.3,
        help="seconds that a picture stands on a terminal (default: 0.3)")  # fmt: skip
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Play the games and print the table; ValueError and ImportError say what cannot be."""
    names = tuple(chosen.policies)
    match = Match(names, chosen.seed, chosen.rules, chosen.board, chosen.max_turns)
    games = (1 if chosen.show else 100) if chosen.games is None else chosen.games
    for option, value in (("--games", games), ("--max-turns", match.max_turns)):
        if value < 1:
            raise ValueError(f"{option} is {value}; allowed are 1 or more")
    if chosen.delay < 0:
        raise ValueError(f"--delay is {chosen.delay}; allowed are 0 or more")
    match.check()
    results: list[Result] = []
    status = 0
    try:
        for result in _played(match, games, chosen):
            results.append(result)
    except KeyboardInterrupt:
        status = INTERRUPTED
    print(report(names, results))
    return status


def _played(match: Match, games: int, chosen: argparse.Namespace) -> Iterable[Result]:
    """The results one by one, with the pictures or the progress bar that go with them."""
    keep = partial(_keep, match, Path(chosen.record)) if chosen.record else None
    if chosen.show:
        return match.results(games, Screen(match, chosen.delay), keep)
    results = match.results(games, keep=keep)
    try:
        from tqdm import tqdm
    except ImportError:
        return results
    bar: Iterable[Result] = tqdm(results, total=games, unit="game", disable=None)
    return bar


def _keep(match: Match, folder: Path, k: int, game: Game) -> None:
    """Write down game number k, its players named for their policies."""
    names = [match.names[entrant] for entrant in match.entrants_by_seat(k)]
    write_game(folder, game, names)


class Screen:
    """Shows a game as it is played: the picture drawn anew on a terminal, one by one elsewhere."""

    def __init__(self, match: Match, delay: float) -> None:
        names = (match.names[entrant] for entrant in match.entrants_by_seat(0))
        self._players = "  ".join(f"{a} {name}" for a, name in zip(LETTERS, names, strict=False))
        self._is_terminal = sys.stdout.isatty()
        self._delay = delay

    def __call__(self, game: Game, event: Event) -> None:
        """Show the position after an event."""
        if self._is_terminal:
            print(f"{CLEAR}{game}\n{self._players}\n\n{event}", flush=True)
            time.sleep(self._delay)
        else:
            print(f"{game}\n{self._players}\n\n{event}\n")
