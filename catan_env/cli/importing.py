"""`catan-env import`: games of other programs as records, verified under our rules."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path

from catan_env.cli.ending import FAILED, in_one_line
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import whole
from catan_env.cli.progress import with_progress
from catan_env.cli.records import check_is_free
from catan_env.foreign import FORMATS, ForeignError, read_foreign
from catan_env.notation import NotationError, write_game

READ, CUT, BROKEN = "read", "cut", "broken"
"""Outcomes of a file; of a cut one, the steps before the one that breaks are kept."""
DESCRIPTION = f"""\
Read games that another program has saved, and replay them under our rules step by step. A file that
is damaged, or that breaks our rules, is refused in one line that names the step.

Formats, recognized by the content: {", ".join(FORMATS)}.

examples:
  catan-env import saved/*.json
  catan-env import saved --record games
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and what is made of them."""
    add = parser.add_argument
    add("files", nargs="+", metavar="file", help="files, or folders of .json and .soclog files")
    add("--record", metavar="DIR", help="save every game there as a .sgn.json record")
    add(
        "--points",
        type=whole(3, 22),
        default=10,
        help="points to win, where the file has no number (default: 10)",
    )
    add("--cut", action="store_true", help="save also games that break, up to the step before")


def run(chosen: argparse.Namespace) -> int:
    """Print a line for each file that breaks, and a summary; returns 1 if there are any."""
    files = [file for name in chosen.files for file in files_of(Path(name))]
    if not files:
        raise ValueError("no .json or .soclog files there")
    make_folder("--record", chosen.record)
    stems = stems_of(files)
    if chosen.record:
        check_is_free(Path(chosen.record), stems)
    named = with_progress(zip(files, stems, strict=True), len(files), "game")
    found = Counter(_import(file, stem, chosen) for file, stem in named)
    read, cut = found[READ], found[CUT]
    shortened = f", {cut} of them saved up to there" if cut and chosen.record else ""
    broken = f", {len(files) - read} broken{shortened}" if read < len(files) else ""
    print(f"{len(files)} file{'' if len(files) == 1 else 's'}: {read} read{broken}")
    return FAILED if read < len(files) else 0


def _import(file: Path, stem: str, chosen: argparse.Namespace) -> str:
    """Read a file and save its game; READ, CUT or BROKEN, with a line for all but the first."""
    try:
        game, players = read_foreign(file, chosen.points)
        outcome = READ
    except (ForeignError, OSError) as error:
        _print_error(file, error)
        if not (chosen.cut and isinstance(error, ForeignError) and error.kept):
            return BROKEN
        (game, players), outcome = error.kept, CUT
    try:
        if chosen.record:
            write_game(chosen.record, game, players, stem)
    except (NotationError, OSError) as error:
        _print_error(file, error)
        return BROKEN
    return outcome


def files_of(path: Path) -> list[Path]:
    """The records in a folder, sorted by name; a file is its own list."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.suffix.lower() in (".json", ".soclog"))


def stems_of(files: Iterable[Path]) -> list[str]:
    """The names of the files' records without suffix; a repeated one gets the first free number.

    Names that differ in case only are the same to some file systems.
    """
    stems: dict[str, str] = {}
    for file in files:
        numbered = (f"{file.stem}-{number}" for number in count(2))
        stem = next(name for name in chain([file.stem], numbered) if name.lower() not in stems)
        stems[stem.lower()] = stem
    return list(stems.values())


def _print_error(file: Path, error: Exception) -> None:
    """Print the file's name and the reason, without another file's name."""
    reason = error.strerror if isinstance(error, OSError) else None
    print(f"{file}: {reason or in_one_line(error)}", file=sys.stderr)
