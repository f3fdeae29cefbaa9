"""The folder of a run: files that are never half written."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The path to write a file to, which replaces `path` when the block ends without an error."""
    unfinished = path.with_name(f"unfinished_{path.name}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
