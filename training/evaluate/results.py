"""The results of a bout: a table of its entrants, with all its games, or with slices of them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.arena.fair import without_luck
from catan_env.arena.fair_rate import FairRate, fair_rate
from catan_env.arena.report import wilson_interval
from catan_env.training.evaluate.bout import Bout, Measured, sums_of

COLUMNS = ("numbers", "winners", "points", "turns", "luck")
"""The names of the lists that have an element for every game."""


def measured(bout: Bout, parts: Sequence[Measured]) -> Measured:
    """The games of all parts in their order, and the results of each entrant."""
    rows = (zip(*(_column(part, name) for name in COLUMNS), strict=True) for part in parts)
    every = sorted(chain.from_iterable(rows), key=itemgetter(0))
    columns = [list(column) for column in zip(*every, strict=True)]
    numbers = columns[0]
    if len(set(numbers)) != len(numbers):
        raise ValueError("some games were given twice; merge each slice once")
    sums = sums_of(parts, len(bout.names))
    raw = dict(zip(COLUMNS, columns, strict=True)) | sums
    fair = _fair_rates(raw, bout)
    return {
        **asdict(bout),
        "names": list(bout.names),
        "planned": bout.games,
        "games": len(numbers),
        "entrants": [_entrant(name, e, raw) | fair[e] for e, name in enumerate(bout.names)],
        "raw": raw,
    }


def _entrant(name: str, entrant: int, raw: Measured) -> Measured:
    games, wins = len(raw["winners"]), raw["winners"].count(entrant)
    return {
        "name": name,
        "wins": wins,
        "win_rate": wins / games,
        "interval": wilson_interval(wins, games),
        "points": sum(points[entrant] for points in raw["points"]) / games,
        "decisions": raw["decisions"][entrant],
        "microseconds": 1e6 * raw["seconds"][entrant] / max(raw["decisions"][entrant], 1),
    }


def _fair_rates(raw: Measured, bout: Bout) -> list[FairRate]:
    """The win rate without luck of each entrant; empty unless the luck was recorded."""
    entrants = len(bout.names)
    if not raw["luck"][0]:
        return [{}] * entrants
    won = (np.array(raw["winners"], object)[:, None] == np.arange(entrants)).astype(float)
    boards = bout.boards(np.array(raw["numbers"]))
    fair = without_luck(won, np.array(raw["luck"]), boards)
    return [fair_rate(won[:, e], fair[:, e], boards) for e in range(entrants)]


def _column(part: Measured, name: str) -> list[Any]:
    """A number or list of every game; files written before `--luck` have none."""
    column: list[Any] = part.get(name) or [[]] * len(part["numbers"])
    return column


def merge(tables: Sequence[Measured]) -> Measured:
    """Slices of one table as one; ValueError if they are of different ones."""
    bouts = {_bout(table) for table in tables}
    if len(bouts) != 1:
        raise ValueError(f"{len(bouts)} different tables; slices of one can be merged")
    return measured(bouts.pop(), [table["raw"] for table in tables])


def merge_files(files: Sequence[Measured]) -> list[Measured]:
    """Merged slices: a table, or all tables of a pool in the order of the first file."""
    columns = [file.get("tables", [file]) for file in files]
    if len({len(tables) for tables in columns}) != 1:
        raise ValueError("different pools; slices of one can be merged")
    return [merge(tables) for tables in zip(*columns, strict=True)]


def measured_in(name: str) -> Measured:
    """The results that `--json` wrote; ValueError if the file has something else."""
    try:
        file: Measured = json.loads(Path(name).read_text())
        for table in file.get("tables", [file]):
            _bout(table), table["raw"]["numbers"]
    except (ValueError, KeyError, TypeError, AttributeError):
        writer = "python -m catan_env.training.evaluate --json"
        raise ValueError(f"{name}: it is not a file that {writer} writes") from None
    return file


def _bout(table: Measured) -> Bout:
    names = ("seed", "rules", "board", "max_turns", "trade")
    options = {name: table[name] for name in names} | {"luck": table.get("luck", False)}
    return Bout(tuple(table["names"]), table["planned"], **options)
