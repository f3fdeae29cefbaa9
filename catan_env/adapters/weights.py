"""Reading weights files, for the networks of all games."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG, EINVAL
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, is_zipfile
from zlib import error

import numpy as np

DAMAGED = (
    ValueError, EOFError, TypeError, KeyError, NotImplementedError, MemoryError, BadZipFile, error
)  # fmt: skip
MOST_BYTES = 1 << 30
"""The unpacked size of a file that is read; a small file can claim to contain much more."""


def read(path: str | Path) -> dict[str, np.ndarray[Any, Any]]:
    """All arrays of a weights file; ValueError if it cannot be read.

    NumPy's reasons are not repeated: they say how to load a file of another kind unsafely.
    """
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise OSError(EINVAL, "it is not a regular file")  # a pipe would be waited for
        with open(path, "rb") as file:
            return _arrays(file)
    except OSError as failure:
        reason = failure.strerror or str(failure)
    except DAMAGED:
        reason = "it is damaged, or no archive of arrays of numbers"
    raise ValueError(f"cannot read the weights in {str(path)!r}: {reason}")


@contextmanager
def errors_of(path: str | Path) -> Iterator[None]:
    """Raise a ValueError that names the file for a missing array (KeyError) or a wrong one."""
    try:
        yield
    except KeyError as failure:
        raise ValueError(f"{str(path)!r} is not a weights file: {failure} is missing") from None
    except ValueError as failure:
        raise ValueError(f"{str(path)!r}: {failure}") from None


def _arrays(file: BinaryIO) -> dict[str, np.ndarray[Any, Any]]:
    if not is_zipfile(file):
        raise BadZipFile
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        if sum(member.file_size for member in archive.zip.infolist()) > MOST_BYTES:
            raise OSError(EFBIG, f"its arrays are larger than {MOST_BYTES >> 20} MiB")
        return dict(archive)
