"""The kept games of a row at a JSettlers server: packed, reported and replayed.

    python -m benchmarks.strength.jsettlers jsettlers                 # report
    python -m benchmarks.strength.jsettlers jsettlers --replay        # each record, by our rules
    python -m benchmarks.strength.jsettlers jsettlers --pack runs/jsettlers.jsonl runs/jsettlers

`games/ROW.jsonl.xz` holds one JSON object per line and game: the result as
`benchmarks.versus_jsettlers` wrote it, and our seat's record, whose messages are numbered instead
of having UUIDs.
"""

import argparse
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from benchmarks.versus_jsettlers.report import rate, text
from benchmarks.versus_jsettlers.result import Result, load_results
from catan_env.cli.parser import Parser
from catan_env.notation import loads

GAMES = Path(__file__).parent / "games"
Entry = dict[str, Any]


def read(path: Path) -> list[Entry]:
    """All games of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def pack(path: Path, results: Sequence[Result], folder: Path) -> None:
    """Add the results that are not in a file yet, with their records in `folder`.

    Raises FileNotFoundError if a game has no record; the file is then as it was.
    """
    kept = read(path) if path.exists() else []
    known = [entry["result"] for entry in kept]
    names: Counter[str] = Counter()
    unfinished = path.with_suffix(".part")
    with lzma.open(unfinished, "wt", encoding="utf-8", preset=9) as file:
        for entry in kept:
            _write(file, entry)
        for result in results:
            name = f"{result.game.replace('~', '_')}-seat{result.seat}"
            names[name] += 1
            if vars(result) not in known:
                messages = json.loads(_record(folder, name, names[name]).read_text("utf-8"))
                _write(file, {"result": vars(result), "record": numbered(messages)})
    unfinished.replace(path)


def _write(file: TextIO, entry: Entry) -> None:
    file.write(json.dumps(entry, separators=(",", ":")) + "\n")


def _record(folder: Path, name: str, number: int) -> Path:
    """The file of the game with that name and number: a restarted server repeats its names."""
    return folder / f"{name}{f'-{number}' if number > 1 else ''}.sgn.json"


def numbered(messages: list[Any]) -> Any:
    """The same messages, named by their numbers."""
    names = {message["uuid"]: str(number) for number, message in enumerate(messages)}
    return _renamed(messages, names)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def differences(entry: Entry) -> Iterator[str]:
    """Differences between a replay by our rules and the game at the server.

    Raises NotationError if our rules do not allow the game.
    """
    result, view = entry["result"], loads(entry["record"]).view()
    if not view.is_over:
        yield "the record ends before the game"
    else:
        for name, found in (("winner", view.winner), ("turns", view.turn)):
            if found != result[name]:
                yield f"{name} {found}, not {result[name]}"


def by_smart_robots(entries: Sequence[Entry]) -> Iterator[str]:
    """Our wins by the number of smart robots at the table; their names begin with "robot"."""
    tables: dict[int, list[Result]] = defaultdict(list)
    for entry in entries:
        record, result = loads(entry["record"]), Result(**entry["result"])
        others = (name for seat, name in enumerate(record.players) if seat != result.seat)
        tables[sum(name.startswith("robot") for name in others)].append(result)
    for smart, results in sorted(tables.items()):
        if smart or len(tables) > 1:  # else the robots are another server's
            yield f"  {smart} smart: {rate(results)}"


def main() -> None:
    """Report or replay a row's games, or write its file."""
    raw = argparse.RawDescriptionHelpFormatter
    prog = "python -m benchmarks.strength.jsettlers"
    parser = Parser(prog=prog, description=__doc__, formatter_class=raw)
    parser.add_argument("row", help="of benchmarks/strength/README.md")
    parser.add_argument("--replay", action="store_true", help="replay the games")
    parser.add_argument(
        "--pack", type=Path, nargs=2, metavar=("RESULTS", "RECORDS"), help="add to the file"
    )
    wanted = parser.parse_args()
    path = GAMES / f"{wanted.row}.jsonl.xz"
    if wanted.pack:
        pack(path, load_results(wanted.pack[0]), wanted.pack[1])
    entries = read(path)
    if wanted.replay:
        found = Counter(line for entry in entries for line in differences(entry))
        print(f"{len(entries)} games replayed; differences: {dict(found) or 'none'}")
    else:
        print(text(wanted.row, [Result(**entry["result"]) for entry in entries]))
        print(*by_smart_robots(entries), sep="\n")


if __name__ == "__main__":
    main()
