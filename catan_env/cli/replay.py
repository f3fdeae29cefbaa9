"""`catan-env replay`: a saved game as text, or as a web page."""

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path

from catan_env.cli.output import check_output
from catan_env.cli.parser import whole
from catan_env.game.picture import LETTERS
from catan_env.notation import Record
from catan_env.notation.files import loads, read_text
from catan_env.notation.whole_files import write_whole
from catan_env.policy import check_policy, load_judge, load_luck
from catan_env.render.judged import judged
from catan_env.render.replay import Source, replay_html
from catan_env.render.words import Commentary, Standing
from catan_env.terminal import printable

DESCRIPTION = "Print a saved game, or render it as a web page."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record, and the form in which it is shown."""
    add = parser.add_argument
    add("file", help="a record, .sgn.json")
    add("--html", metavar="OUT", help="write a web page instead")
    add(
        "--judge",
        metavar="policy",
        help="page: mark the moves that lost most, as that policy evaluates them",
    )
    add("--turn", type=whole(0), help="print the game up to the end of this turn")
    add("--boards", action="store_true", help="draw the board after every turn")


def run(chosen: argparse.Namespace) -> int:
    """Print the game as text, or write its page; returns the exit status."""
    _check_form(chosen)
    text = read_text(Path(chosen.file))
    if chosen.judge:
        check_policy(chosen.judge)
    if chosen.html:
        check_output(chosen.html, chosen.file, chosen.judge)
    record = loads(text)
    if chosen.html:
        judgement = None
        if chosen.judge:
            judgement = judged(record, load_judge(chosen.judge), load_luck())
        title = f"Catan: {', '.join(record.players)}"
        page = replay_html(record, title, judgement, Source(shlex.quote(chosen.file)))
        write_whole(Path(chosen.html), page)
        print(f"{chosen.html}: {len(record.events)} events, {len(page.encode()) // 1000} kB")
        return 0
    for line in lines_of(record, chosen.turn, chosen.boards):
        print(line)
    return 0


def _check_form(chosen: argparse.Namespace) -> None:
    """Raise ValueError if the options are not all of a page, or not all of the text."""
    if chosen.judge and not chosen.html:
        raise ValueError("--judge marks moves on a page: add --html")
    if chosen.html and chosen.turn is not None:
        raise ValueError("--turn is of the text, not of a page")
    if chosen.html and chosen.boards:
        raise ValueError("--boards is of the text, not of a page")


def lines_of(record: Record, until: int | None = None, boards: bool = False) -> Iterator[str]:
    """The lines of the game, turn by turn, and its last board."""
    names = [printable(name) for name in record.players]
    seats = zip(LETTERS, names, strict=False)
    yield f"players: {', '.join(f'{letter} {name}' for letter, name in seats)}"
    commentary = Commentary(names)
    before, turn = None, 0
    board = ""
    for events, table in record.replay():
        before = before or Standing.of(table)._replace(turn=0)
        for event in events:
            yield f"  {commentary.line(event, before, table)}"
        if table.turn != turn and not table.is_over:
            if until is not None and turn >= until:
                break
            if boards and turn:
                yield str(table)
            yield f"turn {table.turn}, {names[table.turn_seat]}"
        before, turn = Standing.of(table), table.turn
        board = str(table)
    yield board
    if record.is_cut:
        yield "the record is truncated here"
