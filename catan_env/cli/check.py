"""`catan-env check`: validates saved games and replays them through the rules."""

import argparse
import sys
from pathlib import Path

from catan_env.cli.ending import FAILED, in_one_line
from catan_env.cli.progress import with_progress
from catan_env.game.game import Game
from catan_env.notation import NotationError, problems
from catan_env.notation.drawn import first_undrawn
from catan_env.notation.files import files_of, loads, parse, read_text
from catan_env.notation.schema import is_usable

DESCRIPTION = "Validate records against the schema and replay them through the rules."
WITHOUT_SCHEMA = (
    "without jsonschema (pip install '.[notation]' in a checkout of catan_env) records are only "
    "replayed"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The records to check."""
    parser.add_argument("files", nargs="+", metavar="file", help="records, or folders of them")


def run(chosen: argparse.Namespace) -> int:
    """Print the errors of each file and a summary; returns 1 if there are any, or no file."""
    if not is_usable():
        print(WITHOUT_SCHEMA, file=sys.stderr)
    files = [file for name in chosen.files for file in files_of(name)]
    counts = {"complete": 0, "unfinished": 0, "wrong": 0}
    for file in with_progress(files, len(files), "record"):
        try:
            counts[_verdict(file)] += 1
        except (NotationError, OSError) as error:
            counts["wrong"] += 1
            print(f"{file}: {_said(error)}", file=sys.stderr)
    said = ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "nothing to check"
    print(f"{len(files)} record{'' if len(files) == 1 else 's'}: {said}")
    return FAILED if counts["wrong"] or not files else 0


def _verdict(file: Path) -> str:
    messages, is_cut = parse(read_text(file))
    for problem in problems(messages) if is_usable() else ():
        raise problem
    record = loads(messages)
    begun = record.begin() if record.table is not None else None
    event = first_undrawn(begun, record.events) if isinstance(begun, Game) else None
    if event is not None:
        raise NotationError(f"the record's secret draws something else: {event}")
    is_over = record.position is not None and record.position.is_over
    return "complete" if is_over and not is_cut else "unfinished"


def _said(error: Exception) -> str:
    """The error, without the file's name."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return in_one_line(error)
