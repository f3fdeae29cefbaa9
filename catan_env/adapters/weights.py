"""Reading weights files, for the networks of all games."""

from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, is_zipfile
from zlib import error

import numpy as np

DAMAGED = (ValueError, EOFError, TypeError, KeyError, NotImplementedError, BadZipFile, error)


def read(path: str | Path) -> dict[str, np.ndarray[Any, Any]]:
    """All arrays of a weights file; ValueError if it cannot be read.

    NumPy's reasons are not repeated: they say how to load a file of another kind unsafely.
    """
    try:
        with open(path, "rb") as file:
            return _arrays(file)
    except OSError as failure:
        reason = failure.strerror or str(failure)
    except DAMAGED:
        reason = "it is damaged, or no archive of arrays of numbers"
    raise ValueError(f"cannot read the weights in {str(path)!r}: {reason}")


def _arrays(file: BinaryIO) -> dict[str, np.ndarray[Any, Any]]:
    if not is_zipfile(file):
        raise BadZipFile
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        return dict(archive)
