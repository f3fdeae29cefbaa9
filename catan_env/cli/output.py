"""The file that a command writes when its work is done."""

import errno
import os
from pathlib import Path


def check_output(path: str | Path, *sources: str | None) -> None:
    """Raise OSError if the file cannot be written; nothing is created or changed.

    ValueError if it is one of the sources that are files, under any name.
    """
    path = Path(path)
    if path.is_file():
        for source in filter(None, sources):
            if os.path.isfile(source) and path.samefile(source):
                raise ValueError(f"{path} is the file that is read: name another one")
    if path.is_dir():
        raise _error(errno.EISDIR, path)
    if not path.parent.is_dir():
        raise _error(errno.ENOTDIR if path.parent.exists() else errno.ENOENT, path)
    if not all(os.access(at, os.W_OK) for at in (path, path.parent) if at.is_file() or at.is_dir()):
        raise _error(errno.EACCES, path)


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
