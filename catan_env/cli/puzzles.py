"""`catan-env puzzles`: positions of saved games with one clear best move, as web pages."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from catan_env.cli.ending import in_one_line
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import whole
from catan_env.cli.progress import with_progress
from catan_env.notation import NotationError, Record
from catan_env.notation.files import files_of, read
from catan_env.notation.whole_files import write_whole
from catan_env.policy import check_policy, load_judge
from catan_env.web.puzzles import MARGIN, Puzzle, puzzle_pages, puzzles_in

DESCRIPTION = """\
Make puzzles from saved games: positions in which one move was much better than all others.

Each puzzle is a web page with the board as its player saw it; the first is index.html. The moves
and their odds are a judge's, as on the pages of `catan-env replay --judge`.

example:
  catan-env puzzles games -o puzzles --most 20
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The records, and the pages."""
    add = parser.add_argument
    add("files", nargs="+", metavar="file", help="records, or folders of them")
    add("-o", "--out", required=True, metavar="DIR", help="folder of the pages")
    add("--judge", default="greedy", metavar="policy", help="the judge (default: greedy)")
    add("--most", type=whole(1), default=20, help="puzzles, the clearest ones (default: 20)")
    add("--margin", type=whole(1, 100), default=round(100 * MARGIN), metavar="PERCENT",
        help="percent of win probability by which the best move leads "
             "(default: %(default)s)")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Write the pages; returns 1 if no puzzle was found."""
    check_policy(chosen.judge)
    for name in chosen.files:
        Path(name).stat()  # a missing one is refused, a damaged one passed over
    files = [file for name in chosen.files for file in files_of(name)]
    if not files:
        raise ValueError("no records there")
    make_folder("--out", chosen.out)
    records = list(_readable(files))
    judge = load_judge(chosen.judge)
    found: list[Puzzle] = []
    for record in with_progress(records, len(records), "record"):
        found += puzzles_in(record, judge, chosen.margin / 100)
    found.sort(key=lambda puzzle: -puzzle.margin)
    pages = puzzle_pages(found[: chosen.most])
    for name, page in pages.items():
        write_whole(Path(chosen.out) / name, page)
    if not pages:
        print("no puzzle: no move was that much better than the others")
        return 1
    counted = f"{len(pages)} puzzle{'' if len(pages) == 1 else 's'}"
    print(f"{counted} of {len(records)} records: {Path(chosen.out) / 'index.html'}")
    return 0


def _readable(files: Iterable[Path]) -> Iterator[Record]:
    """The records of the files with a position; any other is a line on standard error."""
    for file in files:
        try:
            record = read(file)
        except (NotationError, OSError) as error:
            where = "" if isinstance(error, OSError) else f"{file}: "
            print(f"{where}{in_one_line(error)}", file=sys.stderr)
            continue
        if record.position is None:
            print(f"{file}: the record ends before its first position", file=sys.stderr)
        else:
            yield record
