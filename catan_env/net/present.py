"""The time now, for visitors whose decisions take time."""

from collections.abc import Callable
from math import nan
from time import perf_counter


class Present:
    """The time that was passed in, plus the time that `clock` has measured since.

    >>> seconds = iter((50.0, 52.5))
    >>> present = Present(lambda: next(seconds))
    >>> present.begin(now=7.0)
    >>> present.now
    9.5
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.clock = clock
        """Measures the seconds that decisions take; need not agree with the time passed in."""
        self._begun = self._counted = nan

    def begin(self, now: float) -> None:
        """Count from `now`, or from the first of several calls with the same time."""
        if now != self._begun:
            self._begun, self._counted = now, self.clock()

    @property
    def now(self) -> float:
        """The current time, decisions included."""
        return self._begun + self.clock() - self._counted
