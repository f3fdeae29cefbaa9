"""A registered row in our own engine, from where its file ends, or begun again elsewhere.

    python -m benchmarks.strength.own duel-greedy-search                # play on, then report
    python -m benchmarks.strength.own duel-greedy-search --folder mine  # in that folder
    python -m benchmarks.strength.own duel-greedy-search --report       # only report the games
    python -m benchmarks.strength.own duel-greedy-search --replay       # replay every game

Each game is on the disk when it has ended. A file is not continued by policies that decide
otherwise than the file's.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks.strength import records
from benchmarks.strength.own_game import play
from benchmarks.strength.replay import differences, replay
from benchmarks.strength.report import report
from benchmarks.strength.rows import OWN_ROWS, Row
from benchmarks.strength.run import add_arguments, only_one_run, play_on
from catan_env.cli.parser import Parser


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(
        prog="python -m benchmarks.strength.own", description=__doc__, formatter_class=raw
    )
    add_arguments(parser, OWN_ROWS)
    return parser.parse_args()


def replay_all(row: Row, entries: Sequence[dict[str, Any]]) -> str:
    """Replays every game, and says what came of it."""
    games = [entry for entry in entries if "log" in entry]
    said = [list(_found(game)) for game in games]
    same = sum(not found for found in said)
    end = f"{row.name}: {same} of {len(games)} games replayed"
    return "\n".join([*(line for found in said for line in found), end])


def _found(game: dict[str, Any]) -> Iterator[str]:
    """Where a replay differs from the game."""
    where = f"seed {game['seed']}, place {game['place']}"
    try:
        end = replay(game)
    except ValueError as error:
        yield f"{where}: {error}"
        return
    winner_and_turn = (end.winner, end.turn)
    if winner_and_turn != (game["winner"], game["turns"]):
        yield f"{where}: winner and turn {winner_and_turn}, kept {game['winner']}, {game['turns']}"
    yield from (f"{where}: {one}" for one in differences(game, end))


def main() -> None:
    """Play, replay or report."""
    wanted = arguments()
    row, path = OWN_ROWS[wanted.row], wanted.folder / f"{wanted.row}.jsonl.gz"
    if wanted.replay:
        print(replay_all(row, records.read(path)))
        return
    if not wanted.report:
        with only_one_run(path), suppress(KeyboardInterrupt):
            play_on(row, path, play, wanted.minutes, wanted.workers)
    print(report(row, records.read(path)))


if __name__ == "__main__":
    main()
