"""The commands `catan-env replay` and `catan-env check`: kept games looked at, and looked over."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from catan_env.game.picture import LETTERS
from catan_env.notation import NotationError, Record, problems
from catan_env.notation.files import files_of, loads, parse, read_text
from catan_env.render.replay import replay_html
from catan_env.render.words import Standing, Teller

WRONG = 1


def add_commands(commands: Any) -> None:
    """Add both to the subparsers of the `catan-env` command; each sets `run`, which they call."""
    replay = commands.add_parser(
        "replay", help="look at a kept game", description="Tell a kept game, or make a page of it."
    )
    replay.add_argument("file", help="a record, .sgn.json")
    replay.add_argument("--html", metavar="OUT", help="write a page for a browser instead")
    replay.add_argument("--turn", type=int, help="tell it up to the end of this turn")
    replay.add_argument("--boards", action="store_true", help="draw the board after every turn")
    replay.set_defaults(run=run_replay)
    check = commands.add_parser(
        "check",
        help="validate and replay kept games",
        description="Validate records against the schema and replay them through the rules.",
    )
    check.add_argument("files", nargs="+", metavar="file", help="records, or folders of them")
    check.set_defaults(run=run_check)


def run_replay(chosen: argparse.Namespace) -> int:
    """Tell the game in words, or write its page; returns the exit status."""
    record = _read(Path(chosen.file))
    if chosen.html:
        page = replay_html(record, f"Catan: {', '.join(record.players)}")
        Path(chosen.html).write_text(page, encoding="utf-8")
        print(f"{chosen.html}: {len(record.events)} events, {len(page.encode()) // 1000} kB")
        return 0
    for line in told(record, chosen.turn, chosen.boards):
        print(line)
    return 0


def told(record: Record, until: int | None = None, boards: bool = False) -> Iterator[str]:
    """The game line by line, turn by turn, and the board at the end of it."""
    seats = zip(LETTERS, record.players, strict=False)
    yield f"players: {', '.join(f'{letter} {name}' for letter, name in seats)}"
    teller = Teller(record.players)
    before, turn = None, 0
    board = ""
    for events, table in record.replay():
        before = before or Standing.of(table)._replace(turn=0)
        for event in events:
            yield f"  {teller.tell(event, before, table)}"
        if table.turn != turn and not table.is_over:
            if until is not None and turn >= until:
                break
            if boards and turn:
                yield str(table)
            yield f"turn {table.turn}, {record.players[table.turn_seat]}"
        before, turn = Standing.of(table), table.turn
        board = str(table)
    yield board
    if record.is_cut:
        yield "the record is cut short here"


def run_check(chosen: argparse.Namespace) -> int:
    """Say what is wrong with each file, and sum up; returns 1 when something is."""
    files = [file for name in chosen.files for file in files_of(name)]
    counts = {"complete": 0, "unfinished": 0, "wrong": 0}
    for file in _with_progress(files):
        try:
            counts[_verdict(file)] += 1
        except NotationError as error:
            counts["wrong"] += 1
            print(f"{file}: {error}", file=sys.stderr)
    said = ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "nothing to check"
    print(f"{len(files)} record{'' if len(files) == 1 else 's'}: {said}")
    return WRONG if counts["wrong"] else 0


def _verdict(file: Path) -> str:
    messages, is_cut = parse(_text(file))
    for problem in problems(messages):
        raise problem
    record = loads(messages)
    is_over = record.position is not None and record.position.is_over
    return "complete" if is_over and not is_cut else "unfinished"


def _read(file: Path) -> Record:
    return loads(_text(file))


def _text(file: Path) -> str:
    try:
        return read_text(file)
    except OSError as error:
        raise NotationError(f"{file} cannot be read: {error.strerror}") from error


def _with_progress(files: list[Path]) -> Iterable[Path]:
    """The same files, with a progress bar on a terminal where tqdm is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return files
    bar: Iterable[Path] = tqdm(files, unit="record", disable=None if len(files) > 1 else True)
    return bar
