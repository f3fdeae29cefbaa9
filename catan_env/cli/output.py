"""The file that a command writes when its work is done."""

import errno
import os
from pathlib import Path


def check_output(path: str | Path) -> None:
    """Raise OSError if the file cannot be written; nothing is created or changed."""
    path = Path(path)
    if path.is_dir():
        raise _error(errno.EISDIR, path)
    if not path.parent.is_dir():
        raise _error(errno.ENOTDIR if path.parent.exists() else errno.ENOENT, path)
    if not all(os.access(at, os.W_OK) for at in (path, path.parent) if at.is_file() or at.is_dir()):
        raise _error(errno.EACCES, path)


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
