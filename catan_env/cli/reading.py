"""A file that a command reads, named in the errors of its contents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Put the file's name before a ValueError of what it contains."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
