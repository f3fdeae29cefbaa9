"""`catan-env play`: games between policies, and a table of results."""

import argparse
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from catan_env.arena.match import Match
from catan_env.arena.outcome import Outcome
from catan_env.cli.ending import stoppable
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import seconds, whole
from catan_env.cli.progress import with_progress
from catan_env.cli.records import check_is_free
from catan_env.cli.results import reported
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.picture import LETTERS
from catan_env.game.rules import PRESETS
from catan_env.notation import write_game
from catan_env.policy import NAMES

CLEAR = "\x1b[2J\x1b[H"
DESCRIPTION = """\
Play games between policies and print a table of results. The seats rotate from game to game, so
that each policy begins equally often.

examples:
  catan-env play random builder random random
  catan-env play builder builder --games 1000 --rules duel
  catan-env play builder random mymodule:MyPolicy --show
  catan-env play builder random --games 10 --record games
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The policies, the games and their rules, and the output."""
    add = parser.add_argument
    add("policies", nargs="+", metavar="policy",
        help=f"one per seat, 2 to 4: {', '.join(NAMES)}, module:Class, weights.npz")  # fmt: skip
    add("--games", type=whole(1), help="games to play (default: 100; 1 with --show)")
    add("--seed", type=whole(0), default=0,
        help="seed of the first game; each further game adds 1 (default: 0)")  # fmt: skip
    add("--rules", default="base", help=f"{', '.join(PRESETS)} (default: base)")
    add("--board", default="spiral", help="spiral, random_tokens or beginner (default: spiral)")
    add("--max-turns", type=whole(0), default=1000,
        help="turns after which a game is cut off, 0: no limit (default: 1000)")  # fmt: skip
    add("--record", metavar="DIR", help="save every game there as a .sgn.json record")
    add("--show", action="store_true", help="watch the first game")
    add("--delay", type=seconds, default=0.3,
        help="seconds between two pictures on a terminal (default: 0.3)")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Play the games and print the table; ValueError or ImportError if that is impossible."""
    names = tuple(chosen.policies)
    match = Match(names, chosen.seed, chosen.rules, chosen.board, chosen.max_turns)
    games = (1 if chosen.show else 100) if chosen.games is None else chosen.games
    make_folder("--record", chosen.record)
    match.check()
    if chosen.record is not None:
        seeds = range(chosen.seed, chosen.seed + games)
        check_is_free(Path(chosen.record), (f"game-{seed}" for seed in seeds))
    outcomes: list[Outcome] = []
    with reported(_called(match), outcomes), stoppable() as ending:
        for outcome in _played(match, games, chosen):
            outcomes.append(outcome)
    return ending.status


def _played(match: Match, games: int, chosen: argparse.Namespace) -> Iterable[Outcome]:
    """The outcomes one by one; shows pictures or a progress bar meanwhile."""
    keep = partial(_keep, match, Path(chosen.record)) if chosen.record else None
    if chosen.show:
        return match.results(games, Screen(match, chosen.delay), keep)
    return with_progress(match.results(games, keep=keep), games, "game")


def _keep(match: Match, folder: Path, k: int, game: Game) -> None:
    """Save game number k, its players named after their policies."""
    names = _called(match)
    write_game(folder, game, [names[entrant] for entrant in match.entrants_by_seat(k)])


def _called(match: Match) -> list[str]:
    """The names of the policies: a weights file without its folder and suffix."""
    return [Path(name).stem if name.endswith(".npz") else name for name in match.names]


class Screen:
    """Shows a game while it is played: redrawn in place on a terminal, in sequence elsewhere."""

    def __init__(self, match: Match, delay: float) -> None:
        called = _called(match)
        names = (called[entrant] for entrant in match.entrants_by_seat(0))
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
