"""Output folders of a command: created before any other work, and held by one server at a time."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catan_env.machine import held_elsewhere


def make_folder(option: str, folder: str | Path | None) -> None:
    """Create the folder given with an option, if any; ValueError if no file could be written."""
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{option} {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{option} {folder}: {os.strerror(errno.EACCES)}")


@contextmanager
def only_server_in(folder: Path) -> Iterator[None]:
    """Hold a folder for the server in the block; ValueError if another server holds it."""
    with open(folder / "server.lock", "w") as lock:
        if held_elsewhere(lock):
            raise ValueError(f"{folder}: another server is running in this folder")
        yield
