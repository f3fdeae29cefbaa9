"""Progress on a terminal, if tqdm is installed."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, TypeVar

T = TypeVar("T")


class Progress(AbstractContextManager["Progress"]):
    """A bar that counts to `total`, with lines printed above it."""

    def __init__(self, total: int, unit: str) -> None:
        self._bar: Any = None
        try:
            from tqdm import tqdm
        except ImportError:
            return
        self._bar = tqdm(total=total, unit=unit, disable=None)

    def advance(self) -> None:
        """Count one more."""
        if self._bar is not None:
            self._bar.update()

    def say(self, line: str) -> None:
        """Print a line on standard error, above the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(line, file=sys.stderr, flush=True)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


def with_progress(things: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """The same items, counted as they arrive."""
    with Progress(total, unit) as progress:
        for thing in things:
            yield thing
            progress.advance()
