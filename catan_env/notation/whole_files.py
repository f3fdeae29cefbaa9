"""Files that are complete or absent, even if the process is stopped while it writes them."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE, S_IWUSR

MOST_LETTERS = 8
"""Of an ending such as .json in the name of a file that is not whole."""


def write_whole(path: Path, text: str) -> None:
    """Replace a file, as in `replacing`, by that text; an OSError names the file.

    Of processes that write the same file at once the last one wins.
    """
    with naming(path), replacing(path, by=str(os.getpid())) as file:
        file.write_bytes(text.encode())


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError name the file, which may have another name while it is written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def replacing(path: Path, mode: int | None = None, by: str = "") -> Iterator[Path]:
    """The path to write a file to, which replaces `path` when the block ends without an error.

    `mode`: its permissions, by default those of the file that it replaces. A device, such as
    /dev/stdout, is written to directly; of a link, the file that it leads to. Processes that write
    it at once differ in `by`.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve()
    if mode is None and target.exists():
        mode = S_IMODE(target.stat().st_mode)
    unfinished = unfinished_of(target, by)
    try:
        if mode is not None:
            unfinished.touch(mode | S_IWUSR)  # a private file is private while it is written
        yield unfinished
        if mode is not None:
            unfinished.chmod(mode)
        unfinished.replace(target)
    finally:
        with suppress(OSError):  # usually it has its final name by now
            unfinished.unlink()


def check_writable(path: Path) -> None:
    """Raise OSError if the file cannot be written as in `replacing`; nothing is created."""
    if path.is_dir():
        raise _error(errno.EISDIR, path)
    is_device = path.exists() and not path.is_file()
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise _error(errno.ENOTDIR if folder.exists() else errno.ENOENT, path)
    needed = [path] if is_device else [folder, *([path] if path.exists() else [])]
    if not all(os.access(at, os.W_OK) for at in needed):
        raise _error(errno.EACCES, path)


def check_not_read(path: str | Path, *sources: str | Path | None) -> None:
    """Raise ValueError if the file to write is one of the sources that are files, by any name."""
    given = [source for source in sources if source is not None]
    if os.path.isfile(path) and any(
        os.path.isfile(source) and os.path.samefile(source, path) for source in given
    ):
        raise ValueError(f"{path} is the file that is read: name another one")


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def unfinished_of(path: Path, by: str = "") -> Path:
    """Where a file is written until it is whole, beside it.

    The name is short and the same each time, so that processes of one `by` that are killed leave
    one such file at most. It ends like the file's, which NumPy would extend otherwise, but not like
    a record's.
    """
    digest = sha256(f"{path.name}/{by}".encode()).hexdigest()[:16]
    return path.with_name(f"unfinished_{digest}{path.suffix[:MOST_LETTERS]}")
