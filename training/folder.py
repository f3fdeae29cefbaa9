"""The folder of a run: one run at a time, and its files."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from math import isnan
from pathlib import Path
from typing import Any

from catan_env.extras import BadInput, reason
from catan_env.machine import held_elsewhere
from catan_env.notation.whole_files import check_writable, replacing

FULL = ENOSPC, EDQUOT, EFBIG
WEIGHTS = re.compile(r"(final|(past|round)_\d+)\.npz$")
"""The names of the weights files of runs."""


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Make a folder, and hold it for the run in the block.

    BadInput if another run holds it, if it cannot be made, or if the disk is full in the end.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / "run.lock", "w")
    except OSError as error:
        raise BadInput(reason(error)) from None
    with lock:
        if held_elsewhere(lock):
            raise BadInput(f"{folder}: another run is in this folder")
        try:
            yield
        except OSError as error:
            if error.errno not in FULL:
                raise
            resumes = "the same command resumes the run"
            raise BadInput(f"{folder} could not be written: {error.strerror}; {resumes}") from None


def make_folder_of(path: str | Path) -> None:
    """Make the folder of a file that is written in the end; OSError if it could not be written."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    check_writable(Path(path))


def write_json(path: str | Path, data: Any, indent: int | None = 1) -> None:
    """Replace a JSON file; what is not a number (NaN) is null in it."""
    with replacing(Path(path)) as file:
        file.write_text(json.dumps(_with_null(data), indent=indent))


def _with_null(data: Any) -> Any:
    """The same data with None for NaN, which JSON does not have."""
    if isinstance(data, dict):
        return {key: _with_null(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_with_null(value) for value in data]
    return None if isinstance(data, float) and isnan(data) else data


def json_in(path: str | Path) -> dict[str, Any]:
    """The object in a JSON file; ValueError with the file's name if there is none."""
    try:
        found: Any = json.loads(Path(path).read_text())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}: it is not a JSON object")
    return found


def announce_lost_state(folder: Path, state: str) -> None:
    """Write a line on standard error if a folder has a run's weights but not its state."""
    files = sorted(path.name for path in folder.glob("*.npz") if WEIGHTS.match(path.name))
    if files:
        print(
            f"{folder}: it has {files[0]} but no {state}: the run begins again, and replaces the "
            "files of the one before",
            file=sys.stderr,
        )
