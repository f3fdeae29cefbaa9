"""Weights files, `.npz`, of the networks of all games."""

from collections.abc import Iterator, Mapping
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


def write(
    path: str | Path, weights: Mapping[str, Any], dtype: Any = np.float16, *,
    game: str, kind: str, observation_version: int, observation_size: int, **others: Any,
) -> None:  # fmt: skip
    """Write a file of `weights` as `dtype`, with its marks and `others` as they are.

    With None each of the weights keeps its dtype. Raises ValueError if a number is not finite, as
    given or as `dtype`.
    """
    marks = {"game": game, "observation_version": observation_version,
             "observation_size": observation_size, "kind": kind}  # fmt: skip
    arrays = {name: np.asarray(value) for name, value in (marks | others).items()}
    with np.errstate(over="ignore"):  # what overflows is refused below
        arrays |= {name: np.asarray(array, dtype) for name, array in weights.items()}
    endless = [name for name, array in arrays.items() if not _is_finite(array)]
    if endless:
        converted = f", or not finite as {np.dtype(dtype)}" if dtype is not None else ""
        raise ValueError(f"{', '.join(endless)}: not finite{converted}")
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def check_game(trained: str, game: str) -> None:
    """Raise ValueError unless a network was trained to play this game."""
    if trained != game:
        raise ValueError(f"trained to play {trained!r}, but this is a game of {game!r}")


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


def _is_finite(array: np.ndarray[Any, Any]) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())
