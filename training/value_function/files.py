"""The files of a run: its options, and parts written by several processes."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tqdm import tqdm

from catan_env.notation.whole_files import replacing
from catan_env.training.folder import json_in
from catan_env.training.processes import Processes

FREE = "out", "rounds", "workers", "device"
"""Options that may change when a run is resumed."""


def keep_options(wanted: Namespace) -> None:
    """Write the options to the folder `out`; ValueError if its run was begun with others.

    OSError if the folder cannot be made.
    """
    now = {name: _plain(value) for name, value in vars(wanted).items() if name not in FREE}
    kept: Path = wanted.out / "options.json"
    if not kept.exists():
        wanted.out.mkdir(parents=True, exist_ok=True)
        with replacing(kept) as file:
            file.write_text(json.dumps(now, indent=1) + "\n")
        return
    for name, begun in json_in(kept).items():
        if now.get(name) != begun:
            raise ValueError(
                f"{str(wanted.out)!r} was begun with {name} = {begun}, which is now "
                f"{now.get(name)}; choose another folder or the old options"
            )


def _plain(value: Any) -> Any:
    """An option as JSON has it: a path by its absolute form."""
    return str(value.resolve()) if isinstance(value, Path) else value


def write_missing(write: Callable[[Any], None], parts: Sequence[Any], workers: int) -> None:
    """Write the parts whose `path` does not exist, in that many processes, with a progress bar."""
    missing = [part for part in parts if not part.path.exists()]

    def bar(written: Iterable[None]) -> None:
        list(tqdm(written, total=len(missing), unit="file", disable=None))

    if workers == 1:
        bar(map(write, missing))
        return
    with Processes(workers, get_context("spawn")) as processes:
        bar(processes.map(write, missing))
